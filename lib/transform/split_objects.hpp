// Local objects as a variable for each member, where nothing asks for the whole object:
//
//     Vec3 d;                                double d_x = a[i].x - a[j].x;
//     d.x = a[i].x - a[j].x;          →      double d_y = a[i].y - a[j].y;
//     d.y = a[i].y - a[j].y;
//
// so that analyses and derivatives have numbers before them. What a helper returned into a temporary, and that was copied from there,
// is made where it is wanted. Needs the form that prepareAdjoint guarantees, and keeps it.
#pragma once

#include "ir/module.hpp"

namespace contraflow::transform {

void splitObjects(ir::Module& module, ir::Function& function);

}  // namespace contraflow::transform

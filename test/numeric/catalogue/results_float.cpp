// The value that a statement gave, where it is rounded to another type than the expression's, and where it isn't.
// group: precision=3e-6
#include "extended.hpp"

#include <cmath>

// case: at=0.7,1.3,0.4 out=4
void mixedResults(const double* in, double* out) {
  float f = static_cast<float>(in[0]), g = static_cast<float>(in[1]);
  double d = in[2];
  out[0] = out[1] = 0;
  for (int t = 0; t < 3; ++t) {
    f = f / g;
    g = static_cast<float>(d / static_cast<double>(f));
    d = static_cast<double>(f / g);
    f = static_cast<float>(std::exp(-d));
    g = std::sqrt(g * g + f);
    d = d / static_cast<double>(g);
    f = -f / g;
    f = f * f + 0.5f;
    out[0] += d * static_cast<double>(f);
    out[1] += static_cast<double>(g);
  }
  out[2] = d;
  out[3] = static_cast<double>(f);
}

// Heads of every form: methods, globals, vectors that grow, complex numbers, results that are vectors, arrays, floats; a derivative
// that is zero.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %contraflow %s --adjoint 'ns::Spring::energy(this.stiffness, x -> return)' --adjoint 'scaled(factor, x -> return)'  --adjoint 'grow(v -> v)' --adjoint 'square(z -> return)' --adjoint 'twice(v -> return)' --adjoint 'sum3(a, f -> return, f)'  --out-dir %t --emit-check check.cpp --check-arg 'this = ns::Spring(4)' --check-arg 'v[3]' -- -I%S/Inputs
// RUN: %cxx %cflags -I%S/Inputs check.cpp forms_ad.cpp %libs -o check && ./check | FileCheck %s
// RUN: %clangxx -std=c++17 %cflags -I%S/Inputs check.cpp forms_ad.cpp %libs -o clang && ./clang | FileCheck %s
//
// RUN: %contraflow %s --adjoint 'flat(x -> return)' --out-dir %t --emit-check flat.cpp -- -I%S/Inputs
// RUN: %cxx %cflags -I%S/Inputs flat.cpp forms_ad.cpp %libs -o flat
// RUN: %python -c "import subprocess, sys; p = subprocess.run('./flat', capture_output=True, text=True); print(p.stdout, 'status', p.returncode)" | FileCheck %s --check-prefix=FLAT
// FLAT: NOTHING CHECKED: the derivative is zero here
// FLAT: status 3
#include "forms.hpp"

double factor = 3;

// CHECK: Spring::energy(this.stiffness, x -> return): passed
double ns::Spring::energy(double x) const { return 0.5 * stiffness * x * x * cells; }

// CHECK: scaled(factor, x -> return): passed
double scaled(double x) { return factor * factor * x; }

// CHECK: grow(v -> v): {{.*}} 3 reals in, 4 out
// CHECK: grow(v -> v): passed
void grow(std::vector<double> &v) {
  v.push_back(v[0] * v[1]);
  v[0] *= v[2];
}

// CHECK: square(z -> return): {{.*}} 2 reals in, 2 out
// CHECK: square(z -> return): passed
std::complex<double> square(std::complex<double> z) { return z * z; }

// CHECK: twice(v -> return): passed
std::vector<double> twice(const std::vector<double> &v) {
  std::vector<double> r(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) r[i] = 2 * v[i] * v[0];
  return r;
}

// CHECK: sum3(a, f -> return, f): {{.*}} 4 reals in, 2 out
// CHECK: sum3(a, f -> return, f): passed
double sum3(const double (&a)[3], float &f) {
  double s = a[0] * a[1] + a[2] * f;
  f = f * f;
  return s;
}

double flat(double x) { return x > 0 ? 1 : 2; }

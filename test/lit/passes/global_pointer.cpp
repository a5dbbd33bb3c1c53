// A global pointer that is set through its address alone has a shadow in the tangent, as one that is assigned has.
// RUN: %contraflow %s --tangent 'f(x, y -> return)' -o %t_ad.cpp
// RUN: FileCheck %s < %t_ad.cpp
// RUN: %cxx %cflags -Wall -Wextra -Werror -c %t_ad.cpp -o %t.o
// In the adjoint it would have to be restored together with a shadow of the caller's, which the head doesn't name.
// RUN: not %contraflow %s --adjoint 'f(x, y -> return)' -o %t_b.cpp 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'current' becomes active, but has no shadow in the head [CF1401]
double* current = nullptr;

static void choose(double** p, double* a, double* b, bool first) { *p = first ? a : b; }

double f(double x, double y) {
  double a = x, b = y;
  for (int i = 0; i < 3; ++i) {
    choose(&current, &a, &b, i != 1);
    *current *= 0.5 + *current;
  }
  current = nullptr;
  return a * b;
}
// CHECK: choose_d(&current, &current_d, &a, &a_d, &b, &b_d, i != 1);
// CHECK-NEXT: *current_d = (0.5 + *current) * *current_d + *current * *current_d;
// CHECK: current_d = nullptr;

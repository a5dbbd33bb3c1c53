// What functions of another source call is visible there: the parts of an adjoint, the shadows of statics.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s %S/Inputs/several_files_other.cpp --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --out-dir %t
// RUN: %cxx %cflags -Wall -Wextra -Werror -c %t/several_files_ad.cpp -o %t/one.o
// RUN: %cxx %cflags -Wall -Wextra -Werror -c %t/several_files_other_ad.cpp -o %t/other.o
// RUN: %cxx %t/one.o %t/other.o -o %t/run && %t/run
static double last = 0.25;
extern double shared;
double damped(double x);

double f(double x) {
  last *= x;
  const double first = damped(x);
  return first * damped(0.5 * x) + last;
}

int main() { return 0; }

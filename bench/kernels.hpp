// A kernel, what is measured of it, and the data to run it on. All kernels have one signature: sizes and indices, active
// inputs, other inputs, scratch memory; the result is the dependent.
#pragma once

#include <contraflow/runtime.hpp>

#include <cstddef>
#include <string>
#include <vector>

struct Problem {
  std::vector<int> size;
  std::vector<double> x, constant;
  std::size_t work = 1;  // the number of reals in `work`
};

using Records = std::vector<double>;

struct Kernel {
  std::string name;
  Problem (*problem)(bool tiny);
  double (*primal)(const int*, const double*, const double*, double*);
  contraflow::Tangent<double> (*tangent)(const int*, const double*, const double*, const double*, double*, double*);
  double (*adjoint)(const int*, const double*, double*, const double*, double*, double*, double, contraflow::Tape&);
  double (*byHand)(const int*, const double*, double*, const double*, double*, double*, Records&);
  double (*adolc)(const Problem&, double* x_b);  // null where it isn't measured
  double (*sacado)(const Problem&, double* x_b);
};

const std::vector<Kernel>& kernels();

// The list of kernels. The derivatives are declared here as their heads say that they are.
#include "kernels.hpp"

#define KERNEL(name, withAdolc)                                                                                   \
  double name(const int*, const double*, const double*, double*);                                                 \
  contraflow::Tangent<double> name##_d(const int*, const double*, const double*, const double*, double*, double*); \
  double name##_b(const int*, const double*, double*, const double*, double*, double*, double, contraflow::Tape&); \
  double name##_by_hand(const int*, const double*, double*, const double*, double*, double*, Records&);            \
  Problem name##_problem(bool tiny);                                                                               \
  double name##_adolc(const Problem&, double*);
#include "kernels.def"
#undef KERNEL

#ifdef BENCH_WITH_ADOLC
#define ADOLC(name, withAdolc) ((withAdolc) ? &name##_adolc : nullptr)
#else
#define ADOLC(name, withAdolc) nullptr
#endif

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
#define KERNEL(name, withAdolc) \
  {#name, &name##_problem, &name, &name##_d, &name##_b, &name##_by_hand, ADOLC(name, withAdolc)},
#include "kernels.def"
#undef KERNEL
  };
  return all;
}

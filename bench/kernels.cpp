// The list of kernels. The derivatives are declared here as their heads say that they are.
#include "kernels.hpp"

#define KERNEL(name, withPeers)                                                                                   \
  double name(const int*, const double*, const double*, double*);                                                 \
  contraflow::Tangent<double> name##_d(const int*, const double*, const double*, const double*, double*, double*); \
  double name##_b(const int*, const double*, double*, const double*, double*, double*, double, contraflow::Tape&); \
  double name##_by_hand(const int*, const double*, double*, const double*, double*, double*, Records&);            \
  Problem name##_problem(bool tiny);                                                                               \
  double name##_adolc(const Problem&, double*);                                                                    \
  double name##_sacado(const Problem&, double*);
#define SIZE(label, name, withPeers) Problem label##_problem(bool tiny);
#include "kernels.def"
#undef KERNEL

#ifdef BENCH_WITH_ADOLC
#define ADOLC(name, withPeers) ((withPeers) ? &name##_adolc : nullptr)
#else
#define ADOLC(name, withPeers) nullptr
#endif
#ifdef BENCH_WITH_SACADO
#define SACADO(name, withPeers) ((withPeers) ? &name##_sacado : nullptr)
#else
#define SACADO(name, withPeers) nullptr
#endif

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
#define SIZE(label, name, withPeers)                                                                                      \
  {#label, &label##_problem, &name, &name##_d, &name##_b, &name##_by_hand, ADOLC(name, withPeers), SACADO(name, withPeers)},
#define KERNEL(name, withPeers)                                                                                          \
  {#name, &name##_problem, &name, &name##_d, &name##_b, &name##_by_hand, ADOLC(name, withPeers), SACADO(name, withPeers)},
#include "kernels.def"
#undef KERNEL
  };
  return all;
}

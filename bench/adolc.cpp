// Gradients by ADOL-C: the kernel is recorded anew each time, as a program whose branches depend on its data must do.
#include "kernels.hpp"

#include <adolc/adolc.h>

namespace {

using Taped = adouble (*)(const int*, const adouble*, const double*, adouble*);

double gradientOf(Taped kernel, const Problem& problem, double* x_b) {
  constexpr short kTag = 1;
  double value = 0;
  trace_on(kTag);
  {
    std::vector<adouble> x(problem.x.size()), work(problem.work);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] <<= problem.x[i];
    adouble result = kernel(problem.size.data(), x.data(), problem.constant.data(), work.data());
    result >>= value;
  }
  trace_off();
  std::vector<double> gradient_(problem.x.size());
  gradient(kTag, static_cast<int>(problem.x.size()), problem.x.data(), gradient_.data());
  for (std::size_t i = 0; i < gradient_.size(); ++i) x_b[i] += gradient_[i];
  return value;
}

}  // namespace

#define KERNEL(name, withPeers)                                        \
  adouble name(const int*, const adouble*, const double*, adouble*);   \
  double name##_adolc(const Problem& problem, double* x_b) { return gradientOf(&name, problem, x_b); }
#include "kernels.def"
#undef KERNEL

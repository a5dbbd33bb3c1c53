// Gradients by Sacado's reverse mode (Rad): the kernel is recorded anew each time, in memory that Sacado keeps for the next.
#include "kernels.hpp"

#include <Sacado_trad.hpp>

namespace {

using Number = Sacado::Rad::ADvar<double>;
using Taped = Number (*)(const int*, const Number*, const double*, Number*);

double gradientOf(Taped kernel, const Problem& problem, double* x_b) {
  std::vector<Number> x(problem.x.begin(), problem.x.end()), work(problem.work);
  const Number result = kernel(problem.size.data(), x.data(), problem.constant.data(), work.data());
  Number::Outvar_Gradcomp(const_cast<Number&>(result));
  for (std::size_t i = 0; i < x.size(); ++i) x_b[i] += x[i].adj();
  return result.val();
}

}  // namespace

#define KERNEL(name, withPeers)                                        \
  Number name(const int*, const Number*, const double*, Number*);      \
  double name##_sacado(const Problem& problem, double* x_b) { return gradientOf(&name, problem, x_b); }
#include "kernels.def"
#undef KERNEL

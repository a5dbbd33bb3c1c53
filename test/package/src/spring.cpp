#include "spring.hpp"

#include "weight.hpp"

static_assert(__cplusplus >= 202002L, "the target's standard");
static_assert(sizeof(SPRING_UNIT) == 4, "the target's definition, with its quotes");

double energy(const double* stretch, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) {
    double s = stretch[k];
    sum += weight(k) * (0.5 * kStiffness * s * s + SPRING_CUBIC * s * s * s);
  }
  return sum;
}

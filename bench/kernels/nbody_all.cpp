// The energy of nbody.cpp by all ordered pairs, so that the rows are independent.
#include "real.hpp"

namespace {

void rows(int n, const Real* x, const double* constant, Real* energies) {
  const double softening = constant[n];
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    Real energy = 0;
    for (int j = 0; j < n; ++j) {
      Real dx = x[3 * i] - x[3 * j];
      Real dy = x[3 * i + 1] - x[3 * j + 1];
      Real dz = x[3 * i + 2] - x[3 * j + 2];
      Real square = dx * dx + dy * dy + dz * dz + softening;
      energy -= constant[i] * constant[j] / sqrt(square);
    }
    energies[i] = 0.5 * energy;
  }
}

}  // namespace

Real nbody_all(const int* size, const Real* __restrict__ x, const double* __restrict__ constant,
               Real* __restrict__ work) {
  const int n = size[0];
  rows(n, x, constant, work);
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += work[i];
  return sum;
}

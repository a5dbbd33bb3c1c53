// Softened gravitational energy of n bodies: each pair once.
//
//     size      n
//     x         positions[n][3]
//     constant  masses[n], square of the softening length
//     work      n
#include "real.hpp"

Real nbody(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__) {
  const int n = size[0];
  const double softening = constant[n];
  Real energy = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      Real dx = x[3 * i] - x[3 * j];
      Real dy = x[3 * i + 1] - x[3 * j + 1];
      Real dz = x[3 * i + 2] - x[3 * j + 2];
      Real square = dx * dx + dy * dy + dz * dz + softening;
      energy -= constant[i] * constant[j] / sqrt(square);
    }
  }
  return energy;
}

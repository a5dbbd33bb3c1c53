// Prints the gradient of energy, found with the adjoint; fails if the tangent disagrees.
#include <cmath>
#include <cstdio>

#include "spring.hpp"
#include "spring_ad.hpp"

int main() {
  const double stretch[3] = {0.5, -1.0, 2.0};
  double gradient[3] = {};
  energy_b(stretch, gradient, 3, 1.0);
  for (int k = 0; k < 3; ++k) {
    double direction[3] = {};
    direction[k] = 1.0;
    auto [value, derivative] = energy_d(stretch, direction, 3);
    if (value != energy(stretch, 3) || !(std::abs(derivative - gradient[k]) <= 1e-12)) {
      std::printf("tangent %.17g, adjoint %.17g\n", derivative, gradient[k]);
      return 1;
    }
  }
  std::printf("gradient %.6f %.6f %.6f\n", gradient[0], gradient[1], gradient[2]);
  return 0;
}

// The edges once more, from the residuals to the states; what an edge needs is computed again.
#include "by_hand.hpp"

double edge_flux(const int* size, const double* x, const double* constant, double* work);

double edge_flux_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work, double*,
                         Records&) {
  const int edges = size[1];
  const int *left = size + 2, *right = size + 2 + edges;
  const double gravity = 9.81;
  const double value = edge_flux(size, x, constant, work);
#pragma omp parallel for schedule(static)
  for (int e = 0; e < edges; ++e) {
    const double nx = constant[2 * e], ny = constant[2 * e + 1], length = std::sqrt(nx * nx + ny * ny);
    const int l = 3 * left[e], r = 3 * right[e];
    const double hl = x[l], hr = x[r], inversel = 1.0 / hl, inverser = 1.0 / hr;
    const double ul = (x[l + 1] * nx + x[l + 2] * ny) * inversel, ur = (x[r + 1] * nx + x[r + 2] * ny) * inverser;
    const double wavel = length * std::sqrt(gravity * hl), waver = length * std::sqrt(gravity * hr);
    const double speedl = std::fabs(ul) + wavel, speedr = std::fabs(ur) + waver;
    const bool fromRight = speedr > speedl;
    const double speed = fromRight ? speedr : speedl;

    const double f0 = 0.5 * (work[r] - work[l]), f1 = 0.5 * (work[r + 1] - work[l + 1]);
    const double f2 = 0.5 * (work[r + 2] - work[l + 2]);
    const double speed_b = -f0 * (hr - hl) - f1 * (x[r + 1] - x[l + 1]) - f2 * (x[r + 2] - x[l + 2]);
    const double pressure_b = gravity * (f1 * nx + f2 * ny);
    double ul_b = f0 * hl + f1 * x[l + 1] + f2 * x[l + 2], ur_b = f0 * hr + f1 * x[r + 1] + f2 * x[r + 2];
    double hl_b = f0 * (ul + speed) + pressure_b * hl, hr_b = f0 * (ur - speed) + pressure_b * hr;
    if (fromRight) {
      ur_b += std::copysign(speed_b, speed_b * ur);
      hr_b += 0.5 * speed_b * waver * inverser;
    } else {
      ul_b += std::copysign(speed_b, speed_b * ul);
      hl_b += 0.5 * speed_b * wavel * inversel;
    }
    ul_b *= inversel;
    ur_b *= inverser;
    const double adds[6] = {hl_b - ul_b * ul,           f1 * (ul + speed) + ul_b * nx, f2 * (ul + speed) + ul_b * ny,
                            hr_b - ur_b * ur,           f1 * (ur - speed) + ur_b * nx, f2 * (ur - speed) + ur_b * ny};
    for (int i = 0; i < 3; ++i) {
#pragma omp atomic
      x_b[l + i] += adds[i];
#pragma omp atomic
      x_b[r + i] += adds[3 + i];
    }
  }
  return value;
}

// Finite volumes on an unstructured mesh: Rusanov's flux of the shallow-water equations over each edge, added to the
// residuals of the two cells beside it; half the squared norm of the residuals.
//
//     size      cells, edges, left[edges], right[edges]
//     x         state[cells][3]: depth, momentum in x and y
//     constant  normals[edges][2], as long as their edges
//     work      3 cells
#include "real.hpp"

Real edge_flux(const int* size, const Real* __restrict__ x, const double* __restrict__ constant,
               Real* __restrict__ work) {
  const int cells = size[0], edges = size[1];
  const int* left = size + 2;
  const int* right = size + 2 + edges;
  const double gravity = 9.81;
  for (int i = 0; i < 3 * cells; ++i) work[i] = 0;
#pragma omp parallel for schedule(static)
  for (int e = 0; e < edges; ++e) {
    const double nx = constant[2 * e], ny = constant[2 * e + 1];
    const double length = sqrt(nx * nx + ny * ny);
    const int l = 3 * left[e], r = 3 * right[e];
    const Real hl = x[l], hr = x[r];
    const Real ul = (x[l + 1] * nx + x[l + 2] * ny) / hl;
    const Real ur = (x[r + 1] * nx + x[r + 2] * ny) / hr;
    const Real speedl = fabs(ul) + length * sqrt(gravity * hl);
    const Real speedr = fabs(ur) + length * sqrt(gravity * hr);
    Real speed = speedl;
    if (speedr > speedl) speed = speedr;
    const Real pressure = 0.5 * gravity * (hl * hl + hr * hr);
    const Real f0 = 0.5 * (hl * ul + hr * ur - speed * (hr - hl));
    const Real f1 = 0.5 * (x[l + 1] * ul + x[r + 1] * ur + pressure * nx - speed * (x[r + 1] - x[l + 1]));
    const Real f2 = 0.5 * (x[l + 2] * ul + x[r + 2] * ur + pressure * ny - speed * (x[r + 2] - x[l + 2]));
#pragma omp atomic
    work[l] -= f0;
#pragma omp atomic
    work[l + 1] -= f1;
#pragma omp atomic
    work[l + 2] -= f2;
#pragma omp atomic
    work[r] += f0;
#pragma omp atomic
    work[r + 1] += f1;
#pragma omp atomic
    work[r + 2] += f2;
  }
  Real sum = 0;
  for (int i = 0; i < 3 * cells; ++i) sum += work[i] * work[i];
  return 0.5 * sum;
}

// Adjoint by gathering: each cell collects from the faces around it, so that no two threads add to the same element.
// What one rank needs of another are the adjoint temperatures in the ghost cells, by the same exchange as in the
// primal. The only record is the temperature of each step.
#include "heat.cpp"

#include "heat_ad.hpp"

namespace {

// u_b from next_b, whose ghost cells are filled, and k_b increased.
void diffuseAdjoint(const Grid& g, const double* k, double* k_b, const double* u, double* u_b, const double* next_b) {
  const int row = g.rowLength();
  const double alpha = g.alpha;
  const double scale = 0.5 * g.dt / (g.dx * g.dx);
#pragma omp parallel for schedule(static)
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      const int w = c - 1, e = c + 1, s = c - row, n = c + row;
      const double here = k[c] * (1.0 + alpha * u[c]);
      const double west = next_b[c] - next_b[w], east = next_b[c] - next_b[e];
      const double south = next_b[c] - next_b[s], north = next_b[c] - next_b[n];
      const double slope = west * (u[w] - u[c]) + east * (u[e] - u[c]) + south * (u[s] - u[c]) + north * (u[n] - u[c]);
      const double flow = west * (here + k[w] * (1.0 + alpha * u[w])) + east * (here + k[e] * (1.0 + alpha * u[e])) +
                          south * (here + k[s] * (1.0 + alpha * u[s])) + north * (here + k[n] * (1.0 + alpha * u[n]));
      u_b[c] = next_b[c] + scale * (alpha * k[c] * slope - flow);
      k_b[c] += scale * (1.0 + alpha * u[c]) * slope;
    }
  }
}

void residualAdjoint(const Grid& g, const double* u, double* u_b, const double* observed, double seed) {
  const int row = g.rowLength();
  const int stride = g.sensorStride;
  const int firstX = (stride - g.x0 % stride) % stride;
  const int firstY = (stride - g.y0 % stride) % stride;
#pragma omp parallel for schedule(static)
  for (int j = firstY; j < g.ny; j += stride) {
    for (int i = firstX; i < g.nx; i += stride) {
      const int c = (j + 1) * row + i + 1;
      u_b[c] += seed * (u[c] - observed[j * g.nx + i]);
    }
  }
}

void roughnessAdjoint(const Grid& g, const double* k, double* k_b, double seed) {
  const int row = g.rowLength();
#pragma omp parallel for schedule(static)
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      const double sum = std::log(k[c] / k[c - 1]) + std::log(k[c] / k[c + 1]) + std::log(k[c] / k[c - row]) +
                         std::log(k[c] / k[c + row]);
      k_b[c] += seed * sum / k[c];
    }
  }
}

void diffuseTangent(const Grid& g, const double* k, const double* k_d, const double* u, const double* u_d,
                    double* next_d) {
  const int row = g.rowLength();
  const double alpha = g.alpha;
  const double scale = 0.5 * g.dt / (g.dx * g.dx);
#pragma omp parallel for schedule(static)
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      const int around[4] = {c - 1, c + 1, c - row, c + row};
      const double here = k[c] * (1.0 + alpha * u[c]);
      const double here_d = k_d[c] * (1.0 + alpha * u[c]) + k[c] * alpha * u_d[c];
      double sum = 0.0;
      for (int n : around) {
        const double there = k[n] * (1.0 + alpha * u[n]);
        const double there_d = k_d[n] * (1.0 + alpha * u[n]) + k[n] * alpha * u_d[n];
        sum += (here_d + there_d) * (u[n] - u[c]) + (here + there) * (u_d[n] - u_d[c]);
      }
      next_d[c] = u_d[c] + scale * sum;
    }
  }
}

double residualTangent(const Grid& g, const double* u, const double* u_d, const double* observed) {
  std::vector<double> weighted(g.paddedCells());
  residualAdjoint(g, u, weighted.data(), observed, 1.0);
  double sum = 0.0;
  for (int c = 0; c < g.paddedCells(); ++c) sum += weighted[c] * u_d[c];
  return sum;
}

double roughnessTangent(const Grid& g, const double* k, const double* k_d) {
  const int row = g.rowLength();
  double sum = 0.0;
  for (int j = 1; j <= g.ny; ++j) {
    for (int i = 1; i <= g.nx; ++i) {
      const int c = j * row + i;
      sum += std::log(k[c] / k[c - 1]) * (k_d[c] / k[c] - k_d[c - 1] / k[c - 1]) +
             std::log(k[c] / k[c - row]) * (k_d[c] / k[c] - k_d[c - row] / k[c - row]);
    }
  }
  return sum;
}

}  // namespace

contraflow::Tangent<double> misfit_d(const Grid& g, const double* conductivity, const double* conductivity_d,
                                     const double* observed) {
  const int padded = g.paddedCells();
  std::vector<double> k(padded), k_d(padded), u(padded), u_d(padded), next(padded), next_d(padded), columns(4 * g.ny);
  spreadConductivity(g, conductivity, k.data(), columns.data());
  spreadConductivity(g, conductivity_d, k_d.data(), columns.data());
  double mine[2] = {g.smoothness * roughness(g, k.data()), g.smoothness * roughnessTangent(g, k.data(), k_d.data())};
  setInitialTemperature(g, u.data());
  for (int step = 1; step <= g.steps; ++step) {
    fillGhostCells(g, u.data(), columns.data());
    fillGhostCells(g, u_d.data(), columns.data());
    diffuseTangent(g, k.data(), k_d.data(), u.data(), u_d.data(), next_d.data());
    diffuse(g, k.data(), u.data(), next.data());
    u.swap(next);
    u_d.swap(next_d);
    if (step % g.observeEvery == 0) {
      const double* reading = observed + (step / g.observeEvery - 1) * g.cells();
      mine[0] += residual(g, u.data(), reading);
      mine[1] += residualTangent(g, u.data(), u_d.data(), reading);
    }
  }
  double all[2];
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, g.comm);
  return {all[0], all[1]};
}

double misfit_b(const Grid& g, const double* conductivity, double* conductivity_b, const double* observed,
                double misfit_b_seed, contraflow::Tape& tape) {
  const std::size_t padded = static_cast<std::size_t>(g.paddedCells());
  double* const temperature = tape.block<double>(padded * (static_cast<std::size_t>(g.steps) + 1));
  std::vector<double> k(padded), columns(4 * g.ny);
  spreadConductivity(g, conductivity, k.data(), columns.data());
  double mine = g.smoothness * roughness(g, k.data());
  setInitialTemperature(g, temperature);
  for (int step = 1; step <= g.steps; ++step) {
    double* u = temperature + static_cast<std::size_t>(step - 1) * padded;
    fillGhostCells(g, u, columns.data());
    diffuse(g, k.data(), u, u + padded);
    if (step % g.observeEvery == 0) mine += residual(g, u + padded, observed + (step / g.observeEvery - 1) * g.cells());
  }
  double all = 0.0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, g.comm);

  double seed = 0.0;  // the objective is the sum of all ranks' results
  MPI_Allreduce(&misfit_b_seed, &seed, 1, MPI_DOUBLE, MPI_SUM, g.comm);
  std::vector<double> k_b(padded), u_b(padded), next_b(padded);
  for (int step = g.steps; step >= 1; --step) {
    const double* u = temperature + static_cast<std::size_t>(step - 1) * padded;
    if (step % g.observeEvery == 0)
      residualAdjoint(g, u + padded, next_b.data(), observed + (step / g.observeEvery - 1) * g.cells(), seed);
    fillGhostCells(g, next_b.data(), columns.data());
    diffuseAdjoint(g, k.data(), k_b.data(), u, u_b.data(), next_b.data());
    u_b.swap(next_b);
  }
  roughnessAdjoint(g, k.data(), k_b.data(), seed * g.smoothness);
  for (int j = 0; j < g.ny; ++j) {
    for (int i = 0; i < g.nx; ++i) conductivity_b[j * g.nx + i] += k_b[(j + 1) * g.rowLength() + i + 1];
  }
  tape.releaseBlock();
  return all;
}

double misfit_b(const Grid& g, const double* conductivity, double* conductivity_b, const double* observed,
                double misfit_b_seed) {
  contraflow::Tape tape;
  return misfit_b(g, conductivity, conductivity_b, observed, misfit_b_seed, tape);
}

// The data that the kernels run on: always the same numbers. `tiny` is for the test of the gradients.
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

class Random {
public:
  double uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }
  double normal() { return (uniform() + uniform() + uniform() + uniform() - 2.0) * 1.7; }
  int below(int n) { return std::min(n - 1, static_cast<int>(uniform() * n)); }

private:
  std::uint64_t state_ = 88172645463325252u;
};

// A + 0.05 I for the five-point Laplacian of an m x m grid, with diagonals that differ.
void appendGridMatrix(int m, Random& random, Problem& problem) {
  std::vector<int> start{0}, column;
  const auto add = [&](int i, int j, double value) {
    if (i < 0 || i >= m || j < 0 || j >= m) return;
    column.push_back(i * m + j);
    problem.x.push_back(value);
  };
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      add(i - 1, j, -1.0);
      add(i, j - 1, -1.0);
      add(i, j, 4.05 + 0.1 * random.uniform());
      add(i, j + 1, -1.0);
      add(i + 1, j, -1.0);
      start.push_back(static_cast<int>(column.size()));
    }
  problem.size.insert(problem.size.end(), start.begin(), start.end());
  problem.size.insert(problem.size.end(), column.begin(), column.end());
}

}  // namespace

static Problem mixture(int d, int k, int n) {
  Random random;
  const int icfSize = d * (d + 1) / 2;
  Problem p;
  p.size = {d, k, n, 1};
  for (int i = 0; i < k; ++i) p.x.push_back(random.normal());
  for (int i = 0; i < k * d; ++i) p.x.push_back(random.uniform());
  for (int i = 0; i < k * icfSize; ++i) p.x.push_back(0.3 * random.normal());
  for (int i = 0; i < n * d; ++i) p.constant.push_back(random.uniform());
  p.constant.push_back(1.0);
  p.work = k * d + 2 * k + 2 * d;
  return p;
}
Problem gmm_problem(bool tiny) { return tiny ? mixture(3, 4, 5) : mixture(20, 20, 1000); }
Problem gmm_d10_problem(bool tiny) { return tiny ? mixture(2, 3, 4) : mixture(10, 25, 1000); }
Problem gmm_d32_problem(bool tiny) { return tiny ? mixture(4, 3, 4) : mixture(32, 25, 1000); }

Problem heat2d_problem(bool tiny) {
  Random random;
  const int m = tiny ? 7 : 512;
  Problem p;
  p.size = {m, m, tiny ? 4 : 100};
  p.constant = {0.2};
  for (int i = 0; i < m * m; ++i) p.x.push_back(random.uniform());
  p.work = 2 * m * m;
  return p;
}

Problem burgers_problem(bool tiny) {
  Random random;
  const int n = tiny ? 20 : 1000000;
  Problem p;
  p.size = {n, tiny ? 4 : 50};
  p.constant = {0.2, 0.1};
  for (int i = 0; i < n; ++i) p.x.push_back(1.0 + 0.5 * std::sin(i * 1e-3) + 0.1 * random.uniform());
  p.work = 2 * n;
  return p;
}

Problem nbody_problem(bool tiny) {
  Random random;
  const int n = tiny ? 6 : 1500;
  Problem p;
  p.size = {n};
  for (int i = 0; i < 3 * n; ++i) p.x.push_back(random.normal());
  for (int i = 0; i < n; ++i) p.constant.push_back(0.5 + random.uniform());
  p.constant.push_back(1e-2);
  p.work = n;
  return p;
}

Problem nbody_all_problem(bool tiny) { return nbody_problem(tiny); }

Problem cg_problem(bool tiny) {
  Random random;
  const int m = tiny ? 5 : 256;
  Problem p;
  p.size = {m * m, 0, tiny ? 4 : 30};
  appendGridMatrix(m, random, p);
  p.size[1] = static_cast<int>(p.x.size());
  for (int i = 0; i < m * m; ++i) p.x.push_back(random.uniform());
  for (int i = 0; i < m * m; ++i) p.constant.push_back(random.uniform());
  p.work = 4 * m * m;
  return p;
}

Problem lstm_problem(bool tiny) {
  Random random;
  const int inputs = tiny ? 3 : 32, hidden = tiny ? 4 : 64, steps = tiny ? 5 : 300;
  Problem p;
  p.size = {inputs, hidden, steps};
  for (int i = 0; i < 4 * hidden * (inputs + hidden + 1); ++i) p.x.push_back(0.1 * random.normal());
  for (int i = 0; i < steps * inputs; ++i) p.constant.push_back(random.normal());
  for (int i = 0; i < steps * hidden; ++i) p.constant.push_back(0.5 * random.normal());
  p.work = 6 * hidden;
  return p;
}

Problem trans_problem(bool tiny) {
  Random random;
  const int n = tiny ? 9 : 1000000;
  Problem p;
  p.size = {n};
  for (int i = 0; i < n; ++i) p.x.push_back(2.0 * random.uniform() - 1.0);
  for (int i = 0; i < n; ++i) p.constant.push_back(random.uniform());
  return p;
}

Problem bundle_problem(bool tiny) {
  Random random;
  const int cameras = tiny ? 3 : 50, points = tiny ? 5 : 10000, observations = tiny ? 20 : 100000;
  Problem p;
  p.size = {cameras, points, observations};
  for (int o = 0; o < observations; ++o) p.size.push_back(random.below(cameras));
  for (int o = 0; o < observations; ++o) p.size.push_back(random.below(points));
  for (int c = 0; c < cameras; ++c) {
    for (int i = 0; i < 3; ++i) p.x.push_back(c == 0 ? 0.0 : 0.2 * random.normal());
    for (int i = 0; i < 3; ++i) p.x.push_back(0.2 * random.normal() - (i == 2 ? 5.0 : 0.0));
    for (const double intrinsic : {1.2, 0.01, -0.02, 0.05, 0.01}) p.x.push_back(intrinsic);
  }
  for (int i = 0; i < 3 * points; ++i) p.x.push_back(random.uniform() - 0.5);
  for (int o = 0; o < observations; ++o) p.x.push_back(0.5 + random.uniform());
  for (int i = 0; i < 2 * observations; ++i) p.constant.push_back(0.2 * random.normal());
  return p;
}

Problem spmv_problem(bool tiny) {
  Random random;
  const int m = tiny ? 5 : 512;
  Problem p;
  p.size = {m * m, 0};
  appendGridMatrix(m, random, p);
  p.size[1] = static_cast<int>(p.x.size());
  for (int i = 0; i < m * m; ++i) p.x.push_back(random.uniform());
  p.work = m * m;
  return p;
}

// The edges of a grid of cells with diagonals, in a shuffled order.
Problem edge_flux_problem(bool tiny) {
  Random random;
  const int m = tiny ? 4 : 300;
  struct Edge {
    int left, right;
  };
  std::vector<Edge> edges;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      if (i + 1 < m) edges.push_back({i * m + j, (i + 1) * m + j});
      if (j + 1 < m) edges.push_back({i * m + j, i * m + j + 1});
      if (i + 1 < m && j + 1 < m) edges.push_back({i * m + j, (i + 1) * m + j + 1});
    }
  // Neighbours stay near each other, as in a mesh that was renumbered.
  for (std::size_t e = 0; e + 1 < edges.size(); ++e)
    std::swap(edges[e], edges[std::min(edges.size() - 1, e + random.below(64))]);
  Problem p;
  p.size = {m * m, static_cast<int>(edges.size())};
  for (const Edge& edge : edges) p.size.push_back(edge.left);
  for (const Edge& edge : edges) p.size.push_back(edge.right);
  for (int i = 0; i < m * m; ++i) {
    p.x.push_back(1.0 + 0.2 * random.uniform());
    p.x.push_back(0.5 * random.normal());
    p.x.push_back(0.5 * random.normal());
  }
  for (std::size_t i = 0; i < 2 * edges.size(); ++i) p.constant.push_back(random.normal());
  p.work = 3 * m * m;
  return p;
}

Problem runge_kutta_problem(bool tiny) {
  Random random;
  const int n = tiny ? 7 : 40;
  Problem p;
  p.size = {n, tiny ? 5 : 5000};
  p.constant = {tiny ? 0.01 : 0.0005};
  for (int i = 0; i < n; ++i) p.x.push_back(8.0 + random.normal());
  p.x.push_back(8.0);
  p.work = 6 * n;
  return p;
}

static Problem logistic(int steps) {
  Problem p;
  p.size = {steps};
  p.constant = {1.0 / steps};
  p.x = {0.2, 1.5, 0.1};
  return p;
}
Problem recurrence_problem(bool tiny) { return logistic(tiny ? 10 : 1000000); }
Problem recurrence_1e4_problem(bool tiny) { return logistic(tiny ? 11 : 10000); }
Problem recurrence_1e5_problem(bool tiny) { return logistic(tiny ? 12 : 100000); }
Problem recurrence_1e7_problem(bool tiny) { return logistic(tiny ? 13 : 10000000); }

Problem cholesky_problem(bool tiny) {
  Random random;
  const int n = tiny ? 4 : 12, matrices = tiny ? 3 : 5000;
  Problem p;
  p.size = {n, matrices};
  for (int m = 0; m < matrices; ++m)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) p.x.push_back(i == j ? 3.0 + random.uniform() : (j < i ? 0.3 * random.normal() : 0.0));
  for (int i = 0; i < n; ++i) p.constant.push_back(random.normal());
  return p;
}

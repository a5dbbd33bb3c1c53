// Outputs, states and the four gates of each step are recorded; exp and tanh are evaluated once.
#include "by_hand.hpp"

#include <algorithm>

double lstm_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work,
                    double* work_b, Records& records) {
  const int inputs = size[0], hidden = size[1], steps = size[2];
  const int row = inputs + hidden + 1;
  const std::size_t all = static_cast<std::size_t>(hidden) * (steps + 1);
  double* hs = room(records, 7 * all);
  double *states = hs + all, *ins = states + all, *forgets = ins + all, *outs = forgets + all;
  double *candidates = outs + all, *tanhs = candidates + all, *z = work;
  std::fill(hs, hs + hidden, 0.0);
  std::fill(states, states + hidden, 0.0);
  const double* targets = constant + steps * inputs;
  double loss = 0;
  for (int t = 0; t < steps; ++t) {
    const double *h = hs + t * hidden, *sequence = constant + t * inputs;
    for (int g = 0; g < 4 * hidden; ++g) {
      double sum = x[g * row + inputs + hidden];
      for (int j = 0; j < inputs; ++j) sum += x[g * row + j] * sequence[j];
      for (int j = 0; j < hidden; ++j) sum += x[g * row + inputs + j] * h[j];
      z[g] = sum;
    }
    for (int i = 0; i < hidden; ++i) {
      const int k = t * hidden + i;
      ins[k] = 1.0 / (1.0 + std::exp(-z[i]));
      forgets[k] = 1.0 / (1.0 + std::exp(-z[hidden + i]));
      outs[k] = 1.0 / (1.0 + std::exp(-z[2 * hidden + i]));
      candidates[k] = std::tanh(z[3 * hidden + i]);
      states[k + hidden] = forgets[k] * states[k] + ins[k] * candidates[k];
      tanhs[k] = std::tanh(states[k + hidden]);
      hs[k + hidden] = outs[k] * tanhs[k];
      const double error = hs[k + hidden] - targets[k];
      loss += 0.5 * error * error;
    }
  }
  double *h_b = work_b, *state_b = work_b + hidden, *z_b = work_b + 2 * hidden;
  std::fill(work_b, work_b + 2 * hidden, 0.0);
  for (int t = steps; t-- > 0;) {
    const double *h = hs + t * hidden, *sequence = constant + t * inputs;
    for (int i = 0; i < hidden; ++i) {
      const int k = t * hidden + i;
      const double b = h_b[i] + hs[k + hidden] - targets[k];
      const double s = state_b[i] + b * outs[k] * (1.0 - tanhs[k] * tanhs[k]);
      h_b[i] = 0;
      state_b[i] = s * forgets[k];
      z_b[i] = s * candidates[k] * ins[k] * (1.0 - ins[k]);
      z_b[hidden + i] = s * states[k] * forgets[k] * (1.0 - forgets[k]);
      z_b[2 * hidden + i] = b * tanhs[k] * outs[k] * (1.0 - outs[k]);
      z_b[3 * hidden + i] = s * ins[k] * (1.0 - candidates[k] * candidates[k]);
    }
    for (int g = 0; g < 4 * hidden; ++g) {
      const double b = z_b[g], *weights = x + g * row;
      double* weights_b = x_b + g * row;
      weights_b[inputs + hidden] += b;
      for (int j = 0; j < inputs; ++j) weights_b[j] += b * sequence[j];
      for (int j = 0; j < hidden; ++j) {
        weights_b[inputs + j] += b * h[j];
        h_b[j] += b * weights[inputs + j];
      }
    }
  }
  return loss;
}

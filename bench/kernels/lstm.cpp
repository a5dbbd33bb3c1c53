// A long short-term memory cell over a sequence; half the squared distance of its outputs to the targets.
//
//     size      inputs, hidden, steps
//     x         weights[4 hidden][inputs + hidden + 1]
//     constant  sequence[steps][inputs], targets[steps][hidden]
//     work      6 hidden
#include "real.hpp"

Real lstm(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__ work) {
  const int inputs = size[0], hidden = size[1], steps = size[2];
  const int row = inputs + hidden + 1;
  Real* __restrict__ h = work;
  Real* __restrict__ state = work + hidden;
  Real* __restrict__ z = work + 2 * hidden;
  for (int i = 0; i < hidden; ++i) {
    h[i] = 0;
    state[i] = 0;
  }
  Real loss = 0;
  for (int t = 0; t < steps; ++t) {
    for (int g = 0; g < 4 * hidden; ++g) {
      Real sum = x[g * row + inputs + hidden];
      for (int j = 0; j < inputs; ++j) sum += x[g * row + j] * constant[t * inputs + j];
      for (int j = 0; j < hidden; ++j) sum += x[g * row + inputs + j] * h[j];
      z[g] = sum;
    }
    for (int i = 0; i < hidden; ++i) {
      Real input = 1.0 / (1.0 + exp(-z[i]));
      Real forget = 1.0 / (1.0 + exp(-z[hidden + i]));
      Real output = 1.0 / (1.0 + exp(-z[2 * hidden + i]));
      Real candidate = tanh(z[3 * hidden + i]);
      state[i] = forget * state[i] + input * candidate;
      h[i] = output * tanh(state[i]);
      Real error = h[i] - constant[steps * inputs + t * hidden + i];
      loss += 0.5 * error * error;
    }
  }
  return loss;
}

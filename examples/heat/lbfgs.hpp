// L-BFGS for vectors that are spread over MPI ranks (Nocedal and Wright, Numerical Optimization, algorithms 7.4
// and 7.5), with a backtracking line search.
#pragma once

#include <cmath>
#include <deque>
#include <vector>

struct LbfgsOptions {
  int iterations = 40;
  int memory = 12;
};

// Minimises value(x) from x on. evaluate(x, gradient) returns the value and fills the gradient; dot(a, b) sums over all
// ranks; progress(iteration, value, |gradient|) is called for the start and after each iteration. Values that aren't
// finite are taken as too large a step. Ends after options.iterations, or when no step lowers the value any more.
template <class Evaluate, class Dot, class Progress>
void minimise(std::vector<double>& x, const LbfgsOptions& options, Evaluate evaluate, Dot dot, Progress progress) {
  struct Pair {
    std::vector<double> step, change;
    double product;  // dot(step, change)
  };
  const std::size_t n = x.size();
  std::deque<Pair> history;
  std::vector<double> gradient(n), direction(n), trial(n), trialGradient(n);
  double value = evaluate(x, gradient);
  progress(0, value, std::sqrt(dot(gradient, gradient)));

  for (int iteration = 1; iteration <= options.iterations; ++iteration) {
    direction = gradient;
    std::vector<double> weight(history.size());
    for (std::size_t h = history.size(); h-- > 0;) {
      weight[h] = dot(history[h].step, direction) / history[h].product;
      for (std::size_t k = 0; k < n; ++k) direction[k] -= weight[h] * history[h].change[k];
    }
    double scale =
        0.1 / std::sqrt(dot(gradient, gradient) / dot(std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)));
    if (!history.empty()) scale = history.back().product / dot(history.back().change, history.back().change);
    for (std::size_t k = 0; k < n; ++k) direction[k] *= scale;
    for (std::size_t h = 0; h < history.size(); ++h) {
      const double back = weight[h] - dot(history[h].change, direction) / history[h].product;
      for (std::size_t k = 0; k < n; ++k) direction[k] += back * history[h].step[k];
    }

    const double slope = -dot(gradient, direction);
    double length = 1.0, trialValue = 0.0;
    for (int attempt = 0;; ++attempt) {
      for (std::size_t k = 0; k < n; ++k) trial[k] = x[k] - length * direction[k];
      trialValue = evaluate(trial, trialGradient);
      if (trialValue <= value + 1.0e-4 * length * slope)  // false for NaN
        break;
      if (attempt == 12) return;
      length *= 0.4;
    }

    Pair pair{std::vector<double>(n), std::vector<double>(n), 0.0};
    for (std::size_t k = 0; k < n; ++k) {
      pair.step[k] = trial[k] - x[k];
      pair.change[k] = trialGradient[k] - gradient[k];
    }
    pair.product = dot(pair.step, pair.change);
    if (pair.product > 1.0e-10 * dot(pair.change, pair.change)) {
      history.push_back(std::move(pair));
      if (history.size() > static_cast<std::size_t>(options.memory)) history.pop_front();
    }
    x.swap(trial);
    gradient.swap(trialGradient);
    value = trialValue;
    progress(iteration, value, std::sqrt(dot(gradient, gradient)));
  }
}

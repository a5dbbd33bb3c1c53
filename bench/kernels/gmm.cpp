// Log-likelihood of a Gaussian mixture with a Wishart prior on its covariances, as in ADBench.
//
//     size      d, k, n, wishart_m: dimensions, components, points, prior
//     x         alphas[k], means[k][d], icf[k][d (d + 1) / 2]: logarithms of diagonals, then the lower triangles by columns
//     constant  points[n][d], gamma
//     work      k d + 2 k + 2 d
#include "real.hpp"

namespace {

Real logSumExp(int n, const Real* v) {
  Real largest = v[0];
  for (int i = 1; i < n; ++i)
    if (v[i] > largest) largest = v[i];
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += exp(v[i] - largest);
  return largest + log(sum);
}

}  // namespace

Real gmm(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__ work) {
  const int d = size[0], k = size[1], n = size[2], wishart = size[3];
  const int icfSize = d * (d + 1) / 2;
  const double gamma = constant[n * d];
  const Real* alphas = x;
  const Real* means = x + k;
  const Real* icf = x + k + k * d;
  Real* __restrict__ diagonal = work;
  Real* __restrict__ sums = work + k * d;
  Real* __restrict__ centred = work + k * d + k;
  Real* __restrict__ scaled = work + k * d + k + d;
  Real* __restrict__ terms = work + k * d + k + 2 * d;

  for (int c = 0; c < k; ++c) {
    Real sum = 0;
    for (int i = 0; i < d; ++i) {
      Real q = icf[c * icfSize + i];
      sum += q;
      diagonal[c * d + i] = exp(q);
    }
    sums[c] = sum;
  }

  Real likelihood = 0;
  for (int p = 0; p < n; ++p) {
    for (int c = 0; c < k; ++c) {
      for (int i = 0; i < d; ++i) centred[i] = constant[p * d + i] - means[c * d + i];
      for (int i = 0; i < d; ++i) scaled[i] = diagonal[c * d + i] * centred[i];
      int l = c * icfSize + d;
      for (int i = 0; i < d; ++i)
        for (int j = i + 1; j < d; ++j) {
          scaled[j] += icf[l] * centred[i];
          ++l;
        }
      Real square = 0;
      for (int i = 0; i < d; ++i) square += scaled[i] * scaled[i];
      terms[c] = alphas[c] + sums[c] - 0.5 * square;
    }
    likelihood += logSumExp(k, terms);
  }

  Real prior = 0;
  for (int c = 0; c < k; ++c) {
    Real frobenius = 0;
    for (int i = 0; i < d; ++i) frobenius += diagonal[c * d + i] * diagonal[c * d + i];
    for (int i = d; i < icfSize; ++i) frobenius += icf[c * icfSize + i] * icf[c * icfSize + i];
    prior += 0.5 * gamma * gamma * frobenius - wishart * sums[c];
  }
  return likelihood - n * logSumExp(k, alphas) + prior;
}

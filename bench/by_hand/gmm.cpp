// The points one after the other, forwards and at once backwards: nothing is recorded. What is kept of a point is one
// centred and one scaled vector for each component.
#include "by_hand.hpp"

namespace {

double softmax(int n, const double* v, double* p) {
  double largest = v[0];
  for (int i = 1; i < n; ++i)
    if (v[i] > largest) largest = v[i];
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    p[i] = std::exp(v[i] - largest);
    sum += p[i];
  }
  const double inverse = 1.0 / sum;
  for (int i = 0; i < n; ++i) p[i] *= inverse;
  return largest + std::log(sum);
}

}  // namespace

double gmm_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                   Records& records) {
  const int d = size[0], k = size[1], n = size[2], wishart = size[3];
  const int icfSize = d * (d + 1) / 2, lower = icfSize - d;
  const double *alphas = x, *means = x + k, *icf = x + k + k * d;
  double *alphas_b = x_b, *means_b = x_b + k, *icf_b = x_b + k + k * d;
  double* diagonal = room(records, 4 * k * d + 4 * k + d);
  double *diagonal_b = diagonal + k * d, *centred = diagonal_b + k * d, *scaled = centred + k * d;
  double *sums = scaled + k * d, *sums_b = sums + k, *terms = sums_b + k, *p = terms + k, *centred_b = p + k;
  for (int c = 0; c < k; ++c) {
    sums[c] = sums_b[c] = 0;
    for (int i = 0; i < d; ++i) {
      sums[c] += icf[c * icfSize + i];
      diagonal[c * d + i] = std::exp(icf[c * icfSize + i]);
      diagonal_b[c * d + i] = 0;
    }
  }
  double likelihood = 0;
  for (int point = 0; point < n; ++point) {
    for (int c = 0; c < k; ++c) {
      double *v = centred + c * d, *s = scaled + c * d;
      for (int i = 0; i < d; ++i) v[i] = constant[point * d + i] - means[c * d + i];
      for (int i = 0; i < d; ++i) s[i] = diagonal[c * d + i] * v[i];
      const double* l = icf + c * icfSize + d;
      for (int i = 0; i < d; ++i) {
        for (int j = i + 1; j < d; ++j) s[j] += l[j - i - 1] * v[i];
        l += d - 1 - i;
      }
      double square = 0;
      for (int i = 0; i < d; ++i) square += s[i] * s[i];
      terms[c] = alphas[c] + sums[c] - 0.5 * square;
    }
    likelihood += softmax(k, terms, p);
    for (int c = 0; c < k; ++c) {
      double *v = centred + c * d, *s_b = scaled + c * d;
      alphas_b[c] += p[c];
      sums_b[c] += p[c];
      for (int i = 0; i < d; ++i) s_b[i] *= -p[c];
      for (int i = 0; i < d; ++i) {
        diagonal_b[c * d + i] += s_b[i] * v[i];
        centred_b[i] = s_b[i] * diagonal[c * d + i];
      }
      const double* l = icf + c * icfSize + d;
      double* l_b = icf_b + c * icfSize + d;
      for (int i = 0; i < d; ++i) {
        const int m = d - 1 - i;
        const double* below = s_b + i + 1;
        double sum = 0;
        for (int j = 0; j < m; ++j) {
          l_b[j] += below[j] * v[i];
          sum += below[j] * l[j];
        }
        centred_b[i] += sum;
        l += m;
        l_b += m;
      }
      for (int i = 0; i < d; ++i) means_b[c * d + i] -= centred_b[i];
    }
  }
  const double all = softmax(k, alphas, p);
  for (int c = 0; c < k; ++c) alphas_b[c] -= n * p[c];
  const double square = constant[n * d] * constant[n * d];
  double prior = 0;
  for (int c = 0; c < k; ++c) {
    double frobenius = 0;
    const double *q = diagonal + c * d, *l = icf + c * icfSize + d;
    double *q_b = diagonal_b + c * d, *l_b = icf_b + c * icfSize + d;
    for (int i = 0; i < d; ++i) {
      frobenius += q[i] * q[i];
      q_b[i] += square * q[i];
    }
    for (int i = 0; i < lower; ++i) {
      frobenius += l[i] * l[i];
      l_b[i] += square * l[i];
    }
    prior += 0.5 * square * frobenius - wishart * sums[c];
    sums_b[c] -= wishart;
    for (int i = 0; i < d; ++i) icf_b[c * icfSize + i] += sums_b[c] + q_b[i] * q[i];
  }
  return likelihood - n * all + prior;
}

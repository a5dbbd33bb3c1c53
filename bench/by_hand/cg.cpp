// r, p and q of each iteration are computed right into the records; the reverse loops over vectors are fused.
#include "by_hand.hpp"

#include <algorithm>

double cg_by_hand(const int* size, const double* x, double* x_b, const double* constant, double* work, double* work_b,
                  Records& records) {
  const int n = size[0], nonzeros = size[1], iterations = size[2];
  const int *start = size + 3, *column = size + 3 + n + 1;
  const double *value = x, *b = x + nonzeros;
  const std::size_t all = static_cast<std::size_t>(n) * (iterations + 1);
  double* rs = room(records, 3 * all + 4 * iterations + 1);
  double *ps = rs + all, *qs = ps + all, *alphas = qs + all, *betas = alphas + iterations, *pqs = betas + iterations;
  double *rrs = pqs + iterations, *u = work;
  std::fill(u, u + n, 0.0);
  std::copy(b, b + n, rs);
  std::copy(b, b + n, ps);
  rrs[0] = 0;
  for (int i = 0; i < n; ++i) rrs[0] += b[i] * b[i];
  for (int k = 0; k < iterations; ++k) {
    const double *r = rs + static_cast<std::size_t>(k) * n, *p = ps + static_cast<std::size_t>(k) * n;
    double *q = qs + static_cast<std::size_t>(k) * n, *rNext = rs + static_cast<std::size_t>(k + 1) * n;
    double* pNext = ps + static_cast<std::size_t>(k + 1) * n;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = start[i]; j < start[i + 1]; ++j) sum += value[j] * p[column[j]];
      q[i] = sum;
    }
    double pq = 0, rr = 0;
    for (int i = 0; i < n; ++i) pq += p[i] * q[i];
    const double alpha = rrs[k] / pq;
    for (int i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      rNext[i] = r[i] - alpha * q[i];
      rr += rNext[i] * rNext[i];
    }
    const double beta = rr / rrs[k];
    for (int i = 0; i < n; ++i) pNext[i] = rNext[i] + beta * p[i];
    alphas[k] = alpha;
    betas[k] = beta;
    pqs[k] = pq;
    rrs[k + 1] = rr;
  }
  double result = 0;
  for (int i = 0; i < n; ++i) result += constant[i] * u[i];

  double *r_b = work_b, *p_b = work_b + n, *q_b = work_b + 2 * n, *value_b = x_b, *b_b = x_b + nonzeros;
  std::fill(work_b, work_b + 2 * n, 0.0);
  double rr_b = 0;
  for (int k = iterations; k-- > 0;) {
    const double *rNext = rs + static_cast<std::size_t>(k + 1) * n, *p = ps + static_cast<std::size_t>(k) * n;
    const double* q = qs + static_cast<std::size_t>(k) * n;
    const double alpha = alphas[k], beta = betas[k];
    double beta_b = 0;
    for (int i = 0; i < n; ++i) {
      beta_b += p_b[i] * p[i];
      r_b[i] += p_b[i];
      p_b[i] *= beta;
    }
    const double rrNext_b = rr_b + beta_b / rrs[k];
    rr_b = -beta_b * beta / rrs[k];
    double alpha_b = 0;
    for (int i = 0; i < n; ++i) {
      const double t = r_b[i] + 2.0 * rrNext_b * rNext[i];
      r_b[i] = t;
      alpha_b += constant[i] * p[i] - t * q[i];
      q_b[i] = -alpha * t;
      p_b[i] += alpha * constant[i];
    }
    rr_b += alpha_b / pqs[k];
    const double pq_b = -alpha_b * alpha / pqs[k];
    for (int i = 0; i < n; ++i) {
      p_b[i] += pq_b * q[i];
      q_b[i] += pq_b * p[i];
    }
    for (int i = 0; i < n; ++i)
      for (int j = start[i]; j < start[i + 1]; ++j) {
        value_b[j] += q_b[i] * p[column[j]];
        p_b[column[j]] += value[j] * q_b[i];
      }
  }
  for (int i = 0; i < n; ++i) b_b[i] += r_b[i] + p_b[i] + 2.0 * rr_b * b[i];
  return result;
}

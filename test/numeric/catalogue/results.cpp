// Statements that are reversed with the value they gave: roots, exponentials, quotients and the like as a whole right-hand side.
// group: hessian
#include <array>
#include <cmath>
#include <vector>

namespace {

double squares(const double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sum;
}

// The result may be an operand, or lie where a later line writes.
void divide(const double* a, const double* b, double* q, int n) {
  for (int i = 0; i < n; ++i) q[i] = a[i] / b[i];
}
void roots(const double* a, double* r, int n) {
  for (int i = 0; i < n; ++i) r[i] = std::sqrt(a[i]);
}
double normalised(double a, double b) {
  double q = a / b;
  q = std::exp(q);
  return q / (1.0 + q);
}
void rootOf(double& to, const double& of) { to = std::sqrt(of); }
void quotientOf(double& to, const double& a, const double& b) { to = -a / b; }
double swallow(double x, double& left) {
  left = x / left;
  return std::tanh(left);
}

struct Cell {
  double value, weight;
  double* other;
};

}  // namespace

// case: at=0.7,1.3,0.4 out=3
void onItself(const double* in, double* out) {
  double x = in[0], y = in[1], z = in[2];
  for (int t = 0; t < 4; ++t) {
    x = std::exp(-0.3 * x);
    y = x / y;
    y = y / x;
    z = z / z;
    z = std::sqrt(z + y * y);
    z = -std::tanh(z);
    y = 1.0 / y;
    y = -(1.0 / y);
    y = -std::sqrt(y * y + 0.1);
    x = std::cbrt(x * y * y);
    z = 1.0 - z / 3.0;
  }
  out[0] = x * y;
  out[1] = y * z;
  out[2] = z * z;
}

// Overwritten behind: by a sum, an assignment, in a branch, in a loop that may not run.
// case: at=0.7,1.3,0.4 out=4
void overwritten(const double* in, double* out) {
  double r[3], s = in[0];
  out[0] = out[1] = out[2] = 0;
  for (int t = 0; t < 3; ++t) {
    r[t] = std::sqrt(in[t] * s);
    r[t] += in[0];
    s += r[t] * r[t];
    r[t] = std::exp(r[t]);
    r[t] = 2.0;
    double q = s / in[t];
    if (t == 1) q = q * in[2];
    else q = in[1] / q;
    out[0] += q * q;
    q = std::exp(-q);
    for (int i = 0; i < t; ++i) q += in[i];
    out[1] += q;
    double w = 1.0 / q;
    while (w < 1.0) w = w / 0.7 + in[0];
    out[2] += w * s;
    s = s / (1.0 + w);
  }
  out[3] = s + r[0] * r[1];
}

// case: at=0.7,1.3,0.4 out=4
void aliases(const double* in, double* out) {
  double v[4] = {in[0], in[1], in[2], in[0] * in[1]};
  double* p = &v[0];
  double* q = &v[1];
  for (int t = 0; t < 4; ++t) {
    *p = std::sqrt(*q + 1.0);
    *q = *p / v[t];
    v[t] = v[3 - t] / *p;
    *p = std::exp(-*p);
    v[3 - t] = std::hypot(v[t], *q);
    p = t % 2 == 0 ? q : &v[2];
    q = &v[t];
    double& same = v[(t + 1) % 4];
    same = same / v[(t + 1) % 4] + in[0];
    same = *q / same;
  }
  for (int i = 0; i < 4; ++i) out[i] = v[i] * v[(i + 1) % 4];
}

// case: at=0.7,1.3,0.4,0.9 out=4
void arraysInCalls(const double* in, double* out) {
  double work[9];
  for (int i = 0; i < 9; ++i) work[i] = in[i % 4] + 0.1 * i;
  out[0] = out[1] = out[2] = 0;
  for (int t = 0; t < 3; ++t) {
    divide(work, work + 4, work + t, 4);
    out[0] += squares(work, 9);
    roots(work + t, work, 5);
    out[1] += squares(work + 1, 4);
    divide(work + 1, work, work, 6);
    out[2] += work[0] * work[5];
    roots(work, work, 9);
    rootOf(work[t], work[t + 1]);
    rootOf(work[t + 2], work[t + 2]);
    quotientOf(work[t], work[t + 1], work[t]);
    quotientOf(work[t + 1], work[t + 1], work[t]);
    work[t] = work[t] * work[t];
    work[t + 1] = 1.0 + work[t + 1] * work[t + 1];
  }
  out[3] = squares(work, 9);
}

// case: at=0.7,1.3,0.4 out=3
void calls(const double* in, double* out) {
  double left = in[1], sum = 0;
  for (int t = 0; t < 3; ++t) {
    sum += normalised(in[t], left + 1.0);
    sum += swallow(in[t], left);
    left += 0.5;
    double both = swallow(sum, left);
    both = both / left;
    sum += both;
    left = std::sqrt(left * left + 0.2);
  }
  out[0] = sum;
  out[1] = left;
  out[2] = normalised(sum, left);
}

// Elements by indices that change, and such as are written by what they hold.
// case: at=0.7,1.3,0.4 out=3
void indices(const double* in, double* out) {
  double a[5] = {in[0], in[1], in[2], 1.5, 2.5};
  int at = 0;
  for (int t = 0; t < 6; ++t) {
    a[at] = std::exp(-a[(at + 1) % 5]);
    at = (at + 2) % 5;
    a[at] = a[(at + 3) % 5] / (a[at] + in[0]);
    const int next = a[at] > 0.6 ? 1 : 3;
    a[next] = a[at] / a[next];
    ++at;
    at %= 5;
    a[at] = a[at] / 2.0 + in[1];
  }
  out[0] = a[0] + a[3];
  out[1] = a[1] * a[2];
  out[2] = a[4];
}

// Elements that are set and then added to: what is overwritten isn't recorded there.
// case: at=0.7,1.3,0.4 out=3
void swept(const double* in, double* out) {
  double y[3] = {in[0], in[1], in[2]}, b[3] = {in[1], in[2], in[0]}, z[3];
  out[0] = out[1] = out[2] = 0;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 3; ++i) {
      y[i] = in[i] / b[i];
      for (int j = 0; j < 3; ++j) y[i] += in[j] * 0.1;
    }
    out[0] += squares(y, 3);
    for (int i = 0; i < 3; ++i) z[i] = std::exp(-in[i] * y[2 - i]);
    for (int i = 0; i < 3; ++i) z[i] += in[i];
    out[1] += squares(z, 3);
    for (int i = 0; i < 3; ++i) y[i] = 0;
    for (int i = 0; i < 3; i += 2) y[i] = std::tanh(in[i] + b[i]);
    for (int i = 0; i < 3; ++i) y[i] += b[i] * b[i];
    out[2] += squares(y, 3);
    double* maybe = t == 1 ? y : z;
    for (int i = 0; i < 3; ++i) y[i] = in[i];
    for (int i = 0; i < 3; ++i) maybe[i] = std::sqrt(b[i] + in[i]);
    for (int i = 0; i < 3; ++i) y[i] += in[i] * b[i];
    out[2] += squares(y, 3) * squares(z, 3);
    for (int i = 0; i < 3; ++i) b[i] = 1.0 / (1.0 + y[i] * z[i]);
    y[0] = b[0] / b[1];
    y[0] = in[1];
    y[1] = std::exp(-b[1]);
    y[1] += in[0] * b[2];
    out[0] += y[0] * y[1];
  }
}

// case: at=0.7,1.3,0.4 out=3
void early(const double* in, double* out) {
  double q = in[0], r = in[1];
  int steps = 0;
  while (q > 0.05) {
    r = q / r;
    if (r > 4.0) break;
    q = std::exp(-q - 0.3 * r);
    ++steps;
    if (steps == 3) {
      r = std::sqrt(r + in[2]);
      continue;
    }
    if (steps > 6) break;
    r = r / (q + in[2]);
    q *= 0.8;
  }
  out[0] = q;
  out[1] = r;
  do {
    r = std::tanh(r);
    if (steps == 2) {
      out[2] = r * q;
      return;
    }
    --steps;
  } while (steps > 0);
  out[2] = r / q;
}

// case: at=0.7,1.3,0.4 out=3
void vectors(const double* in, double* out) {
  std::vector<double> u(in, in + 3), v(3);
  out[0] = out[1] = 0;
  for (int t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i < 3; ++i) v[i] = u[i] / (u[2 - i] + 1.0);
    u.swap(v);
    out[0] += squares(u.data(), 3);
    for (std::size_t i = 0; i < 3; ++i) u[i] = std::exp(-v[i]);
    u.push_back(in[t]);
    u[3] = u[3] / u[0];
    u.push_back(1.0 / u[3]);
    out[1] += squares(u.data(), 5);
    u.resize(3);
    std::swap(u[0], u[2]);
    u[1] = u[0] / u[1];
  }
  out[2] = squares(u.data(), 3) * v[1];
}

// case: at=0.7,1.3,0.4 out=3
void members(const double* in, double* out) {
  Cell cells[3];
  std::array<double, 3> a = {in[0], in[1], in[2]};
  for (int i = 0; i < 3; ++i) cells[i] = {in[i], 1.0 + in[2 - i], &cells[(i + 1) % 3].value};
  for (int t = 0; t < 3; ++t) {
    for (Cell& c : cells) {
      c.value = c.value / c.weight;
      *c.other = std::sqrt(*c.other * *c.other + c.value * c.value);
      c.weight = std::hypot(c.value, *c.other);
    }
    const std::array<double, 3> before = a;
    a[static_cast<std::size_t>(t)] = a[0] / cells[t].value;
    a[0] = std::exp(-a[0]);
    out[t] = a[0] * before[1];
    Cell copy = cells[t];
    copy.value = copy.value / copy.weight;
    cells[t] = cells[(t + 1) % 3];
    cells[(t + 1) % 3] = copy;
  }
  out[0] += a[0] + cells[0].value;
  out[1] += a[1] * cells[1].value;
  out[2] += a[2] * cells[2].weight;
}

// Results that the caller sees, and loops at the end of which results are stored.
// case: at=0.7,1.3,0.4 out=4 inout
void storedLast(const double* in, double* out) {
  double sum = 0, square = 0;
  out[3] = out[3] / in[0];
  for (int i = 0; i < 3; ++i) {
    const double x = in[i] * in[i];
    sum += x * in[0];
    square += x / in[1];
  }
  const double e = std::exp(-in[2]);
  out[0] = sum;
  out[1] = in[0] / in[1];
  out[2] = e / in[2] - square;
}

// case: at=0.7,1.3,0.4 out=2
void storedOnly(const double* in, double* out) {
  const double x[3] = {in[0] + in[1], in[1], in[2] + in[0]};
  const double a = x[0] * x[1], b = x[2] + x[0];
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += x[i] * std::sqrt(x[i]);
  out[0] = sum;
  out[1] = a / b;
}

// Iterations that are run again, and such as others feed.
// case: at=0.7,1.3,0.4 out=3
void iterations(const double* in, double* out) {
  double r[6], s[6], last = in[0];
  out[0] = out[1] = 0;
  for (int i = 0; i < 6; ++i) {
    double q, t[2];
    if (i % 2 == 0) q = in[i / 2] / (1.0 + 0.1 * i);
    else q = std::exp(-in[i / 2]);
    t[0] = q / (in[0] + i);
    t[1] = std::sqrt(t[0] + 1.0);
    for (int k = 0; k < 2; ++k) {
      t[k] = t[k] / t[1 - k];
      q = std::tanh(q + t[k]);
      t[1 - k] = t[k] * q;
    }
    r[i] = q / t[0];
    s[i] = 1.0 / t[1];
  }
  for (int i = 0; i < 6; ++i) {
    last = r[i] / last;
    s[i] = s[i] / last;
    out[0] += last * s[i];
  }
  for (int i = 1; i < 6; ++i) {
    r[i] = std::sqrt(r[i] * r[i] + r[i - 1] * r[i - 1]);
    r[i - 1] = s[i] / r[i];
  }
  out[1] = squares(r, 6);
  out[2] = squares(s, 6);
}

// Elements of two arrays that may be the same.
// case: at=0.7,1.3,0.4 out=2
void exchanged(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]}, b[3] = {in[2], in[0], in[1]};
  double *u = a, *v = b;
  out[0] = 0;
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < 3; ++i) v[i] = u[i] / (u[(i + 1) % 3] + 0.5);
    double* const other = u;
    u = v;
    v = other;
    if (t == 3) v = u;
    for (int i = 0; i < 3; ++i) v[i] = std::exp(-u[2 - i]);
    out[0] += squares(u, 3);
  }
  out[1] = squares(a, 3) + a[0] * b[1];
}

// A result that isn't there yet in some passes; one that a variable of an outer scope gives on.
// case: at=0.7,1.3,0.4 out=2
void scopes(const double* in, double* out) {
  double kept = 1.0;
  static const double scale = 2.0;
  out[0] = 0;
  for (int t = 0; t < 4; ++t) {
    double q;
    const double r = std::sqrt(in[t % 3] + kept);
    if (t > 0) q = r / kept;
    else q = kept;
    {
      const double inner = std::exp(-q / scale);
      kept = inner / r;
      kept *= in[1];
    }
    double twice = q / r;
    twice = twice / q;
    q = 1.0 / twice;
    out[0] += q * r;
  }
  out[1] = kept / scale;
}

// Zero seeds at poles, and points where the partial is a choice.
// case: at=0,1.3,0.4 out=3
void poles(const double* in, double* out) {
  double zero = in[0], r, h;
  double q = in[1] / zero;
  double w = zero / zero;
  r = std::sqrt(zero);
  h = std::hypot(zero, r);
  double c = std::cbrt(zero);
  double i = 1.0 / zero;
  double unused[3] = {q, w, i};
  out[0] = zero > 1.0 ? q + w + i : in[1];
  out[1] = zero > 1.0 ? r + h + c : in[2] * in[2];
  for (int k = 0; k < 3; ++k) {
    unused[k] = unused[k] / zero;
    unused[k] = std::exp(unused[k] * 1e4);
    unused[k] = 0.0 * in[1];
  }
  out[2] = unused[0] + in[2] / in[1];
}

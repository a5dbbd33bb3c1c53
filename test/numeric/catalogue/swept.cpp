// Values that are overwritten where they have just been written, by loops whose elements are compared.
// group: hessian
#include <cmath>
#include <vector>

namespace {

// What makes every value needed: factors of each other, step by step.
double squares(const double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sum;
}

// All arrays in one workspace, `gap` elements apart from where they would touch.
void triangles(const double* x, double* work, int d, int gap, int steps, double* out) {
  double* centred = work;
  double* scaled = work + d + gap;
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < d; ++i) centred[i] = x[i] * (s + 1) - out[0];
    for (int i = 0; i < d; ++i) scaled[i] = x[i] * centred[i];
    int l = 0;
    for (int i = 0; i < d; ++i)
      for (int j = i + 1; j < d; ++j) {
        scaled[j] += x[l % d] * centred[i];
        ++l;
      }
    double square = 0;
    for (int i = 0; i < d; ++i) square += scaled[i] * scaled[i];
    out[0] += 0.1 * square;
  }
}

void product(const double* a, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) y[i] += a[i * n + j] * x[j];
}

void rowByRow(const double* a, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    for (int j = 0; j < n; ++j) y[i] += a[(i + j) % 3] * x[j];
    y[i] = y[i] * 0.5;
  }
}

}  // namespace

// case: at=0.3,0.9,-0.4,1.2
void workspace(const double* in, double* out) {
  double work[10] = {};
  out[0] = in[0];
  triangles(in, work, 4, 0, 3, out);
  triangles(in, work, 3, 2, 2, out);
}

// One element of the two arrays is the same; or they lie the other way round, or on top of each other.
// case: at=0.3,0.9,-0.4,1.2 out=4
void overlapping(const double* in, double* out) {
  double work[16] = {};
  for (int gap = 0; gap < 4; ++gap) {
    out[gap] = in[gap];
    triangles(in, work + 5, 4, -1 - gap - (gap == 3 ? 3 : 0), 3, out + gap);
  }
}

// case: at=0.3,0.9,0.4 out=2
void products(const double* in, double* out) {
  double a[9], x[3], y[3];
  for (int i = 0; i < 9; ++i) a[i] = in[i % 3] * (0.2 + 0.1 * i);
  for (int i = 0; i < 3; ++i) x[i] = in[i];
  out[0] = out[1] = 0;
  for (int t = 0; t < 3; ++t) {
    product(a, x, y, 3);
    out[0] += squares(y, 3);
    rowByRow(a, y, x, 3);
    out[1] += squares(x, t);
  }
}

// The result is what it is made of.
// case: at=0.3,0.9,0.4 out=2
void onItself(const double* in, double* out) {
  double a[9], x[4];
  for (int i = 0; i < 9; ++i) a[i] = in[i % 3] * (0.5 + 0.1 * i);
  for (int i = 0; i < 4; ++i) x[i] = in[i % 3];
  out[0] = out[1] = 0;
  for (int t = 0; t < 2; ++t) {
    rowByRow(a, x, x, 3);
    out[0] += squares(x, 3);
    product(a, x, x + 1, 3);
    out[1] += squares(x, 4) * x[1 + t];
    for (int i = 0; i < 4; ++i) x[i] += in[i % 3];
  }
}

// Elements in front of, behind and between those that were swept.
// case: at=0.3,0.9,0.4,0.7,1.1 out=5
void others(const double* in, double* out) {
  double y[6] = {};
  for (int i = 0; i < 5; ++i) y[i] = out[i] = in[i];
  y[5] = in[1];
  for (int t = 0; t < 3; ++t) {
    out[0] += squares(y, 6);
    for (int i = 0; i < 4; ++i) y[i] = in[i] * y[5];
    for (int i = 0; i < 6; ++i) y[i] += 0.1 * in[t];
    out[1] += squares(y, 6);
    for (int i = 4; i >= 1; --i) y[i] = in[i] * in[0];
    for (int i = 0; i < 5; ++i) y[i] *= 0.5 + in[t];
    out[2] += squares(y, 6);
    for (int i = 0; i < 6; i += 2) y[i] = in[i / 2];
    for (int i = 0; i < 5; ++i) y[i] += in[i] * in[i];
    out[3] += squares(y, 6);
    for (int i = 0; i < 5; ++i) y[i] = in[i];
    for (int i = 0; i < 4; ++i) y[i] += y[i + 1] * y[5];
    out[4] += squares(y, 6);
    for (int i = 0; i < 4; ++i) y[i] = in[i] * in[t];
    for (int i = 0; i < 5; ++i) y[i] += in[i];
    out[4] += squares(y, 6);
    for (int i = 1; i < 4; ++i) y[i] = in[i] * in[t];
    for (int i = 0; i < 3; ++i) out[1] += y[3] * y[0] * in[i];
    for (int i = 1; i < 4; ++i) y[i] += in[i];
    out[2] += squares(y, 6);
  }
}

// What the sweep wrote is read before it is overwritten: in between, in the same loop, in front of it there.
// case: at=0.3,0.9,0.4 out=3
void readBetween(const double* in, double* out) {
  double y[3] = {in[0], in[1], in[2]};
  for (int k = 0; k < 3; ++k) out[k] = in[k];
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < 3; ++i) y[i] = in[i] * out[0];
    out[0] += y[1] * y[2];
    for (int i = 0; i < 3; ++i) y[i] += in[i];
    out[1] += squares(y, 3);
    for (int i = 0; i < 3; ++i) y[i] = in[i] + out[1];
    for (int i = 0; i < 3; ++i) {
      out[1] += y[2 - i] * y[i];
      y[i] += in[i];
    }
    for (int i = 0; i < 3; ++i) {
      y[i] = in[i] * in[i];
      out[2] += i > 0 ? y[i - 1] * y[i] : 0.0;
    }
    for (int i = 0; i < 3; ++i) y[i] += 1.0;
    out[2] += squares(y, 3);
  }
}

// The other of two arrays, which may be one.
// case: at=0.3,0.9,0.4 out=2
void pairs(const double* in, double* out) {
  double u[3] = {in[0], in[1], in[2]}, v[3] = {in[2], in[1], in[0]};
  out[0] = out[1] = in[1];
  for (int t = 0; t < 4; ++t) {
    double* y = t % 2 == 0 ? u : v;
    double* z = t < 2 ? u : v;
    out[0] += squares(u, 3);
    out[1] += squares(v, 3);
    for (int i = 0; i < 3; ++i) y[i] = in[i] * out[1];
    for (int i = 0; i < 3; ++i) z[i] += in[i] * in[t % 3];
  }
}

// Bounds and pointers that change on the way.
// case: at=0.3,0.9,0.4,0.6 out=2
void moving(const double* in, double* out) {
  double w[8] = {};
  out[0] = out[1] = in[0];
  int n = 2;
  double* p = w;
  for (int t = 0; t < 2; ++t) {
    out[0] += squares(w, 8);
    for (int i = 0; i < n; ++i) w[i] = in[i];
    n = n + 2;
    for (int i = 0; i < n; ++i) w[i] += in[i] * out[0];
    out[0] += squares(w, 8);
    n = 2;
    for (int i = 0; i < 4; ++i) p[i] = in[i];
    p += 2;
    for (int i = 0; i < 4; ++i) p[i] += in[i] * in[0];
    out[1] += squares(w, 8);
    for (int k = 0; k < 3; ++k) {
      const int at = k == 1 ? 4 : k;
      w[at] = in[k];
      for (int j = 0; j < 3; ++j) {
        const int to = j == 1 ? at : j;
        w[to] += in[j] * in[k];
      }
      out[1] += squares(w, 8);
    }
    p = w;
  }
}

// Unsigned ends that wrap, so that the sweep writes nothing, or other elements than it seems.
// case: at=0.3,0.9,0.4
void wrapping(const double* in, double* out) {
  double w[4] = {in[0], in[1], in[2], 1.0};
  out[0] = in[0];
  for (unsigned t = 0; t < 3; ++t) {
    out[0] += squares(w, 4);
    for (unsigned i = t - 2; i < t; ++i) w[i] = in[i];
    for (unsigned i = 0; i < t; ++i) w[i] += in[i] * in[0];
    out[0] += squares(w, 4) * w[t];
    const std::size_t u = t;
    for (std::size_t i = u - 1; i < u + 1; ++i) w[i] = in[i] * w[3];
    for (std::size_t i = u; i < u + 1; ++i) w[i] += in[i] * in[0];
    out[0] += squares(w, 4);
    const int below = -static_cast<int>(t);
    for (std::size_t i = 0; i < 3; ++i) w[i] = in[i] * w[3];
    for (int i = below; i < 1; ++i) w[i + 2] += in[t];
  }
  out[0] += squares(w, 4);
}

// case: at=0.3,0.9,0.4 out=2
void ofVectors(const double* in, double* out) {
  std::vector<double> a(9), x(in, in + 3), y(3);
  for (std::size_t i = 0; i < 9; ++i) a[i] = in[i % 3] * 0.3;
  out[0] = out[1] = 0;
  for (int t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      y[i] = 0.1 * x[i];
      for (std::size_t j = 0; j < 3; ++j) y[i] += a[3 * i + j] * x[j];
    }
    out[0] += squares(y.data(), 3);
    std::vector<double>& same = t == 1 ? y : x;
    for (int i = 0; i < 3; ++i) y[i] = same[i] * x[i];
    for (int i = 0; i < 3; ++i) y[i] += same[2 - i] * in[i];
    out[1] += squares(y.data(), 3);
    x.swap(y);
  }
}

// Loops that may not run, and such as run in a branch.
// case: at=0.3,0.9,0.4
void perhaps(const double* in, double* out) {
  double y[3] = {in[0], in[1], in[2]};
  out[0] = in[0];
  for (int t = 0; t < 4; ++t) {
    out[0] += squares(y, 3);
    for (int i = 0; i < t - 1; ++i) y[i] = in[i] * in[t % 3];
    for (int i = 0; i < 3; ++i) y[i] += in[i] * in[0];
    out[0] += squares(y, 3);
    if (t % 2 == 0)
      for (int i = 0; i < 3; ++i) y[i] = in[i];
    for (int i = 0; i < 3; ++i) y[i] += in[i] * out[0];
    int k = 0;
    while (k < t) {
      for (int i = 0; i < 3; ++i) y[i] = in[i] * in[k % 3];
      for (int i = 0; i < k; ++i) y[i] += in[i] * in[i];
      out[0] += 0.5 * squares(y, 3);
      ++k;
    }
  }
}

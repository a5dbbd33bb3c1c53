// Records of serial loops: in blocks of the tape that are indexed by iteration, or on its stack where a loop's trip count isn't known in
// front of it or the record is made under a condition.
// group: hessian
#include <cmath>
#include <vector>

// case: at=0.4,1.1,0.7 out=3
void oneLoop(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  for (int i = 0; i < 3; ++i) v[i] = v[i] * std::sin(v[(i + 1) % 3]);
  for (int i = 0; i < 20; ++i) v[i % 3] = v[i % 3] * v[(i + 1) % 3] + 0.1;
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void nestWithSteps(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  const int n = 5;
  for (int t = 7; t > 2; t -= 2)
    for (long i = 1; i <= n; ++i)
      for (unsigned k = 0; k < 3; ++k) v[k] = std::sin(v[k] * v[(k + 1) % 3]) + 0.01 * t * i;
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void innerBoundDependsOnOuter(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  for (int t = 0; t < 6; ++t)
    for (int i = t; i < 2 * t + 1; ++i) v[i % 3] = v[i % 3] * v[(i + t) % 3] * 0.5 + 0.3;
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void innerBoundChanges(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  int n = 1;
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < n; ++i) v[i % 3] = v[i % 3] * v[(i + 1) % 3] + 0.2;
    n += 2;
    for (int i = n; i > 0; --i) v[i % 3] = v[i % 3] * v[(i + 2) % 3] + 0.1;
  }
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void conditionsInside(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  for (int t = 0; t < 20; ++t) {
    double r = v[t % 3] * v[(t + 1) % 3];
    if (r > 0.4) {
      r = r * r;
      for (int k = 0; k < 20; ++k) v[k % 3] = 0.9 * v[k % 3] * (1.0 + 0.1 * r);
    } else {
      v[t % 3] = v[t % 3] * r + 0.5;
    }
    v[(t + 2) % 3] = std::sin(r * v[(t + 2) % 3]) + 0.5;
  }
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void whileBetween(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  for (int t = 0; t < 4; ++t) {
    int k = t;
    while (k < 20) {
      for (int i = 0; i < 3; ++i) v[i] = v[i] * v[(i + 1) % 3] * 0.7 + 0.4;
      k += 9;
    }
    v[t % 3] = v[t % 3] * v[(t + 1) % 3];
  }
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3
void noIterations(const double* in, double* out) {
  double v[3] = {in[0], in[1], in[2]};
  const int n = in[0] > 100.0 ? 3 : 0;
  for (int t = 0; t < n; ++t)
    for (int i = 0; i < 40; ++i) v[i % 3] = v[i % 3] * v[(i + 1) % 3];
  for (int t = 0; t < 40; ++t)
    for (int i = 3; i < n; ++i) v[i % 3] = v[i % 3] * v[(i + 1) % 3];
  for (int i = 0; i < 3; ++i) out[i] = v[i] * v[i];
}

namespace {

void step(std::vector<double>& v, int times) {
  const int n = static_cast<int>(v.size());
  for (int t = 0; t < times; ++t)
    for (int i = 0; i < n; ++i) {
      const int next = (i + 1) % n;
      v[i] = 0.4 * v[i] * v[next] + 0.3;
    }
}

}  // namespace

// case: at=0.4,1.1,0.7 out=3
void inCalledFunction(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[2]};
  for (int t = 0; t < 5; ++t) {
    v[0] = v[0] * v[2];
    step(v, t);
  }
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3 precision=1e-5 nohessian
void floatsAndIndices(const double* in, double* out) {
  float v[3] = {static_cast<float>(in[0]), static_cast<float>(in[1]), static_cast<float>(in[2])};
  int at = 0;
  for (int t = 0; t < 18; ++t) {
    at = (at * 2 + 1) % 3;
    v[at] = v[at] * v[(at + 1) % 3] + 0.25f;
  }
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

// case: at=0.4,1.1,0.7 out=3 start=0.2,0.5,0.9 inout
void outputsChange(const double* in, double* out) {
  for (int t = 0; t < 6; ++t)
    for (int i = 0; i < 3; ++i) out[i] = out[i] * out[(i + 1) % 3] * in[i] + 0.2;
}

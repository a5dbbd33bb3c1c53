// Elements of arrays without a first value: which of their writes are the first ones.
// group: hessian
#include <cmath>
#include <cstddef>

namespace {

double squares(const double* a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (i + 1) * a[i] * a[i];
  return sum;
}

void scaleAll(double* a, int n, double by) {
  for (int i = 0; i < n; ++i) a[i] = std::sin(a[i] * by);
}

}  // namespace

// case: at=2.0,0.3,1.7,0.4,-0.2,2.5
void triangle(const double* in, double* out) {
  const int n = 3;
  double l[4][4], y[4];
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    double pivot = in[j * (j + 1) / 2 + j];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    l[j][j] = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double s = in[i * (i + 1) / 2 + j];
      for (int k = 0; k < j; ++k) s -= l[i][k] * l[j][k];
      l[i][j] = s / l[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    double s = 1.0 + i;
    for (int k = 0; k < i; ++k) s -= l[i][k] * y[k];
    y[i] = s / l[i][i];
    sum += y[i] * y[i];
  }
  out[0] = sum;
}

// Each step overwrites what the one before left: the array lives longer than a step.
// case: at=0.4,-0.7,1.1
void eachStep(const double* in, double* out) {
  double t[3];
  double sum = 0;
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 3; ++i) t[i] = std::sin(in[i] + s + sum);
    for (int i = 0; i < 3; ++i) sum += t[i] * t[(i + 1) % 3];
  }
  out[0] = sum;
}

// It begins anew in each step.
// case: at=0.4,-0.7,1.1
void newInEachStep(const double* in, double* out) {
  double sum = 0;
  for (int s = 0; s < 4; ++s) {
    double t[3];
    for (int i = 0; i < 3; ++i) t[i] = std::sin(in[i] + s + sum);
    for (int i = 0; i < 3; ++i) sum += t[i] * t[(i + 1) % 3];
  }
  out[0] = sum;
}

// A loop that the index doesn't name writes the same elements again.
// case: at=0.4,-0.7,1.1
void withoutAnIndex(const double* in, double* out) {
  double t[3];
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      t[i] = std::cos(in[i] * (k + 1) + sum);
      sum += t[i] * t[i] * in[k];
    }
  out[0] = sum;
}

// Both writes of an iteration, the second one over what the iteration before wrote; and the other way round.
// case: at=0.4,-0.7,1.1,0.9
void shiftedUp(const double* in, double* out) {
  double t[5];
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    t[i + 1] = std::sin(in[i] + sum);
    sum += t[i + 1] * t[i + 1];
    t[i] = std::cos(in[i] * sum);
    sum += t[i] * t[i + 1];
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void shiftedDown(const double* in, double* out) {
  double t[5];
  double sum = 0;
  for (int i = 3; i >= 0; --i) {
    t[i + 1] = std::sin(in[i] + sum);
    sum += t[i + 1] * t[i + 1];
    t[i] = std::cos(in[i] * sum);
    sum += t[i] * t[i + 1];
  }
  out[0] = sum;
}

// Even elements and odd ones don't meet; elements 2 i and i + 2 do.
// case: at=0.4,-0.7,1.1,0.9
void evenAndOdd(const double* in, double* out) {
  double t[8];
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    t[2 * i] = std::sin(in[i] + sum);
    t[2 * i + 1] = t[2 * i] * t[2 * i];
    sum += t[2 * i + 1] * t[2 * i] * in[0];
  }
  out[0] = sum + squares(t, 8);
}
// case: at=0.4,-0.7,1.1,0.9
void strides(const double* in, double* out) {
  double t[8];
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    t[2 * i] = std::sin(in[i] + sum);
    sum += t[2 * i] * t[2 * i];
    t[i + 2] = std::cos(in[i] * sum);
    sum += t[i + 2] * t[2 * i];
  }
  out[0] = sum;
}

// One half, then the other; and halves that share an element.
// case: at=0.4,-0.7,1.1,0.9
void halves(const double* in, double* out) {
  double t[4];
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    const int from = 2 * s;
    for (int i = from; i < from + 2; ++i) {
      t[i] = std::sin(in[i] + sum);
      sum += t[i] * t[i] * t[2 * s];
    }
  }
  out[0] = sum;
}
// case: at=0.4,-0.7,1.1,0.9
void overlappingHalves(const double* in, double* out) {
  double t[4];
  double sum = 0;
  const int half = in[0] > 0 ? 2 : 1;
  for (int i = half; i < 4; ++i) {
    t[i] = std::sin(in[i] + sum);
    sum += t[i] * t[i];
  }
  for (int i = 0; i <= half; ++i) {
    t[i] = std::cos(in[i] * sum);
    sum += t[i] * t[i] * t[3];
  }
  out[0] = sum;
}

// case: at=0.4,-0.7,1.1,0.9
void branches(const double* in, double* out) {
  double t[4];
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (in[i] > 0.5) t[i] = std::sin(in[i] + sum);
    else t[i] = in[i] * in[i] * sum;
    sum += t[i] * t[i];
  }
  for (int i = 0; i < 4; ++i)
    if (in[i] > 0) {
      t[i] = t[i] * t[i] * in[0];
      sum += t[i] * t[i];
    }
  out[0] = sum;
}

// The number of a turn is no counter.
// case: at=0.4,-0.7,1.1
void whileItGrows(const double* in, double* out) {
  double t[3];
  double sum = 0.1;
  while (sum < 40.0) {
    for (int i = 0; i < 3; ++i) {
      t[i] = std::exp(0.1 * in[i] * sum);
      sum += t[i] * t[i];
    }
  }
  out[0] = sum;
}

// A called function writes it too; and one place is written through another name.
// case: at=0.4,-0.7,1.1
void byACalledFunction(const double* in, double* out) {
  double t[3];
  for (int i = 0; i < 3; ++i) t[i] = in[i] * in[i];
  scaleAll(t, 3, in[0]);
  const double before = squares(t, 3);
  for (int i = 0; i < 3; ++i) t[i] = std::sin(before * in[i]);
  out[0] = before + squares(t, 3);
}
// case: at=0.4,-0.7,1.1
void underAnotherName(const double* in, double* out) {
  double t[3];
  double& last = t[2];
  last = in[0] * in[1];
  double sum = last * last;
  for (int i = 0; i < 3; ++i) {
    t[i] = std::sin(in[i] * sum);
    sum += t[i] * t[i];
  }
  out[0] = sum * last;
}

// An offset that each turn has anew.
// case: at=0.4,-0.7,1.1
void offsets(const double* in, double* out) {
  double t[4];
  double sum = 0;
  for (int s = 0; s < 3; ++s) {
    const int shift = s % 2;
    for (int i = 0; i < 3; ++i) {
      t[i + shift] = std::sin(in[i] + sum);
      sum += t[i + shift] * t[i + shift];
    }
  }
  out[0] = sum;
}

// Indices that count beyond the first of two bounds: an element has one name only.
// case: at=0.4,-0.7,1.1,0.9
void planes(const double* in, double* out) {
  double t[2][3][2];
  double sum = 0;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t c = 0; c < 2; ++c) {
        t[a][b][c] = std::sin(in[a + c] * (b + 1.0) + sum);
        sum += t[a][b][c] * t[a][b][c] * in[3];
      }
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 2; ++c) sum += t[a][0][c] * t[1 - a][2][c];
  out[0] = sum;
}

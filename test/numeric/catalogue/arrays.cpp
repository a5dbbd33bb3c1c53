// Built-in arrays of rank 1 to 3, pointers, references, aliases, and arguments that are read and written.
// group: hessian
#include <cmath>
#include <cstddef>

// case: at=0.3,1.1,-0.7,0.9 out=4
void elementwise(const double* in, double* out) {
  for (int i = 0; i < 4; ++i) out[i] = in[i] * in[(i + 1) % 4] + i;
}

// case: at=0.3,1.1,-0.7,0.9
void localArray(const double* in, double* out) {
  double a[4];
  for (int i = 0; i < 4; ++i) a[i] = std::sin(in[i]);
  for (int i = 1; i < 4; ++i) a[i] = a[i] * a[i - 1] + in[i];
  out[0] = a[3] * a[0];
}

// case: at=0.3,1.1,-0.7,0.9
void initialisedArray(const double* in, double* out) {
  double a[5] = {in[0], in[1] * in[0], 2.0};
  double b[2][2] = {{in[2], 1.0}, {in[3], in[0] * in[3]}};
  a[4] += a[1] * b[1][1];
  out[0] = a[0] + a[2] * a[1] + a[3] * in[1] + a[4] * b[0][0] + b[0][1] * b[1][0];
}

// case: at=0.3,1.1,-0.7,0.9
void matrixVector(const double* in, double* out) {
  double a[3][4], y[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) a[i][j] = std::sin(in[j] + i) / (1.0 + i + j);
  }
  for (int i = 0; i < 3; ++i) {
    y[i] = 0.0;
    for (int j = 0; j < 4; ++j) y[i] += a[i][j] * in[j];
  }
  out[0] = y[0] * y[1] + y[2] * y[2];
}

// case: at=0.3,1.1,-0.7,0.9
void rankThree(const double* in, double* out) {
  double a[2][3][2];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) a[i][j][k] = in[i + k] * in[j] + (i > 0 ? a[i - 1][j][k] : 0.1 * k);
    }
  }
  double sum = 0.0;
  for (int j = 0; j < 3; ++j) sum += a[1][j][0] * a[0][2 - j][1];
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void overwrittenElements(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]};
  for (int step = 0; step < 5; ++step) {
    const double first = a[0];
    a[0] = a[1] * in[3];
    a[1] = a[2] - a[0] * first;
    a[2] = std::cos(first) * a[2];
  }
  out[0] = a[0] + a[1] * a[2];
}

// case: at=0.3,1.1,-0.7,0.9 out=2 start=0.4,-0.6 inout
void inOut(const double* in, double* out) {
  out[0] = out[0] * out[1] + in[0];
  out[1] = std::sin(out[0]) * in[1] + out[1];
  out[0] *= in[2] + out[1] * in[3];
}

// case: at=0.3 out=3 start=0.4,-0.6,1.2 inout
void inOutPartly(const double* in, double* out) {
  if (in[0] > 0.0) out[1] = out[0] * in[0];
}

// case: at=0.3,1.1 out=2 start=0.4,-0.6 inout
void inOutIncremented(const double* in, double* out) {
  for (int i = 0; i < 3; ++i) {
    out[0] += in[0] * in[1] * i;
    out[1] -= in[1] * out[0];
  }
}

// case: at=0.3,1.1 out=4 start=0.4,-0.6,1.2,0.9 inout
void inOutSmoothed(const double* in, double* out) {
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (int i = 1; i < 3; ++i)
      out[i] = out[i] + in[0] * (out[i - 1] - 2.0 * out[i] + out[i + 1]) + in[1] * out[i] * out[i];
  }
}

// case: at=0.3,1.1,-0.7,0.9
void pointerWalk(const double* in, double* out) {
  double sum = 0.0;
  const double* p = in;
  for (int i = 0; i < 4; ++i, ++p) sum += *p * *p * i;
  const double* last = in + 3;
  while (last != in) {
    sum *= 1.0 + 0.1 * *last;
    --last;
  }
  out[0] = sum + p[-1] * *(in + 1);
}

// case: at=0.3,1.1,-0.7,0.9
void pointerIntoArray(const double* in, double* out) {
  double a[6] = {};
  double* middle = &a[2];
  *middle = in[0];
  middle[1] = in[1] * *middle;
  middle[-1] = in[2] * middle[1];
  double* other = a + 1;
  *other *= in[3];
  out[0] = a[1] * a[3] + a[2] + static_cast<double>(middle - other) * in[0];
}

// case: at=0.3,1.1,-0.7,0.9
void pointerReseated(const double* in, double* out) {
  double a = in[0], b = in[1];
  double* p = &a;
  for (int i = 0; i < 4; ++i) {
    *p = *p * in[2] + 0.3;
    p = p == &a ? &b : &a;
    *p += std::sin(a * b);
  }
  out[0] = a - b * in[3];
}

// case: at=0.3,1.1,-0.7,0.9
void pointerChosenByValue(const double* in, double* out) {
  double a[2] = {in[0], in[1]}, b[2] = {in[2], in[3]};
  double* p = in[0] < in[1] ? a : b;
  p[1] *= p[0];
  p = p[1] < p[0] ? b : a;
  p[0] += p[1];
  out[0] = a[0] * a[1] + b[0] * b[1];
}

// Two buffers change their names at each step.
// case: at=0.3,1.1,-0.7,0.9 out=4
void swappedBuffers(const double* in, double* out) {
  double first[4], second[4];
  double *now = first, *next = second;
  for (int i = 0; i < 4; ++i) now[i] = in[i];
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 4; ++i) next[i] = now[i] + 0.2 * now[i] * (now[(i + 1) % 4] - now[(i + 3) % 4]);
    double* old = now;
    now = next;
    next = old;
  }
  for (int i = 0; i < 4; ++i) out[i] = now[i];
}

// case: at=0.3,1.1,-0.7,0.9
void references(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]};
  double& middle = a[1];
  const double& scale = in[3];
  middle *= scale;
  a[1] += a[0];
  double& again = middle;
  again = again * again;
  out[0] = middle + a[1] * a[2];
}

// case: at=0.3,1.1,-0.7,0.9
void referenceInLoop(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], in[3]};
  for (int i = 0; i < 4; ++i) {
    double& here = a[i];
    const double& before = a[(i + 3) % 4];
    here = here * before + in[0];
  }
  out[0] = a[0] * a[3] - a[1] * a[2];
}

void addScaled(double* target, const double* source, double factor, int n) {
  for (int i = 0; i < n; ++i) target[i] += factor * source[i] * source[i];
}

// The same object as two arguments, whole and shifted.
// case: at=0.3,1.1,-0.7,0.9
void sameObjectTwice(const double* in, double* out) {
  double a[4] = {in[0], in[1], in[2], in[3]};
  addScaled(a, a, in[0], 4);
  addScaled(a + 1, a, in[1], 3);
  addScaled(a, a + 1, 0.5, 3);
  out[0] = a[0] * a[1] + a[2] * a[3];
}

void exchange(double& a, double& b) {
  const double old = a;
  a = b;
  b = old;
}

// case: at=0.3,1.1,-0.7,0.9
void exchangedByReference(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]};
  exchange(a[0], a[2]);
  a[0] *= in[3];
  exchange(a[1], a[1]);
  exchange(a[0], a[1]);
  out[0] = a[0] * a[0] + a[1] * a[2];
}

// case: at=0.3,1.1,-0.7,0.9
void indicesFromArray(const double* in, double* out) {
  const int map[5] = {2, 0, 3, 2, 1};
  double a[4] = {0.1, 0.2, 0.3, 0.4};
  for (int i = 0; i < 5; ++i) a[map[i]] = a[map[i]] * in[i % 4] + in[map[i]] * in[map[i]];
  out[0] = a[0] + a[1] * a[2] * a[3];
}

// case: at=0.3,1.1,-0.7,0.9
void indicesOverwritten(const double* in, double* out) {
  int where = 0;
  double a[4] = {in[0], in[1], in[2], in[3]};
  for (int step = 0; step < 6; ++step) {
    a[where] = a[where] * a[(where + 1) % 4] + 0.2;
    where = (where + (a[where] > 0.3 ? 1 : 3)) % 4;
  }
  out[0] = a[0] + a[1] * a[2] * a[3];
}

// case: at=0.3,1.1,-0.7,0.9
void incrementsInSubscripts(const double* in, double* out) {
  double a[4] = {};
  int i = 0, j = 3;
  a[i++] = in[j--] * 2.0;
  a[i++] = in[j] * a[0];
  a[++i] = a[1] + in[--j];
  out[0] = a[0] + a[1] * a[3] + in[j] + i;
}

// case: at=0.3,1.1,-0.7,0.9
void pointerToPointer(const double* in, double* out) {
  double first[2] = {in[0], in[1]}, second[2] = {in[2], in[3]};
  double* rows[2] = {first, second};
  for (int i = 0; i < 2; ++i) rows[i][0] *= rows[1 - i][1];
  double** p = rows;
  p[0] = second;
  p[0][1] += first[0];
  out[0] = first[0] * first[1] + second[0] * second[1];
}

void scaleRows(double (*a)[3], int rows, const double* factor) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 3; ++j) a[i][j] *= factor[i] * a[i][(j + 1) % 3];
  }
}

// case: at=0.3,1.1,-0.7,0.9
void pointerToRow(const double* in, double* out) {
  double a[2][3] = {{in[0], 1.0, in[1]}, {2.0, in[2], in[3]}};
  scaleRows(a, 2, in);
  out[0] = a[0][0] + a[0][1] * a[1][2] + a[1][0] * a[1][1] + a[0][2];
}

double sumOfThree(const double (&a)[3]) { return a[0] + a[1] * a[2]; }

// case: at=0.3,1.1,-0.7
void referenceToArray(const double* in, double* out) {
  double a[3] = {in[0] * in[1], in[1], in[2]};
  out[0] = sumOfThree(a) * in[2];
  double(&alias)[3] = a;
  alias[1] = out[0];
  out[0] = sumOfThree(a);
}

// case: at=0.3,1.1,-0.7,0.9
void nullPointers(const double* in, double* out) {
  const double* optional = in[0] > 1.0 ? in : nullptr;
  double a = in[1];
  if (optional != nullptr) a *= optional[2];
  optional = in + 2;
  if (optional) a *= optional[1];
  out[0] = a * in[2];
}

// case: at=0.3,1.1 out=2
void outputReadBack(const double* in, double* out) {
  out[0] = in[0] * in[1];
  out[1] = out[0] * out[0];
  out[0] = out[1] + std::sin(out[0]);
}

// case: at=0.3,1.1,-0.7,0.9
void constantArrays(const double* in, double* out) {
  const int n = 3;
  double weights[n] = {0.5, 1.5, 2.5};
  int counts[n] = {1, 2, 3};
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += weights[i] * counts[n - 1 - i] * in[i] * in[i + 1];
  out[0] = sum;
}

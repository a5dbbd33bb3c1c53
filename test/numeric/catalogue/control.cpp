// Branches and loops, conditions that depend on independents, and every way of leaving a loop or a function.
// group: hessian
#include <cmath>

// case: at=0.8,1.4
void ifElse(const double* in, double* out) {
  double a = in[0];
  if (a > in[1])
    a = std::sin(a);
  else
    a = a * in[1];
  if (in[1] > 1.0) a += in[0] * in[0];
  out[0] = a;
}

// case: at=0.8,1.4
void elseIfChain(const double* in, double* out) {
  const double x = in[0] + in[1];
  double y;
  if (x < 1.0)
    y = x;
  else if (x < 2.0)
    y = x * x;
  else if (x < 3.0) {
    const double z = in[1] * x;
    y = z * x;
  } else
    y = 0.0;
  out[0] = y * in[0];
}

// The condition reads what the branch overwrites.
// case: at=0.8,1.4
void conditionOverwritten(const double* in, double* out) {
  double a = in[0];
  if (a < 1.0) a = a + in[1];
  if (a > 2.0) a = a * a;
  if (a > 100.0) a = 0.0;
  out[0] = a;
}

// case: at=0.8,1.4
void ternary(const double* in, double* out) {
  const double larger = in[0] > in[1] ? in[0] * 3.0 : in[1] * in[0];
  out[0] = (larger > 1.0 ? std::log(larger) : larger) + (in[0] > 0.5 ? 1.0 : in[1] > 1.0 ? in[0] : in[1]) * in[0];
}

// case: at=0.8,1.4
void ternaryPlace(const double* in, double* out) {
  double a = in[0], b = in[1];
  (in[0] < in[1] ? a : b) *= 3.0 * in[1];
  double& chosen = in[0] > in[1] ? a : b;
  chosen += a;
  out[0] = a * b;
}

// case: at=0.8,1.4
void forLoop(const double* in, double* out) {
  double a = in[0];
  for (int i = 0; i < 6; ++i) a = std::sin(a) * in[1] + 0.1 * i * a;
  out[0] = a;
}

// case: at=0.8,1.4
void forDownwards(const double* in, double* out) {
  double a = in[0];
  for (int i = 7; i > 0; i -= 2) a = a * in[1] / (1.0 + i) + in[0];
  for (unsigned i = 4; i-- > 0;) a += a * in[1] * i * 0.1;
  out[0] = a;
}

// case: at=0.8,1.4
void forWithStride(const double* in, double* out) {
  double a = in[0];
  for (int i = 1, k = 10; i < k; i += 3, --k) a = std::cos(a * i) + 0.1 * in[1] * k;
  for (long i = -3; i != 3; i += 2) a += std::sin(a) * static_cast<double>(i);
  for (int i = 0; i <= 4; i++) a *= 0.5 + 0.1 * in[1] * i;
  out[0] = a;
}

// case: at=0.8,1.4
void forWithoutIterations(const double* in, double* out) {
  double a = in[0] * in[1];
  for (int i = 5; i < 3; ++i) a = 0.0;
  const int n = in[0] > 10.0 ? 4 : 0;
  for (int i = 0; i < n; ++i) a *= in[1];
  out[0] = a;
}

// case: at=0.8,1.4
void nestedLoops(const double* in, double* out) {
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    double row = in[0] * i;
    for (int j = i; j < 5; ++j) {
      for (int k = 0; k < j; ++k) row = row * 0.5 + std::sin(in[1] * j + k);
    }
    sum += row * row;
  }
  out[0] = sum;
}

// case: at=0.8,1.4
void whileLoop(const double* in, double* out) {
  double a = in[0];
  while (a < 18.0) a = a * in[1] + 0.5;
  out[0] = a;
}

// case: at=0.8,1.4
void whileWithCounter(const double* in, double* out) {
  double a = in[0];
  int steps = 0;
  while (steps < 5 && a < 50.0) {
    a = a * a + in[1];
    ++steps;
  }
  out[0] = a * 1e-3 + steps * in[1];
}

// case: at=0.8,1.4
void doWhile(const double* in, double* out) {
  double a = in[0];
  do {
    a += std::sin(a) + in[1];
  } while (a < 5.8);
  do a *= in[0];
  while (false);
  out[0] = a;
}

// Newton's method: the number of steps depends on the values.
// case: at=2.8,1.4
void newton(const double* in, double* out) {
  double x = in[1];
  double change = 1.0;
  while (std::fabs(change) > 1e-14) {
    change = (x * x * x - in[0]) / (3.0 * x * x);
    x -= change;
  }
  out[0] = x * in[1];
}

// case: at=0.8,1.4
void breakOut(const double* in, double* out) {
  double a = in[0];
  for (int i = 0; i < 100; ++i) {
    a = a * in[1] + 0.1;
    if (a > 5.0) break;
    a += 0.01 * i * a;
  }
  out[0] = a;
}

// case: at=0.8,1.4
void continueOn(const double* in, double* out) {
  double sum = 0.0;
  for (int i = 0; i < 8; ++i) {
    const double term = std::sin(in[0] * i);
    if (term < 0.0) continue;
    sum += term * in[1];
    if (i % 3 == 0) continue;
    sum *= 1.0 + 0.1 * in[0];
  }
  out[0] = sum;
}

// case: at=0.8,1.4
void breakAndContinueNested(const double* in, double* out) {
  double a = in[0];
  for (int i = 0; i < 5; ++i) {
    int j = 0;
    while (true) {
      ++j;
      if (j == 2) continue;
      a = a * 0.8 + 0.1 * in[1] * j;
      if (j > i) break;
    }
    if (a > 100.0) break;
    a += 0.1 * a * in[0];
  }
  out[0] = a;
}

// case: at=0.8,1.4
void earlyReturn(const double* in, double* out) {
  out[0] = in[0] * in[1];
  if (in[0] < 1.0) return;
  out[0] = 0.0;
}

// case: at=0.8,1.4
void returnFromLoop(const double* in, double* out) {
  double a = in[0];
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 3; ++j) {
      a = a * in[1] + 0.05 * j;
      if (a > 6.0) {
        out[0] = a * in[0];
        return;
      }
    }
    a -= 0.1 * in[0];
  }
  out[0] = a;
}

double pickRoot(double p, double q) {
  const double discriminant = p * p - q;
  if (discriminant < 0.0) return p;
  const double root = std::sqrt(discriminant);
  if (p > 0.0) return p + root;
  return p - root;
}

// case: at=1.8,1.4
void returnsFromFunction(const double* in, double* out) {
  out[0] = pickRoot(in[0], in[1]) + pickRoot(-in[0], in[1]) * in[1] + pickRoot(in[1] - 1.0, in[0]);
}

bool countAndTest(double& value, double limit) {
  value = value * 1.5;
  return value > limit;
}

// The right operand runs, and changes its argument, only where the left one doesn't decide.
// case: at=0.8,1.4
void shortCircuit(const double* in, double* out) {
  double a = in[0], b = in[1];
  if (in[0] > 2.0 && countAndTest(a, 1.0)) a = 0.0;
  if (in[0] < 2.0 || countAndTest(a, 1.0)) b *= a;
  if (in[0] < 2.0 && countAndTest(b, 0.1)) a += b * b;
  const bool both = in[1] < 1.0 || countAndTest(a, 100.0);
  out[0] = a * b + both;
}

// case: at=0.8,1.4
void conditionWithAssignment(const double* in, double* out) {
  double a = in[0], b = 0.0;
  while ((b = a * in[1]) < 4.0) a += 0.5 * b;
  if (int n = static_cast<int>(b)) a *= n;
  out[0] = a * b;
}

// case: at=0.8,1.4
void scopesAndShadowing(const double* in, double* out) {
  double a = in[0];
  {
    double a = in[1];
    a *= a;
    out[0] = a;
  }
  for (int i = 0; i < 2; ++i) {
    double b = a * in[1];
    {
      double b = 2.0 * a;
      a = b * in[0];
    }
    a += b;
  }
  out[0] += a;
}

// case: at=0.8,1.4
void loopCounterUsedAfter(const double* in, double* out) {
  double a = in[0];
  int i;
  for (i = 0; i < 20; ++i) {
    a *= in[1];
    if (a > 5.0) break;
  }
  out[0] = a * i;
}

// case: at=0.8,1.4
void counterChangedInBody(const double* in, double* out) {
  double a = in[0];
  for (int i = 0; i < 12; ++i) {
    a = std::sin(a + i) + in[1] * a;
    if (a > 1.0) i += 2;
  }
  out[0] = a;
}

// case: at=0.8,1.4
void boundChangedInBody(const double* in, double* out) {
  double a = in[0];
  int n = 3;
  for (int i = 0; i < n; ++i) {
    a = a * in[1] + 0.1;
    if (a > 1.5 && n < 6) ++n;
  }
  out[0] = a;
}

// The trip count is an active value cut to an integer.
// case: at=0.8,4.4
void activeBound(const double* in, double* out) {
  double a = in[0];
  const int n = static_cast<int>(in[1]);
  for (int i = 0; i < n; ++i) a = a * in[0] + in[1];
  for (int i = 0; i < in[1]; ++i) a += std::sin(0.1 * a * i);
  out[0] = a;
}

// case: at=0.8,1.4
void commaAndEmptyStatements(const double* in, double* out) {
  double a = in[0], b = in[1];
  for (int i = 0; i < 3; ++i, a *= b);
  a += 1.0, b += a;
  for (; a < 9.0;) a *= b;
  out[0] = a * b;
}

// The place that an assignment gives is that of before: its index reads what the assignment writes.
// case: at=1.2,0.7 out=2
void resultOfAnIndexedAssignment(const double* in, double* out) {
  double a[4] = {in[0], in[1], 2.3, in[0] * in[1]};
  int k[3] = {1, 2, 0};
  out[0] = 0.0;
  a[0] = a[static_cast<int>(a[2])] = in[0] * in[0];
  for (int i = 0; i < 4; ++i) out[0] += (i + 1.0) * a[i] * in[1];
  double b[4] = {2.2, in[1], 1.5, in[0]};
  b[1] = b[static_cast<int>(b[0])] *= in[1] * 0.4;
  b[static_cast<int>(b[0])] += in[0];
  b[3] *= b[static_cast<int>(b[2] + 0.9)] += 1.0;
  out[1] = ++k[k[1]];
  out[1] *= (k[k[k[1] % 3] % 3] = 1);
  for (int i = 0; i < 4; ++i) out[1] += (i + 1.0) * b[i] * k[i % 3];
}

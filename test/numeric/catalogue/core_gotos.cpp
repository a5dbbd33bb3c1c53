// goto: early exits, loops, and both.
// case: at=0.3,1.1,-0.7
void gotoExit(const double* in, double* out) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      s += in[i] * in[j];
      if (s < -0.1) goto done;
    }
  s *= 2;
done:
  out[0] = s * in[0];
}
// case: at=0.3,1.1
void gotoLoop(const double* in, double* out) {
  double x = in[0];
  int k = 0;
again:
  x = 0.5 * (x + in[1] / x);
  if (++k < 6) goto again;
  out[0] = x;
}

double solve(double a, double x, int* iterations) {
  int k = 0;
again:
  if (k >= 20) goto fail;
  {
    const double f = x * x - a;
    if (f < 1e-9 && f > -1e-9) goto found;
    x -= 0.5 * f / x;
    ++k;
  }
  goto again;
fail:
  x = 0.0;
found:
  *iterations = k;
  return x;
}
// case: at=0.3,1.1
void newtonByGoto(const double* in, double* out) {
  int n = 0;
  const double r = solve(in[0], in[1], &n);
  out[0] = r * r * r + n * in[1] + r;
}

// case: at=0.3,1.1,-0.7
void gotoInNest(const double* in, double* out) {
  double s = in[0];
  for (int i = 0; i < 4; ++i) {
    double p = in[i % 3];
    for (int j = 0; j < 4; ++j) {
      switch (j) {
        case 0: p *= s; break;
        case 1: p += in[1]; break;
        case 2:
          if (p < 0.0) goto next;
          break;
        default:
          if (s > 3.0) goto done;
          p *= 1.5;
      }
    }
    s += p;
    if (i == 1) continue;
    s *= 1.1;
  next:
    s += 0.1 * p * p;
  }
  s *= 2.0;
done:
  out[0] = s * in[0];
}

// case: at=0.3,1.1,-0.7
void returnInSwitchOfLambda(const double* in, double* out) {
  double s = in[2];
  const auto pick = [&](int m) -> double {
    for (int i = 0; i < m; ++i) {
      switch (i) {
        case 0: s += in[0]; break;
        case 2:
          if (in[1] > 0.0) return s * in[1];
          break;
        default: s *= 1.5;
      }
      s += 0.1;
    }
    s += 100.0 * in[0];
    return s;
  };
  out[0] = pick(2) * pick(4);
}

// case: at=0.3,1.1,-0.7
void retryUntilSmall(const double* in, double* out) {
  double x = in[0], h = 1.0, s = 0.0;
  int tries = 0;
  for (int i = 0; i < 3; ++i) {
  retry:
    const double trial = x + h * in[i] * x;
    if (trial * trial > 0.2 && ++tries < 5) {
      h *= 0.5;
      goto retry;
    }
    x = trial;
    s += x * x * h;
    if (tries == 5) break;
  }
  out[0] = s + x;
}

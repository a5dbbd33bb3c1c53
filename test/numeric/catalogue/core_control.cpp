// The core language: switch in all its forms.

#include <algorithm>

enum Kind { kPlain, kSquare, kTwice = 7 };
enum class Mode : char { Off, On, Auto };

// case: at=0.3,1.1,-0.7,0.9
void switchInLoop(const double* in, double* out) {
  double sum = in[0];
  for (int k = 0; k < 6; ++k) {
    switch (k % 4) {
      case 0:
        sum += in[0] * in[1];
        break;
      case 1:
        sum *= in[2];
        break;
      case 2: {
        const double t = sum * in[3];
        sum += t * t;
        break;
      }
      default:
        sum -= 0.5 * in[1];
    }
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void switchFallsThrough(const double* in, double* out) {
  double sum = 0.0;
  for (int k = -1; k < 7; ++k) {
    double t = in[1];
    switch (k) {
      case 0:
      case 1:
        t *= in[0];
        [[fallthrough]];
      case 2:
        t += in[2] * t;
        [[fallthrough]];
      case 3:
        t *= t;
        break;
      case 4:
        t = in[3];
        [[fallthrough]];
      default:
        t += in[0] * 0.1 * k;
        [[fallthrough]];
      case 6:
        t *= in[1];
    }
    sum += t;
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void switchDefaultFirst(const double* in, double* out) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) {
    switch (const int which = 2 * k % 5; which) {
      default:
        sum += in[0] * which;
        break;
      case 1:
        sum += in[1] * in[2];
        break;
      case 4:
        break;
    }
  }
  out[0] = sum * in[3];
}

// case: at=0.3,1.1,-0.7,0.9
void switchBreaksInside(const double* in, double* out) {
  double sum = in[3];
  for (int k = 0; k < 8; ++k) {
    switch (k % 3) {
      case 0:
        if (sum > 2.0) break;
        sum += in[1] * in[1];
        if (k > 4) {
          sum *= 0.5;
          break;
        }
        sum += in[0];
        break;
      case 1:
        for (int j = 0; j < 5; ++j) {
          if (j == k) break;
          sum += 0.1 * j * in[2];
        }
        if (k == 4) continue;
        break;
      case 2:
        sum *= in[0] + 1.0;
        if (sum < 0.5) break;
        [[fallthrough]];
      default:
        sum -= 0.1 * in[3] * sum;
    }
    sum += 0.01 * in[2] * k;
  }
  out[0] = sum;
}

double ofKind(Kind kind, double x) {
  switch (kind) {
    case kPlain: return x;
    case kSquare: return x * x;
    case kTwice: x *= 2.0;
  }
  return x + 1.0;
}

double ofMode(Mode mode, double x) {
  switch (mode) {
    case Mode::Off: return 0.0;
    case Mode::On: break;
    case Mode::Auto:
      if (x < 0.0) return -x;
      x *= 3.0;
  }
  return x * x;
}

// case: at=0.3,1.1,-0.7,0.9
void switchOnEnum(const double* in, double* out) {
  double sum = ofKind(kPlain, in[0]) + ofKind(kSquare, in[1]) * ofKind(kTwice, in[2]);
  const Mode modes[3] = {Mode::Off, Mode::On, Mode::Auto};
  for (const Mode mode : modes) sum += ofMode(mode, in[3]) * ofMode(mode, in[2]);
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void switchInSwitch(const double* in, double* out) {
  double a = in[0], b = in[1];
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      switch (k) {
        case 0:
        case 2:
          switch (j) {
            case 0: a += in[2] * b; break;
            case 1: b *= in[3]; [[fallthrough]];
            default: a -= 0.5 * b;
          }
          break;
        case 3:
          if (j == 1) continue;
          b += a * in[3];
      }
      a *= 1.0 + 0.1 * b;
    }
  }
  out[0] = a * b;
}

// case: at=0.3,1.1,-0.7,0.9
void switchLeavesLoops(const double* in, double* out) {
  double r = in[0];
  int state = 0;
  while (true) {
    bool done = false;
    switch (state) {
      case 0:
        r += in[1];
        state = r > 2.0 ? 2 : 1;
        continue;
      case 1:
        r *= 1.5;
        state = 0;
        break;
      case 2:
        r *= in[2];
        for (int i = 0; i < 5; ++i) {
          if (r * i > 1.0 || i == 3) {
            out[0] = r * in[3] + i;
            return;
          }
          r -= 0.2 * in[3];
        }
        done = true;
        break;
    }
    r += 0.1;
    if (done) break;
  }
  out[0] = r;
}

// case: at=0.3,1.1,-0.7,0.9
void switchEmptyBranches(const double* in, double* out) {
  double sum = 0.0;
  for (unsigned k = 0; k < 5u; ++k) {
    switch (k) {
      case 1: break;
      case 3: break;
      default: sum += in[k % 4] * in[0];
    }
    switch (k) case 2: sum *= 2.0 + in[1];
    switch (k) {
    }
  }
  out[0] = sum;
}

// case: at=0.3,1.1,-0.7,0.9
void boundsWithOffset(const double* in, double* out) {
  const int n = 4;
  double u[4] = {in[0], in[1], in[2], in[3]};
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (int i = 1; i + 1 < n; ++i) u[i] += 0.25 * (u[i - 1] - u[i] * u[i + 1]);
    for (long i = n - 1; i - 1 >= 0; --i) u[i] *= 1.0 + 0.1 * u[i - 1];
    for (int i = 0; n > 2 + i; i += 1) u[i] -= 0.05 * u[i + 2];
  }
  out[0] = u[0] * u[1] + u[2] * u[3];
}

// What `?:` chooses is only read: places, calls, temporaries.
// case: at=0.4,-0.8,1.3
void choosesWhatIsRead(const double* in, double* out) {
  double a[3] = {in[0], in[1], in[2]};
  const bool first = in[1] < 0.3;
  out[0] = (first ? std::max(0.6 * in[0], 0.4 * in[2]) : in[2]) * a[0];
  for (int i = 0; i < 3; ++i) {
    const double chosen = a[i] > 0.0 ? a[i] : a[(i + 1) % 3];
    a[i] = chosen * (i == 1 ? a[0] : in[2]);
    out[0] += a[i] * chosen;
  }
  const double* from = first ? a : in;
  out[0] += from[2] * (first ? in[0] : a[1]);
}

// std::complex: arithmetic, functions, mixtures with reals, in arrays, vectors, records, parameters and results.
// group: hessian
#include <array>
#include <cmath>
#include <complex>
#include <vector>

namespace {

using Z = std::complex<double>;

Z twist(const Z& z, double t) { return z * std::polar(t, double(0.5)) + std::conj(z); }
void scaleBy(Z& z, Z factor) {
  z *= factor;
  factor += z;
  z -= factor / double(2.0);
}
Z sum(const Z* z, int n) {
  Z all = 0.0;
  for (int i = 0; i < n; ++i) all += z[i] * static_cast<double>(i + 1);
  return all;
}
struct Mode {
  Z amplitude{1.0, 0.5};
  double k = 0.0;
  Z at(double x) const { return amplitude * std::exp(Z(0.0, k * x)); }
};
struct Line {
  Line(double r, double l) : z(r, l), y(0.1, r * l) {}
  Z z, y;
};

}  // namespace

// case: at=1.2,0.7,0.45
void complexImpedance(const double* in, double* out) {
  const Z j(0.0, 1.0);
  const Z series = Z(in[0], 0.0) + j * Z(2.0 * in[1], 0.0);
  const Z shunt = Z(1.0, 0.0) / (j * Z(2.0 * in[2], 0.0) + Z(0.1, 0.0));
  Z z = series * shunt / (series + shunt);
  z *= std::exp(Z(0.0, -0.5 * in[1]));
  const Z back = std::conj(z) * Z(in[2], in[0]);
  out[0] = std::abs(z) + back.imag() + 0.3 * std::norm(back) + std::arg(series);
}

// case: at=0.8,-0.6,1.3,0.4 out=2
void complexArithmetic(const double* in, double* out) {
  Z a(in[0], in[1]), b{in[2], in[3]};
  Z c = a * b + a / b - b;
  c = c * c;
  c *= c;
  c /= a + double(2.0);
  c += c;
  c -= 3.0;
  c *= in[2];
  c /= in[3];
  c = -c + double(2.0) * a - a * in[0] + double(1.0) / b + in[1] - b / in[0];
  c = in[0];
  c += a - (in[1] + +b) * c;
  out[0] = c.real();
  out[1] = c.imag();
}

// case: at=0.8,-0.6,1.3,0.4 out=2
void complexFunctions(const double* in, double* out) {
  Z a(in[0], in[1]), b(in[2], in[3]);
  Z c = std::exp(a) + std::log(b) * std::sqrt(a) + std::sin(b) * std::cos(a) + std::sinh(a) / std::cosh(b);
  c += std::pow(a, b) + std::pow(a, 2) + std::pow(b, double(3.0)) + std::pow(a, in[0]) + std::pow(in[2], b) + std::log10(a);
  c += std::sqrt(Z(-in[2], in[3])) + std::sqrt(Z(-in[2], -in[3]));
  out[0] = std::real(c) + std::abs(a * b);
  out[1] = std::imag(c) * std::arg(b) + std::norm(a);
}

// case: at=0.8,-0.6,1.3,0.4
void complexParts(const double* in, double* out) {
  Z z(in[0]);
  z.imag(in[1] * in[2]);
  z.real(z.real() * z.imag() + in[3]);
  Z w = z;
  w.real(w.imag());
  const bool same = w == z;
  out[0] = (same ? 1.0 : z.real()) * w.real() + std::norm(w - z);
}

// case: at=0.8,-0.6
void complexPartInPlace(const double* in, double* out) {
  Z w(in[0], in[1]);
  w.real(w.real() + 1.0);
  w = w * w;
  w.imag(w.imag() - 0.5);
  out[0] = std::norm(w * w);
}

// case: at=0.8,-0.6,1.3,0.4
void complexAndCalls(const double* in, double* out) {
  Z z(in[0], in[1]);
  Z w = twist(z, in[2]);
  scaleBy(z, w);
  scaleBy(w, twist(twist(w, in[3]), in[0]));
  z = twist(w, z.real());
  out[0] = std::norm(z) + (z * w).real();
}

// case: at=0.8,-0.6,1.3,0.4
void complexArrays(const double* in, double* out) {
  Z a[3] = {{in[0], in[1]}, in[2], Z(in[3], 1.0)};
  std::array<Z, 2> b{};
  std::vector<Z> c(3);
  for (int i = 0; i < 3; ++i) c[static_cast<std::size_t>(i)] = a[i] * a[(i + 1) % 3];
  b[0] = c[0] - c[2];
  b[1] += b[0] * a[1];
  Z e[2];
  e[1] = b[1] * e[0] + b[0];
  std::vector<Z> d(c);
  d[1] *= sum(a, 3) + sum(c.data(), 3);
  out[0] = std::norm(d[1]) + std::abs(b[1] + e[1]) + d[0].real();
}

// case: at=0.8,-0.6,1.3,0.4
void complexMembers(const double* in, double* out) {
  Mode m, n = m;
  m.amplitude = {in[0], in[1]};
  m.k = in[2];
  n.amplitude *= m.at(in[3]);
  n.k = std::abs(m.at(0.5));
  const Line line(in[0], in[3]);
  m.amplitude += line.z / line.y;
  out[0] = (m.at(1.0) * std::conj(n.at(in[1]))).imag() + n.k;
}

// case: at=0.8,-0.6,1.3,0.4
void complexChoices(const double* in, double* out) {
  const Z a(in[0], in[1]), b(in[2], in[3]);
  Z c = in[0] > 0.0 ? a * b : b;
  Z z = 0.0;
  for (int k = 0; k < 12 && std::abs(z) < 1.7; ++k) z = z * z + c;
  Z& last = std::norm(z) > 1.0 ? z : c;
  last *= a;
  out[0] = std::norm(z) + c.imag();
}

// case: at=0.8,-0.6,1.3,0.4 precision=1e-5
void complexFloat(const double* in, double* out) {
  std::complex<float> z{float(in[0]), float(in[1])};
  Z w = z;
  w *= Z(in[2], in[3]);
  z = std::complex<float>(w) * z;
  out[0] = static_cast<double>(std::norm(z)) + std::abs(w);
}

// case: at=0.8,-0.6,1.3,0.4
void complexFourier(const double* in, double* out) {
  const double pi = std::acos(-1.0);
  double power = 0.0;
  for (int k = 0; k < 4; ++k) {
    Z f = 0.0;
    for (int j = 0; j < 4; ++j) f += in[j] * std::exp(Z(0.0, -2.0 * pi * k * j / 4.0));
    power += std::norm(f) * std::abs(f + double(1.0)) * (k + 1.0);
  }
  out[0] = power;
}

// case: at=0.8,-0.6,1.3,0.4
void complexAtZero(const double* in, double* out) {
  Z z(in[0] - in[0], 0.0 * in[1]);
  out[0] = std::pow(z + in[2], 2).real() + std::norm(z) + (z * in[3] + in[0]).real();
}

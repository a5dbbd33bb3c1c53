// Objects whose destructors do something: memory of their own, values handed on at the end of a scope.
#include <cstddef>
#include <cstdlib>
#include <utility>

class Buffer {
 public:
  explicit Buffer(std::size_t n) : n_(n), p_(new double[n]) { for (std::size_t i = 0; i < n; ++i) p_[i] = 0; }
  ~Buffer() { delete[] p_; }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  double& operator[](std::size_t i) { return p_[i]; }
  const double& operator[](std::size_t i) const { return p_[i]; }
  std::size_t size() const { return n_; }
 private:
  std::size_t n_;
  double* p_;
};
// case: at=0.3,1.1,-0.7
void raiiBuffer(const double* in, double* out) {
  Buffer b(6);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = in[i % 3] * in[(i + 1) % 3];
  for (std::size_t i = 1; i < b.size(); ++i) b[i] *= b[i - 1] + 1.0;
  out[0] = b[5] + b[3];
}
class DVec {
 public:
  DVec() : n_(0), p_(nullptr) {}
  explicit DVec(int n) : n_(n), p_(new double[n]()) {}
  DVec(const DVec& o) : n_(o.n_), p_(new double[o.n_]) { for (int i = 0; i < n_; ++i) p_[i] = o.p_[i]; }
  DVec(DVec&& o) noexcept : n_(o.n_), p_(o.p_) { o.p_ = nullptr; o.n_ = 0; }
  DVec& operator=(DVec o) { std::swap(n_, o.n_); std::swap(p_, o.p_); return *this; }
  ~DVec() { delete[] p_; }
  double& operator()(int i) { return p_[i]; }
  double operator()(int i) const { return p_[i]; }
  int size() const { return n_; }
 private:
  int n_;
  double* p_;
};
DVec operator+(const DVec& a, const DVec& b) { DVec r(a.size()); for (int i = 0; i < r.size(); ++i) r(i) = a(i) + b(i); return r; }
DVec operator*(double s, const DVec& a) { DVec r(a); for (int i = 0; i < r.size(); ++i) r(i) *= s; return r; }
// case: at=0.3,1.1,-0.7
void ownVector(const double* in, double* out) {
  DVec a(3), b(3);
  for (int i = 0; i < 3; ++i) { a(i) = in[i]; b(i) = in[2 - i] * in[i]; }
  DVec c = a + in[0] * b;
  c = c + c;
  double s = 0;
  for (int i = 0; i < c.size(); ++i) s += c(i) * c(i);
  out[0] = s;
}
struct Accumulate {
  double& total;
  double part = 0.0;
  explicit Accumulate(double& t) : total(t) {}
  ~Accumulate() { total += part * part; }
};
// case: at=0.3,1.1,-0.7
void scopedSum(const double* in, double* out) {
  double total = 0;
  for (int i = 0; i < 3; ++i) {
    Accumulate a(total);
    a.part += in[i];
    if (in[i] < 0) continue;
    a.part *= 2.0 * in[0];
  }
  out[0] = total;
}

class Scratch {
 public:
  explicit Scratch(int n) : Scratch(n, 1.0) {}
  Scratch(int n, double v) : n_(n), p_(static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(n)))) {
    for (int i = 0; i < n; ++i) p_[i] = v;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (p_ != nullptr) std::free(p_);
    p_ = nullptr;
  }
  double* data() { return p_; }
  double sum() const {
    double s = 0.0;
    for (int i = 0; i < n_; ++i) s += p_[i];
    return s;
  }

 private:
  int n_;
  double* p_;
};
double sumOfPowers(const double* in, int n) {
  Scratch s(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k) s.data()[i] *= in[k % 3];
  if (n > 3) return s.sum() * in[0];
  return s.sum();
}
// case: at=0.3,1.1,-0.7
void memoryInCallees(const double* in, double* out) {
  double total = 0.0;
  for (int n = 2; n < 6; ++n) {
    Scratch t(2, in[1]);
    total += sumOfPowers(in, n) * t.sum();
  }
  out[0] = total;
}

// Restores a value, whichever way out is taken.
class Restore {
 public:
  explicit Restore(double& x) : x_(x), old_(x) {}
  ~Restore() { x_ = old_; }

 private:
  double& x_;
  double old_;
};
double probe(double& state, double by) {
  Restore guard(state);
  state *= by;
  if (by < 0.0) return state * state;
  for (int i = 0; i < 3; ++i) {
    Restore inner(state);
    state += by;
    if (state > 2.0) break;
    if (i == 1) continue;
    state *= state;
    by += 0.1 * state;
  }
  return state * by;
}
// case: at=0.3,1.1,-0.7
void restoredState(const double* in, double* out) {
  double state = in[0] * in[1];
  double s = probe(state, in[1]) + probe(state, in[2]);
  out[0] = s * state;
}

struct Member {
  double& sum;
  double v;
  Member(double& s, double x) : sum(s), v(x) {}
  ~Member() { sum = sum * v + 1.0; }
};
struct Outer {
  Member a, b;
  Outer(double& s, double x, double y) : a(s, x), b(s, y) {}
  ~Outer() { a.sum *= a.v + b.v; }
};
// case: at=0.3,1.1
void orderOfDestruction(const double* in, double* out) {
  double s = in[0];
  {
    Outer o(s, in[1], in[0]);
    Member last(s, in[0] * in[1]);
    o.b.v *= 2.0;
  }
  out[0] = s;
}

// case: at=0.3,1.1,-0.7
void temporariesInLoops(const double* in, double* out) {
  DVec a(3), b(3);
  for (int i = 0; i < 3; ++i) {
    a(i) = in[i];
    b(i) = 0.5 * in[2 - i];
  }
  double s = 0.0;
  while ((a + b)(0) < 3.0) {
    a = a + b;
    a(0) += 0.9;
    for (int k = 0; k < 2; ++k) {
      const DVec c = 0.5 * a;
      if (c(1) > 100.0) break;
      s += c(k) * c(2);
    }
  }
  if (Restore guard(a(1)); s < 100.0) a(1) *= s;
  out[0] = s * a(1) + (b + b)(0);
}

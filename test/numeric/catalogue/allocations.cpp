// new, delete, malloc and free inside what is differentiated.
// group: hessian
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

// case: at=0.9,0.5
void newArray(const double* in, double* out) {
  double* a = new double[4];
  for (int k = 0; k < 4; ++k) a[k] = in[k % 2] * (k + 1);
  double s = 0.0;
  for (int k = 1; k < 4; ++k) {
    a[k] *= a[k - 1];
    s += a[k] * a[k];
  }
  delete[] a;
  out[0] = s;
}

// case: at=0.9,0.5
void newObjects(const double* in, double* out) {
  double* x = new double(in[0] * in[1]);
  double* y = new double();
  *y += *x * in[0];
  *x *= *y;
  out[0] = *x * *y;
  delete x;
  delete y;
}

// case: at=0.9,0.5
void mallocAndFree(const double* in, double* out) {
  const int n = 3;
  double* a = (double*)malloc(n * sizeof(double));
  double* b = static_cast<double*>(std::calloc(n, sizeof(double)));
  for (int k = 0; k < n; ++k) a[k] = in[0] + k * in[1];
  for (int k = 0; k < n; ++k) b[k] += a[k] * a[n - 1 - k] + b[0];
  out[0] = b[0] * b[2];
  free(a);
  std::free(b);
}

// Allocated anew in each iteration, with what lay there before gone.
// case: at=0.9,0.5
void allocatedInLoop(const double* in, double* out) {
  double x = in[0];
  for (int step = 0; step < 4; ++step) {
    double* work = new double[step + 1];
    for (int k = 0; k <= step; ++k) work[k] = x * (k + 1) + in[1];
    double s = 0.0;
    for (int k = 0; k <= step; ++k) s += std::sin(work[k]) * work[0];
    x = 0.3 * s + 0.1 * x * x;
    delete[] work;
  }
  out[0] = x;
}

// The memory outlives the block that it was allocated in.
// case: at=0.9,0.5
void outlivesItsBlock(const double* in, double* out) {
  double* p = nullptr;
  if (in[0] > 0.5) {
    p = new double[2];
    p[0] = in[0];
  } else {
    p = new double[3]();
  }
  p[1] = in[1] * p[0];
  p[0] *= p[1];
  double* rows[3];
  for (int k = 0; k < 3; ++k) {
    rows[k] = new double[k + 1];
    rows[k][k] = p[k % 2] * (k + 1.0);
    rows[k][0] = rows[k][k] * in[1];
  }
  out[0] = p[0] * p[1];
  for (int k = 0; k < 3; ++k) {
    out[0] += rows[k][0] * rows[k][k];
    delete[] rows[k];
  }
  delete[] p;
}

static void allocateInto(double*& p, int n) { p = new double[n]; }
static void release(double*& p) {
  delete[] p;
  p = nullptr;
}

// case: at=0.9,0.5
void allocatedInCallee(const double* in, double* out) {
  double* p = nullptr;
  double s = 0.0;
  for (int round = 1; round < 4; ++round) {
    allocateInto(p, round);
    for (int k = 0; k < round; ++k) p[k] = in[0] * (k + 1) + s;
    s += p[round - 1] * p[0] * in[1];
    release(p);
  }
  out[0] = s;
}

struct Node {
  double value;
  Node* next;
};

// case: at=0.9,0.5
void linkedList(const double* in, double* out) {
  Node* first = nullptr;
  for (int k = 0; k < 5; ++k) {
    Node* n = new Node;
    n->value = in[k % 2] + 0.1 * k;
    n->next = first;
    first = n;
  }
  for (Node* n = first; n->next != nullptr; n = n->next) n->value *= n->next->value;
  double s = 0.0;
  while (first != nullptr) {
    Node* gone = first;
    s = s * 0.5 + gone->value * gone->value;
    first = gone->next;
    delete gone;
  }
  out[0] = s;
}

struct Particle {
  double x, v;
};

// case: at=0.9,0.5
void arraysOfRecords(const double* in, double* out) {
  Particle* all = new Particle[3];
  Particle* one = new Particle{in[0], in[1]};
  for (int k = 0; k < 3; ++k) {
    all[k].x = one->x * (k + 1);
    all[k].v = all[k].x * one->v;
  }
  one->x = all[2].v;
  out[0] = one->x * all[0].x + all[1].v;
  delete one;
  delete[] all;
}

class Buffer {
 public:
  explicit Buffer(int n) : n_(n), data_(new double[n]) {}
  double& operator[](int k) { return data_[k]; }
  void grow() {
    double* longer = new double[2 * n_];
    for (int k = 0; k < n_; ++k) longer[k] = data_[k];
    for (int k = n_; k < 2 * n_; ++k) longer[k] = data_[k - n_] * data_[0];
    delete[] data_;
    data_ = longer;
    n_ *= 2;
  }
  double sum() const {
    double s = 0.0;
    for (int k = 0; k < n_; ++k) s += data_[k] * data_[k];
    return s;
  }

 private:
  int n_;
  double* data_;
};

// case: at=0.9,0.5
void memoryInMembers(const double* in, double* out) {
  Buffer b(2);
  b[0] = in[0];
  b[1] = in[1] * b[0];
  b.grow();
  b[3] *= b[1];
  b.grow();
  out[0] = b.sum();
}

static double recursive(double x, int depth) {
  double* own = new double[2];
  own[0] = x * x;
  own[1] = depth > 0 ? recursive(own[0] * 0.5 + 0.2, depth - 1) : x;
  const double r = own[0] * own[1];
  delete[] own;
  return r;
}

// case: at=0.9
void recursionWithMemory(const double* in, double* out) { out[0] = recursive(in[0], 4); }

// case: at=0.9,0.5
void swappedMemory(const double* in, double* out) {
  double *u = new double[4], *w = new double[4];
  for (int k = 0; k < 4; ++k) u[k] = in[k % 2];
  for (int step = 0; step < 3; ++step) {
    for (int k = 0; k < 4; ++k) w[k] = u[k] * u[(k + 1) % 4] + 0.1;
    double* t = u;
    u = w;
    w = t;
  }
  out[0] = u[0] * u[2];
  delete[] u;
  delete[] w;
}

// What indices say is allocated too.
// case: at=0.9,0.5
void allocatedIndices(const double* in, double* out) {
  int* order = new int[4];
  for (int k = 0; k < 4; ++k) order[k] = (3 * k + 1) % 4;
  double x[4] = {in[0], in[1], 0.3, in[0] * in[1]};
  for (int k = 0; k < 4; ++k) x[order[k]] *= x[k] + 0.2;
  delete[] order;
  order = new int[1]{};
  out[0] = x[order[0]] * x[2] + x[1] * x[3];
  delete[] order;
}

// Nothing frees it.
// case: at=0.9,0.5
void neverFreed(const double* in, double* out) {
  static double sink = 0.0;
  double* p = new double[2];
  p[0] = in[0];
  p[1] = p[0] * in[1];
  out[0] = p[1] * p[0] + 0.0 * sink;
}

// case: at=0.9,0.5
void uniqueArrays(const double* in, double* out) {
  std::unique_ptr<double[]> a(new double[3]);
  auto b = std::make_unique<double[]>(3);
  for (int k = 0; k < 3; ++k) a[k] = in[k % 2] * (k + 1);
  for (int step = 0; step < 3; ++step) {
    for (int k = 0; k < 3; ++k) b[k] = a[k] * a[(k + 1) % 3] + 0.1;
    std::swap(a, b);
  }
  double* raw = a.get();
  raw[0] *= b[1];
  b.reset(new double[2]);
  b[1] = raw[0] * a[2];
  out[0] = a[0] * b[1];
  b.reset();
  if (!b) out[0] *= in[1];
}

// case: at=0.9,0.5
void uniqueObjects(const double* in, double* out) {
  auto x = std::make_unique<double>(in[0] * in[1]);
  std::unique_ptr<Particle> p(new Particle{in[0], in[1]});
  std::unique_ptr<Particle> q;
  p->x *= *x;
  (*p).v += p->x;
  if (q == nullptr) q = std::move(p);
  q->x *= q->v;
  p = std::make_unique<Particle>(Particle{q->x, 0.5});
  *x = p ? p->x * p->v : 0.0;
  out[0] = *x * q->x + p->v;
}

// case: at=0.9,0.5
void uniqueInLoop(const double* in, double* out) {
  double s = in[0];
  for (int k = 1; k < 4; ++k) {
    auto work = std::make_unique<double[]>(k);
    for (int i = 0; i < k; ++i) work[i] = s * (i + 1) + in[1];
    for (int i = 1; i < k; ++i) work[i] *= work[i - 1];
    s = 0.5 * work[k - 1] + 0.1 * s * s;
  }
  out[0] = s;
}

namespace {
template <class T>
T* room(std::size_t n) {
  return static_cast<T*>(std::malloc(sizeof(T) * n));
}
double* filled(std::size_t n, double value) {
  double* made = new double[n];
  made[0] = value * value;
  return made;
}
template <class T>
void giveBack(T** p) {
  if (*p != NULL) {
    std::free(*p);
    *p = NULL;
  }
}
// Workspaces of a simulation's parts: some carry derivatives, others don't.
struct Parts {
  explicit Parts(double c) : cut(c), scale(2.0) {}
  double flux[3];
  const double cut;
  const double scale;
};
double advance(Parts& parts, double* e, int n) {
  double* work = room<double>(static_cast<std::size_t>(n));
  double* limits = room<double>(static_cast<std::size_t>(n));
  int* order = room<int>(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    order[i] = n - 1 - i;
    limits[i] = 0.1 * i;
    work[i] = e[i] * e[order[i]] + limits[i];
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    parts.flux[i % 3] = work[order[i]] * 0.5;
    e[i] = work[i] + parts.flux[i % 3];
    sum += e[i] * limits[i];
  }
  giveBack(&order);
  giveBack(&limits);
  giveBack(&work);
  return sum;
}
}  // namespace

// case: at=0.9,0.5
void givenBackByAddress(const double* in, double* out) {
  double e[4] = {in[0], in[1], in[0] * in[1], 0.3};
  Parts parts(0.5);
  double sum = 0;
  for (int t = 0; t < 3; ++t) sum += advance(parts, e, 4) + (parts.flux[1] > parts.cut ? parts.scale : 0.0);
  double* made = filled(2, in[1]);
  made[1] = made[0] * e[1];
  sum += made[1] * made[0];
  delete[] made;
  out[0] = sum + e[2];
}

// Vectors that change: growth, shrinking, whole assignment, swaps, iterators, nested vectors, vector members, after DESIGN 2.3 and
// docs/decisions/0008.
// group: hessian
#include <array>
#include <cmath>
#include <utility>
#include <vector>

// case: at=0.9,0.5
void pushBack(const double* in, double* out) {
  std::vector<double> v;
  v.push_back(in[0]);
  v.push_back(in[0] * in[1]);
  v[0] *= v[1];
  v.push_back(v[0] * v[1]);
  out[0] = v[0] + v[1] * v[2];
}

// case: at=0.9,0.5
void pushBackInLoop(const double* in, double* out) {
  std::vector<double> v;
  double x = in[0];
  for (int k = 0; k < 9; ++k) {
    x = std::sin(x) + in[1];
    v.push_back(x * x);
  }
  double s = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) s += v[k] * v[v.size() - 1 - k];
  out[0] = s;
}

// Elements are read and written while the vector grows around them.
// case: at=0.9,0.5
void growthWithUse(const double* in, double* out) {
  std::vector<double> v;
  v.push_back(in[0]);
  for (int k = 0; k < 7; ++k) {
    v[k] = v[k] * in[1] + 0.3;
    v.push_back(v[k] * v[0]);
    v[k] *= v.back();
  }
  double s = 0.0;
  for (double e : v) s += e * e;
  out[0] = s;
}

// case: at=0.9,0.5
void growthInBranches(const double* in, double* out) {
  std::vector<double> v(1, in[0]);
  for (int k = 0; k < 8; ++k) {
    if (v.back() > 0.6) {
      v.push_back(v.back() * in[1]);
    } else if (k % 2 == 0) {
      v.push_back(v[v.size() / 2] + in[0]);
      v.push_back(in[1] * v[0]);
    } else {
      v.pop_back();
      v.back() += 0.25 * in[1];
    }
  }
  out[0] = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) out[0] += v[k] * v[k] * (k + 1.0);
}

static void appendTo(std::vector<double>& v, double x, int n) {
  for (int k = 0; k < n; ++k) v.push_back(x * v.back() + 0.1);
}

// case: at=0.9,0.5
void growthInCallee(const double* in, double* out) {
  std::vector<double> v{in[0]};
  appendTo(v, in[1], 3);
  v[1] *= v[2];
  appendTo(v, v[1], 4);
  out[0] = v.back() * v.front() + v[3];
}

struct Bag {
  std::vector<double> items;
  double total = 0.0;
  void add(double x) {
    items.push_back(x);
    total += x * items.front();
  }
};

// case: at=0.9,0.5
void growthInMember(const double* in, double* out) {
  Bag bag;
  for (int k = 0; k < 5; ++k) bag.add(in[0] * in[1] + k * bag.total);
  out[0] = bag.total;
  for (double x : bag.items) out[0] += x * x;
}

// A pointer into the vector is used, and taken anew behind each growth.
// case: at=0.9,0.5 out=2
void pointerRetaken(const double* in, double* out) {
  std::vector<double> v;
  v.push_back(in[0]);
  v.push_back(in[0] * in[1]);
  for (int k = 0; k < 6; ++k) {
    const double* early = &v[k];
    const double next = std::sin(*early) * v[v.size() - 1] + 0.2 * v[v.size() / 2] + in[1];
    v.push_back(next);
    double* again = &v[k];
    *again += 0.1 * v.back() * in[1];
    if (k % 3 == 1) v.push_back(v[k]);
    again = v.data() + k + 1;
    *again = *again * v[k] + 0.05;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * v[v.size() - 1 - i] * (i + 1.0);
  out[0] = sum;
  out[1] = v.back();
}

// With room reserved a pointer stays valid while the vector grows.
// case: at=0.9,0.5
void pointerKeptByReserve(const double* in, double* out) {
  std::vector<double> v;
  v.reserve(8);
  v.push_back(in[0]);
  double* first = &v[0];
  double& second = v.emplace_back(in[1]);
  for (int k = 0; k < 5; ++k) {
    v.push_back(*first * second);
    *first = *first * *first + v.back();
    second *= 0.9;
  }
  out[0] = v[0] * v[1] + v[4] * v[6];
}

// case: at=0.9,0.5
void referenceInLoop(const double* in, double* out) {
  std::vector<double> v(2, in[0]);
  for (int k = 0; k < 4; ++k) {
    double& last = v.back();
    last = last * in[1] + v[0];
    const double copy = last;
    v.push_back(copy * copy);
  }
  out[0] = v[5] + v[3] * v[2];
}

// case: at=0.9,0.5
void resizeBothWays(const double* in, double* out) {
  std::vector<double> v(4, in[0]);
  v[3] = in[1] * in[1];
  out[0] = v[3] * v[2];
  v.resize(2);
  v[1] *= v[0];
  v.resize(6, in[0] * v[1]);
  v[2] = v[5] * in[1];
  v.resize(7);
  for (double e : v) out[0] += e * e * e + e;
}

// case: at=0.9,0.5
void shrinkThenRegrow(const double* in, double* out) {
  std::vector<double> v;
  double s = 0.0;
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 4; ++k) v.push_back(in[0] * (k + 1) + s);
    for (std::size_t k = 1; k < v.size(); ++k) s += v[k] * v[k - 1] * in[1];
    while (v.size() > 2) {
      s = 0.5 * s + v.back() * v.back();
      v.pop_back();
    }
    v.clear();
  }
  out[0] = s;
}

// case: at=0.9,0.5
void nothingInside(const double* in, double* out) {
  std::vector<double> v, w(0), u;
  v = w;
  w.swap(u);
  v.resize(0);
  v.clear();
  u.reserve(0);
  for (double e : v) out[0] += e;
  v.push_back(in[0]);
  v.pop_back();
  out[0] = v.empty() ? in[0] * in[1] : 0.0;
}

// case: at=0.9,0.5
void stackOfReals(const double* in, double* out) {
  std::vector<double> stack;
  for (int k = 0; k < 6; ++k) {
    stack.push_back(in[k % 2] + 0.1 * k);
    if (k % 3 == 2) {
      const double b = stack.back();
      stack.pop_back();
      const double a = stack.back();
      stack.pop_back();
      stack.push_back(a * b + std::exp(-a));
    }
  }
  out[0] = 1.0;
  while (!stack.empty()) {
    out[0] *= stack.back();
    stack.pop_back();
  }
}

namespace {
void assign(std::vector<double>& to, const std::vector<double>& from) { to = from; }
}  // namespace

// case: at=0.9,0.5
void assignedWhole(const double* in, double* out) {
  std::vector<double> a(3, in[0]), b;
  a[1] = in[1];
  b = a;
  b[0] *= a[1];
  a = {b[0], b[1] * b[0], in[0]};
  b = a;
  assign(a, a);
  a.assign(4, b[1]);
  a[3] *= in[1];
  b.assign(a.begin() + 1, a.end());
  b = std::vector<double>(2, b[2] * in[0]);
  out[0] = a[0] * a[3] + b[0] * b[1] + static_cast<double>(b.size());
}

// case: at=0.9,0.5
void assignedFromItself(const double* in, double* out) {
  std::vector<double> a{in[0], in[1], in[0] * in[1]};
  a = {a[2], a[0] * a[1]};
  a.push_back(a[0]);
  a.push_back(a.front());
  a.resize(6, a[1]);
  assign(a, a);
  a.insert(a.begin(), a[1] * a[2]);
  out[0] = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) out[0] += a[k] * a[k] * (k + 1.0);
}

// The two buffers of a time loop change places.
// case: at=0.9,0.5
void swappedBuffers(const double* in, double* out) {
  std::vector<double> u(5, in[0]), unew(5);
  u[2] = in[1];
  for (int step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double left = i > 0 ? u[i - 1] : 0.0, right = i + 1 < u.size() ? u[i + 1] : 0.0;
      unew[i] = u[i] + 0.2 * (left - 2.0 * u[i] + right) * u[i];
    }
    if (step % 2 == 0) std::swap(u, unew);
    else u.swap(unew);
  }
  out[0] = 0.0;
  for (double e : u) out[0] += e * e;
}

// A pointer goes with the buffer.
// case: at=0.9,0.5
void pointerThroughSwap(const double* in, double* out) {
  std::vector<double> a(2, in[0]), b(3, in[1]);
  double* p = &a[1];
  *p *= in[1];
  std::swap(a, b);
  *p = *p * b[0] + a[0];
  b[1] *= *p;
  a.swap(b);
  out[0] = *p * a[1] + b[2] * a[0];
}

// case: at=0.9,0.5
void movedVectors(const double* in, double* out) {
  std::vector<double> a(3, in[0]);
  const double* p = &a[1];
  a[1] = in[1];
  std::vector<double> b(std::move(a));
  b[0] *= *p;
  a = std::vector<double>{b[0], in[1]};
  std::vector<double> c;
  c = std::move(b);
  c[2] += *p * c[0];
  c.push_back(a[0] * c[1]);
  b.push_back(c[3]);
  out[0] = c[0] * c[3] + b[0] * a[1] * c[2];
}

static std::vector<double> powers(double x, int n) {
  std::vector<double> all;
  double p = 1.0;
  for (int k = 0; k < n; ++k) {
    p *= x;
    all.push_back(p);
  }
  return all;
}

// case: at=0.9,0.5
void returnedVectors(const double* in, double* out) {
  std::vector<double> a = powers(in[0], 4);
  a[1] *= in[1];
  const std::vector<double> b = powers(a[1], 3);
  a = powers(b[2] + in[0], 2);
  out[0] = a[0] * a[1] + b[0] * b[1];
  for (double e : powers(in[1], 3)) out[0] += e;
}

// case: at=0.9,0.5
void iteratorLoop(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], in[0] * in[1], 0.3};
  for (auto it = v.begin(); it != v.end(); ++it) *it = *it * *it + in[0];
  double s = 0.0;
  for (std::vector<double>::const_iterator it = v.begin(), end = v.end(); it != end; ++it) s += std::sin(*it);
  for (auto it = v.begin() + 1; it < v.end(); it += 2) {
    *it *= *(it - 1);
    s += it[0];
  }
  auto last = v.end();
  --last;
  out[0] = s * *last + static_cast<double>(last - v.begin());
}

// case: at=0.9,0.5
void insertAndErase(const double* in, double* out) {
  std::vector<double> v{in[0], in[1], 0.3};
  v.insert(v.begin() + 1, in[0] * in[1]);
  v[2] *= v[1];
  v.insert(v.end(), v[0]);
  v.erase(v.begin());
  v[0] += v[1] * v[3];
  v.erase(v.begin() + 1, v.begin() + 3);
  out[0] = v[0] * v[1] + static_cast<double>(v.size());
}

// case: at=0.9,0.5
void nestedVectors(const double* in, double* out) {
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 4; ++k) {
    rows.push_back(std::vector<double>(k + 1, in[0] + 0.1 * k));
    rows.back().push_back(in[1] * rows[0][0]);
    if (k > 1) rows[1].push_back(rows[k][1] * rows[k - 1].back());
  }
  rows.emplace_back();
  rows.back().resize(2, in[0]);
  rows[0].swap(rows[2]);
  rows[3] = rows[1];
  rows.pop_back();
  out[0] = 0.0;
  for (const auto& row : rows)
    for (double e : row) out[0] += e * e;
}

// Inner buffers stay where they are while the outer vector grows.
// case: at=0.9,0.5
void pointerIntoNested(const double* in, double* out) {
  std::vector<std::vector<double>> rows(1, std::vector<double>(2, in[0]));
  double* p = &rows[0][1];
  for (int k = 0; k < 5; ++k) {
    rows.push_back({in[1] * *p, 0.2});
    *p = *p * rows[k][0] + 0.1;
  }
  rows.resize(2);
  out[0] = *p * rows[1][0] + rows[0][1];
}

struct Particle {
  double x, v;
};

// case: at=0.9,0.5
void vectorOfRecords(const double* in, double* out) {
  std::vector<Particle> all;
  for (int k = 0; k < 5; ++k) {
    all.push_back({in[0] * (k + 1), in[1]});
    all.back().v *= all[k / 2].x;
    all.push_back(all[k]);
  }
  for (auto& p : all) p.x += 0.1 * p.v * p.x;
  all.erase(all.begin() + 2);
  all.resize(7);
  out[0] = 0.0;
  for (const auto& p : all) out[0] += p.x * p.v;
}

struct Track {
  std::vector<double> t;
  double scale = 1.0;
};

static Track extended(const Track& from, double by) {
  Track longer = from;
  longer.t.push_back(by * longer.t.back());
  longer.scale *= by;
  return longer;
}

// case: at=0.9,0.5
void recordsWithVectors(const double* in, double* out) {
  Track a;
  a.t = {in[0], in[1]};
  Track b = a;
  b.t[0] *= in[1];
  b = extended(b, in[0]);
  a = extended(b, b.t[2]);
  std::swap(a, b);
  std::vector<Track> all;
  all.push_back(a);
  all.push_back(b);
  all[0].t.push_back(all[1].t[3]);
  all.push_back(all[0]);
  all[2].scale *= all[1].scale;
  out[0] = 0.0;
  for (const auto& track : all)
    for (double e : track.t) out[0] += e * e * track.scale;
}

class Grid {
 public:
  Grid(int n, double x) : cells_(n, x), flux_(n) { flux_[0] = x * x; }
  void refine() {
    cells_.push_back(cells_.back() * 0.5);
    flux_.resize(cells_.size());
    flux_.back() = cells_[0] * flux_[0];
  }
  double sum() const {
    double s = 0.0;
    for (std::size_t k = 0; k < cells_.size(); ++k) s += cells_[k] * flux_[k];
    return s;
  }

 private:
  std::vector<double> cells_, flux_;
};

// case: at=0.9
void constructedMembers(const double* in, double* out) {
  Grid grid(3, in[0]);
  for (int k = 0; k < 3; ++k) grid.refine();
  out[0] = grid.sum();
}

static double recursive(double x, int depth) {
  std::vector<double> own;
  own.push_back(x);
  if (depth > 0) {
    own.push_back(recursive(x * 0.8 + 0.1, depth - 1));
    own.push_back(own[0] * own[1]);
  }
  return own.back() * own[0];
}

// case: at=0.9
void recursionWithVectors(const double* in, double* out) { out[0] = recursive(in[0], 4); }

static void split(std::vector<std::vector<double>>& leaves, double x, int depth) {
  if (depth == 0) {
    leaves.emplace_back();
    leaves.back().push_back(x);
    return;
  }
  split(leaves, x * 0.7, depth - 1);
  split(leaves, x * x, depth - 1);
  leaves.back().push_back(leaves[0][0] * x);
}

// case: at=0.9
void recursionIntoNested(const double* in, double* out) {
  std::vector<std::vector<double>> leaves;
  split(leaves, in[0], 3);
  out[0] = 0.0;
  for (const auto& leaf : leaves)
    for (double e : leaf) out[0] += e;
}

// Which elements there are is kept in vectors that carry no derivative.
// case: at=0.9,0.5
void listsOfIndices(const double* in, double* out) {
  double x[6] = {in[0], 0.2, in[1], 0.7, in[0] * in[1], 0.1};
  std::vector<int> active;
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 6; ++k)
      if (x[k] > 0.25) active.push_back(k);
    for (int k : active) x[k] = x[k] * x[(k + 1) % 6] + 0.1;
    active.clear();
  }
  out[0] = 0.0;
  for (double e : x) out[0] += e * e;
}

// A vector that a loop's condition reads.
// case: at=0.9,0.5
void workList(const double* in, double* out) {
  std::vector<double> work{in[0]};
  double s = 0.0;
  while (!work.empty() && s < 50.0) {
    const double x = work.back();
    work.pop_back();
    s += x * x;
    if (x > 0.3) {
      work.push_back(x * in[1]);
      work.push_back(x * 0.4);
    }
  }
  out[0] = s;
}

// case: at=0.9,0.5
void vectorOfPointers(const double* in, double* out) {
  double a = in[0], b = in[1], c = 0.4;
  std::vector<double*> all;
  for (int k = 0; k < 6; ++k) {
    all.push_back(k % 3 == 0 ? &a : k % 3 == 1 ? &b : &c);
    *all.back() *= *all[k / 2] + 0.1;
  }
  all.erase(all.begin());
  all.resize(4);
  for (double* p : all) *p += a * b;
  out[0] = a * b + c * c;
}

// What is called depends on an address that changes.
// case: at=0.9,0.5
void vectorsThroughPointers(const double* in, double* out) {
  std::vector<double> even(1, in[0]), odd(1, in[1]);
  std::vector<double>* target = &even;
  for (int k = 0; k < 6; ++k) {
    target->push_back(target->back() * even[0] + odd[0]);
    target = k % 2 == 0 ? &odd : &even;
    (*target)[0] *= 0.9;
  }
  out[0] = even.back() * odd.back();
}

static double lastOf(std::vector<double> copy, double x) {
  copy.push_back(x * copy[0]);
  copy[0] *= x;
  return copy.back() * copy[0];
}

// case: at=0.9,0.5
void passedByValue(const double* in, double* out) {
  std::vector<double> v{in[0], in[1]};
  out[0] = lastOf(v, in[1]) * v[0];
  out[0] += lastOf({in[0] * in[1], 0.2}, v[0]) + lastOf(std::vector<double>(2, in[1]), 2.0);
}

static Track stretched(Track track, double by) {
  for (double& t : track.t) t *= by;
  track.t.insert(track.t.begin(), by);
  return track;
}

// case: at=0.9,0.5
void recordsByValue(const double* in, double* out) {
  Track a;
  a.t.assign(2, in[0]);
  const Track b = stretched(a, in[1]);
  a = stretched(b, b.t[1]);
  out[0] = a.t[0] * a.t[3] + b.t[2];
}

// case: at=0.9,0.5
void capturedByLambda(const double* in, double* out) {
  std::vector<double> v;
  const auto add = [&](double x) {
    v.push_back(x);
    return v.back() * v[0];
  };
  double s = add(in[0]) + add(in[1]);
  for (int k = 0; k < 3; ++k) s += add(s * 0.3);
  out[0] = s + v[2];
}

// case: at=0.9,0.5
void leftEarly(const double* in, double* out) {
  std::vector<std::vector<double>> kept;
  for (int k = 0; k < 6; ++k) {
    std::vector<double> row(1, in[0] * (k + 1));
    if (k == 1) continue;
    row.push_back(row[0] * in[1]);
    if (k == 4) break;
    if (row[1] > 1e9) return;
    kept.push_back(std::move(row));
  }
  out[0] = 0.0;
  for (const auto& row : kept) out[0] += row[0] * row[1];
}

// case: at=0.9,0.5
void tablesResized(const double* in, double* out) {
  std::vector<std::vector<double>> table;
  table.resize(3, std::vector<double>(2, in[0]));
  table[1][1] *= in[1];
  table.resize(4, table[1]);
  for (auto& row : table) row.resize(3, row[1]);
  table.erase(table.begin());
  table.insert(table.begin() + 1, table[2]);
  const auto copy = table;
  table.assign(2, copy[1]);
  table[0].swap(table[1]);
  table[0][0] += copy[3][2] * copy[0][1];
  out[0] = 0.0;
  for (const auto& row : table)
    for (double e : row) out[0] += e * e;
}

// case: at=0.9,0.5
void arraysInVectors(const double* in, double* out) {
  std::vector<std::array<double, 2>> all;
  for (int k = 0; k < 4; ++k) {
    all.push_back({in[0] * k, in[1]});
    all.back()[1] *= all[0][1] + all[k][0];
  }
  std::array<std::vector<double>, 2> two;
  two[0].push_back(all[3][0]);
  two[1] = two[0];
  two[1].push_back(two[0][0] * all[2][1]);
  std::swap(two[0], two[1]);
  out[0] = two[0][1] * two[1][0] + all[1][1];
}

// case: at=0.9,0.5
void chosenVector(const double* in, double* out) {
  std::vector<double> a{in[0]}, b{in[1], in[0]};
  std::vector<double>& longer = a.size() > b.size() ? a : b;
  longer.push_back(longer[0] * a[0]);
  (in[0] > in[1] ? a : b).push_back(b[2]);
  const std::vector<double> c = in[0] > 0.0 ? a : b;
  out[0] = c.back() * c[0] + longer[2];
}

// Swapped vectors of an iteration; swapped in a function that others call with other vectors.
static void exchange(std::vector<double>& a, std::vector<double>& b) { a.swap(b); }

// case: at=0.9,0.5
void swappedInCallee(const double* in, double* out) {
  std::vector<double> u{in[0], in[1]}, w{in[1], in[0]};
  double s = 0.0;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> x(u), y{in[0] * (k + 1)};
    exchange(x, y);
    y[1] *= x[0];
    std::swap(x, y);
    s += x[1] * y[0] * x[0];
    exchange(u, w);
    w.push_back(s);
    u[0] += 0.1 * s * w.back();
  }
  out[0] = s + u[0] * w[0];
}

// The vector's size decides, and is computed from values.
// case: at=0.9,0.5
void sizesFromValues(const double* in, double* out) {
  std::vector<double> v(static_cast<std::size_t>(3.0 + in[0]), in[1]);
  while (v.size() < 7) v.push_back(v.back() * in[0] + 0.1 * static_cast<double>(v.size()));
  const std::size_t half = v.size() / 2;
  v.resize(half);
  v.resize(half + v.size());
  out[0] = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) out[0] += v[k] * v[k] + v[k] * in[0];
}

// case: at=0.9,0.5
void otherTypes(const double* in, double* out) {
  std::vector<double> wide;
  std::vector<int> counts;
  for (int k = 0; k < 4; ++k) {
    wide.push_back(in[0] * (k + 1));
    counts.push_back(k * k);
    wide[k / 2] *= wide.back() + counts[k];
  }
  counts.swap(counts);
  out[0] = (wide[0] * wide[1] + wide[3]) * in[1];
}

// case: at=0.9,0.5
void manyGrowths(const double* in, double* out) {
  std::vector<double> v;
  std::vector<std::vector<double>> parts(3);
  for (int k = 0; k < 300; ++k) {
    v.push_back(in[0] + 1e-3 * k * in[1]);
    parts[k % 3].push_back(v.back() * v[k / 2]);
    if (k % 7 == 6) v[k / 3] *= 1.0 + 1e-2 * parts[k % 3].back();
  }
  out[0] = 0.0;
  for (const auto& part : parts)
    for (std::size_t k = 1; k < part.size(); ++k) out[0] += 1e-2 * part[k] * part[k - 1];
}

struct Pool {
  std::vector<double> all;
  std::size_t size() const { return all.size(); }
  double& at(std::size_t k) { return all[k]; }
  void split(std::size_t k, double by) {
    all.push_back(all[k] * by);
    all[k] *= 1.0 - by;
  }
};

static void extend(std::vector<double>& v, std::size_t most) {
  if (v.size() < most) v.push_back(v.back() * v[0]);
}

// The loop's bound grows with what its body does.
// case: at=0.9,0.3
void growingBounds(const double* in, double* out) {
  std::vector<double> v{in[0]};
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] += in[1] * v[k];
    if (v.size() < 6) v.push_back(v[k] * v[0]);
  }
  for (std::size_t k = 0; k < v.size(); ++k) {
    extend(v, 8);
    v[k] *= v[v.size() - 1];
  }
  Pool pool;
  pool.all.push_back(v[0]);
  for (std::size_t k = 0; k < pool.size() && pool.size() < 5; ++k) {
    pool.split(k, in[1]);
    pool.at(k) += 0.1 * pool.at(pool.size() - 1);
  }
  out[0] = 0.0;
  for (double e : v) out[0] += e * e;
  for (std::size_t k = 0; k < pool.size(); ++k) out[0] += pool.at(k) * pool.at(0);
}

namespace {
struct Sack {
  double scale;
  std::vector<double> v;
};
Sack filledSack(const double* in) {
  Sack b;
  b.scale = in[0];
  b.v.reserve(8);
  b.v.push_back(in[0] * in[1]);
  b.v.push_back(in[1]);
  return b;
}
}  // namespace

// The room that a returned vector has is its shadow's as well: growing in it keeps pointers valid.
// case: at=0.7,1.3
void returnedWithRoom(const double* in, double* out) {
  Sack b = filledSack(in);
  double* p = &b.v[0];
  b.v.push_back(in[0]);
  b.v.push_back(in[1] * *p);
  *p *= in[1] * b.v[3];
  out[0] = b.v[0] * b.v[2] * b.scale + *p * b.v[3];
}

namespace {
// Vectors of numbers without derivatives, in an object that a function returns.
struct SparseRows {
  std::vector<int> begin, column;
};
SparseRows sparseRows(int n) {
  SparseRows r;
  for (int i = 0; i <= n; ++i) r.begin.push_back(2 * i);
  for (int i = 0; i < 2 * n; ++i) r.column.push_back((i * 7) % n);
  return r;
}
}  // namespace

// case: at=0.4,1.1,0.7,1.3
void vectorsOfIndicesReturned(const double* in, double* out) {
  const SparseRows a = sparseRows(4);
  double s = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = a.begin[i]; k < a.begin[i + 1]; ++k) s += in[a.column[k]] * in[a.column[k]] * in[i];
  out[0] = s;
}

// Short functions of small objects in parallel loops (docs/decisions/0014-helpers-and-objects.md).
// group: openmp threads=1,2,4
// group: hessian

struct Point {
  double x, y;
  Point& operator+=(const Point& o) {
    x += o.x;
    y += o.y;
    return *this;
  }
};
inline Point operator*(double s, const Point& p) { return {s * p.x, s * p.y}; }
inline Point turned(const Point& p, double c) { return {p.x - c * p.y, p.y + c * p.x}; }
inline double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }

// Each thread's own objects, and one for all; copies into and out of a loop.
// case: at=0.4,1.1,0.7,1.3,0.9,0.6 out=7
void pointsOfThreads(const double* in, double* out) {
  Point shift{in[0], 2 * in[1]}, last{0, 0};
  double s = 0;
#pragma omp parallel for firstprivate(shift) lastprivate(last) reduction(+ : s)
  for (int k = 0; k < 6; ++k) {
    Point v{in[k], in[(k + 1) % 6]};
    v += shift;
    last = turned(v, in[k]);
    out[1 + k] = in[k] * last.x + dot(last, last);
    s += dot(v, last);
  }
  out[0] = s + last.x * last.y;
}

// An object that is written in one loop of a region and read in the next.
// case: at=0.4,1.1,0.7,1.3,0.9,0.6 out=6
void pointForAll(const double* in, double* out) {
  Point shared{in[0], in[1]};
#pragma omp parallel
  {
    Point own{in[2], in[3]};
#pragma omp single
    shared = turned(own, shared.x);
#pragma omp for schedule(static)
    for (int k = 0; k < 6; ++k) {
      Point v = in[k] * shared;
      v += own;
      out[k] = dot(v, turned(v, 0.5 * in[k]));
    }
  }
}

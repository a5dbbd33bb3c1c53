// Nests of loops that read around themselves, with coefficients that are cheap to evaluate again: their adjoints gather what is added to
// an element. Boxes of every small size, radii that differ by direction, rows that overlap, several arrays at once.
// group: hessian
#include <climits>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

void fill(const double* in, double* u, int n) {
  for (int i = 0; i < n; ++i) u[i] = in[i % 3] * (1.0 + 0.01 * i) + 0.1 * in[(i + 1) % 3];
}
double weigh(const double* u, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (0.3 + 0.1 * (i % 7)) * u[i] * u[i];
  return sum;
}

void plate(int nx, int ny, double r, const double* a, double* b) {
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      b[i * ny + j] = a[i * ny + j] + r * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j] + a[i * ny + j - 1] + a[i * ny + j + 1] -
                                           4.0 * a[i * ny + j]);
}
// Nothing is read at the own place, and each direction has another reach.
void skewed(int nx, int ny, const double* a, double* b) {
  for (int i = 2; i < nx; ++i)
    for (int j = 0; j < ny - 3; ++j) b[i * ny + j] = 0.5 * a[(i - 2) * ny + j + 1] - 0.25 * a[i * ny + j + 3] + a[(i - 1) * ny + j];
}
void varying(int nx, int ny, const double* k, const double* a, double* b) {
  for (int i = 1; i < nx - 1; ++i) {
    const int row = i * ny;
    for (int j = 1; j < ny - 1; ++j) {
      const int at = row + j;
      const double flux = k[at] * (a[at + 1] - a[at]) - k[at - 1] * (a[at] - a[at - 1]);
      b[at] = a[at] + 0.1 * flux + 0.2 * k[at - ny] * a[at + ny];
    }
  }
}
void rows(int distance, int width, const double* a, double* b) {
  for (int i = 1; i < 5; ++i)
    for (int j = 1; j < width; ++j) b[i * distance + j] = 0.4 * a[i * distance + j - 1] + 0.3 * a[(i - 1) * distance + j];
}
constexpr int kWide = 36;
void grid(int rows, const double (*a)[kWide], double (*b)[kWide]) {
  for (int i = 1; i < rows - 1; ++i)
    for (int j = 1; j < kWide - 1; ++j) b[i][j] = 0.5 * (a[i - 1][j] + a[i + 1][j]) - 0.25 * (a[i][j - 1] + a[i][j + 1]);
}
void line(int n, const double* a, double* b) {
  for (int i = 2; i < n - 1; ++i) b[i] = 0.5 * a[i - 2] * a[i] + 2.0 * a[i + 1];
}
void between(int first, int end, const double* a, double* b) {
  for (int i = first; i < end; ++i) b[i - first + 1] = 0.5 * a[i - first + 2] + 0.25 * a[i - first + 1] - 0.3 * a[i - first];
}
void rowsBetween(int first, int last, int ny, const double* a, double* b) {
  for (int i = first; i <= last; ++i)
    for (int j = 0; j < ny; ++j) b[(i - first + 1) * ny + j] = 0.5 * a[(i - first + 2) * ny + j] - 0.3 * a[(i - first) * ny + j];
}

}  // namespace

// case: at=0.3,1.1,-0.7
void heatOnAPlate(const double* in, double* out) {
  const int nx = 9, ny = 40;
  double a[360], b[360];
  fill(in, a, nx * ny);
  fill(in, b, nx * ny);
  for (int t = 0; t < 4; t += 2) {
    plate(nx, ny, 0.2, a, b);
    plate(nx, ny, 0.2, b, a);
  }
  out[0] = weigh(a, nx * ny);
}

// No inside at all, a single element of it, rims that meet.
// case: at=0.3,1.1,-0.7
void smallBoxes(const double* in, double* out) {
  double a[100], b[100], k[100];
  fill(in, a, 100);
  fill(in, k, 100);
  out[0] = 0.0;
  for (int nx = 0; nx < 9; ++nx)
    for (int ny = 0; ny < 9; ++ny) {
      for (int i = 0; i < 100; ++i) b[i] = 0.0;
      plate(nx, ny, 0.3, a, b);
      skewed(nx, ny, b, a);
      varying(ny, nx, k, a, b);
      line(nx, a, b);
      out[0] += weigh(b, 100) / (1.0 + nx + 3.0 * ny);
    }
}

// case: at=0.3,1.1,-0.7
void threeDimensions(const double* in, double* out) {
  const int n[4][3] = {{4, 5, 40}, {3, 3, 3}, {5, 2, 9}, {3, 6, 4}};
  double a[800], b[800], c[800];
  fill(in, a, 800);
  out[0] = 0.0;
  for (int m = 0; m < 4; ++m) {
    const int nx = n[m][0], ny = n[m][1], nz = n[m][2];
    for (int i = 0; i < 800; ++i) b[i] = c[i] = 0.0;
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        for (int k = 1; k < nz - 1; ++k) {
          const int at = (i * ny + j) * nz + k;
          b[at] = a[at] + 0.1 * (a[at - 1] + a[at + 1] + a[at - nz] + a[at + nz] + a[at - ny * nz] + a[at + ny * nz] - 6.0 * a[at]);
        }
    // Downwards, and with no neighbour in the middle direction.
    for (int i = nx - 1; i >= 1; --i)
      for (int j = ny - 1; j >= 0; --j)
        for (int k = nz - 2; k > 0; --k) c[(i * ny + j) * nz + k] = b[((i - 1) * ny + j) * nz + k + 1] - 0.5 * b[(i * ny + j) * nz + k - 1];
    out[0] += weigh(c, 800);
  }
}

// Rows that are longer than the distance between them: elements are written several times.
// case: at=0.3,1.1,-0.7
void overlappingRows(const double* in, double* out) {
  double a[300], b[300] = {};
  fill(in, a, 300);
  out[0] = 0.0;
  for (int width = 36; width < 48; width += 3) {
    const int distance = 42;
    for (int i = 1; i < 5; ++i)
      for (int j = 1; j < width; ++j) b[i * distance + j] = 0.4 * a[i * distance + j - 1] + 0.3 * a[(i - 1) * distance + j] - b[i * distance + j] * 0.1;
    out[0] += weigh(b, 300);
  }
  for (int distance = -41; distance < 50; distance += 13) {
    for (int i = 0; i < 300; ++i) b[i] = 0.0;
    rows(distance, 40, a + (distance < 0 ? 220 : 0), b + (distance < 0 ? 220 : 0));
    out[0] += weigh(b, 300);
  }
  for (int i = 1; i < 5; ++i)
    for (int j = 1; j < 40; ++j) b[i * 7 + j] = 0.4 * a[i * 7 + j - 1] + 0.3 * a[(i - 1) * 7 + j];
  out[0] += weigh(b, 300);
}

// case: at=0.3,1.1,-0.7
void oneBufferForBoth(const double* in, double* out) {
  double u[400];
  fill(in, u, 400);
  plate(5, 40, 0.1, u, u + 7);
  plate(5, 40, 0.2, u + 41, u);
  plate(4, 40, 0.2, u, u);
  skewed(5, 40, u + 3, u);
  out[0] = weigh(u, 400);
}

// Arrays of arrays: local ones, by a pointer to rows, overlapping by a row, and of three dimensions.
// case: at=0.3,1.1,-0.7
void arraysOfArrays(const double* in, double* out) {
  double a[8][kWide], b[8][kWide] = {};
  fill(in, &a[0][0], 8 * kWide);
  grid(8, a, b);
  grid(7, b + 1, a);
  grid(6, a, a + 1);
  for (int i = 1; i < 7; ++i)
    for (int j = 2; j < kWide; ++j) b[i][j] = a[i][j] + 0.5 * a[i + 1][j - 2];
  out[0] = weigh(&b[0][0], 8 * kWide);
  double c[4][3][35], d[4][3][35] = {};
  fill(in, &c[0][0][0], 4 * 3 * 35);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 34; ++k) d[i][j][k] = c[i][j][k] + 0.5 * c[i + 1][j][k] - 0.25 * c[i][j + 1][k + 1];
  out[0] += weigh(&d[0][0][0], 4 * 3 * 35);
  double pairs[40][2], sums[40][2] = {};
  fill(in, &pairs[0][0], 80);
  for (int i = 1; i < 39; ++i) {
    sums[i][0] = pairs[i - 1][0] + pairs[i + 1][0] - 0.5 * pairs[i][1];
    sums[i][1] = pairs[i - 1][1] * pairs[i + 1][0];
  }
  out[0] += weigh(&sums[0][0], 80);
}

// Several components, distances that aren't multiples, and two arrays of which one has no neighbours.
// case: at=0.3,1.1,-0.7
void components(const double* in, double* out) {
  const int nx = 6, ny = 35;
  std::vector<double> a(3 * nx * ny), b(3 * nx * ny), k(nx * ny);
  fill(in, a.data(), 3 * nx * ny);
  fill(in, k.data(), nx * ny);
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j) {
      const int at = 3 * (i * ny + j);
      b[at] = 0.1 * (a[at + 3] + a[at - 3]) + a[at + 1];
      b[at + 1] = 0.3 * a[at + 1 + 3 * ny] - k[i * ny + j] * a[at + 4];
      b[at + 2] = a[at + 2] - 0.2 * a[at - 3 * ny + 2];
    }
  out[0] = weigh(b.data(), 3 * nx * ny);
}

// case: at=0.3,1.1,-0.7
void coefficientsThatVary(const double* in, double* out) {
  const int nx = 7, ny = 38;
  double k[266], a[266], b[266] = {};
  fill(in, k, nx * ny);
  fill(in, a, nx * ny);
  varying(nx, ny, k, a, b);
  varying(nx, ny, b, k, a);
  out[0] = weigh(a, nx * ny);
}

// Names for rows around, of which some aren't needed where elements are gathered.
// case: at=0.3,1.1,-0.7
void namedRows(const double* in, double* out) {
  const int nx = 6, ny = 38;
  double a[228], b[228] = {};
  fill(in, a, nx * ny);
  for (int i = 1; i < nx - 1; ++i) {
    const int here = i * ny, above = here - ny, below = (i + 1) * ny;
    for (int j = 1; j < ny; ++j) {
      const int left = j - 1;
      b[here + left] = 0.5 * a[above + j] - 0.25 * a[below + left];
    }
  }
  out[0] = weigh(b, nx * ny);
}

// Loops over boxes only: here the inner one's ends change.
// case: at=0.3,1.1,-0.7
void triangles(const double* in, double* out) {
  const int n = 40;
  double a[1600], b[1600] = {};
  fill(in, a, n * n);
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < i; ++j) b[i * n + j] = 0.5 * a[i * n + j - 1] + 0.25 * a[(i - 1) * n + j];
  for (int i = 1; i < n - 1; ++i) {
    const int last = n - 1 - i % 3;
    for (int j = 1; j < last; ++j) b[i * n + j] += 0.5 * a[i * n + j + 1] + 0.25 * a[(i + 1) * n + j];
  }
  out[0] = weigh(b, n * n);
}

// Indices of other types, strides of two, elements that count down.
// case: at=0.3,1.1,-0.7
void manyIndices(const double* in, double* out) {
  const std::size_t rows = 5, columns = 37;
  double a[400], b[400] = {};
  fill(in, a, 400);
  for (long i = 1; i < 4; ++i)
    for (long j = 0; j <= 35; ++j) b[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)] = 0.5 * a[(i - 1) * 37 + j + 1] - a[i * 37 + j];
  out[0] = weigh(b, static_cast<int>(rows * columns));
  for (int i = 0; i < 4; ++i)
    for (int j = 1; j < 40; ++j) b[i * 90 + 2 * j] = a[i * 90 + 2 * j - 2] + 0.5 * a[i * 90 + 2 * j] + a[i * 90 + 2 * j + 1];
  out[0] += weigh(b, 400);
  for (int i = 1; i < 4; ++i)
    for (int j = 1; j < 40; ++j) b[399 - (i * 50 + j)] = a[399 - (i * 50 + j)] - 0.5 * a[400 - (i * 50 + j)] + 2.0 * a[399 - ((i - 1) * 50 + j)];
  out[0] += weigh(b, 400);
}

// What is written is read before it; the state is recorded in each of the steps.
// case: at=0.3,1.1,-0.7
void inPlaceBesideNeighbours(const double* in, double* out) {
  const int nx = 5, ny = 36;
  double a[180], b[180];
  fill(in, a, nx * ny);
  fill(in, b, nx * ny);
  for (int t = 0; t < 3; ++t) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j) b[i * ny + j] = 0.5 * b[i * ny + j] * b[i * ny + j] + a[i * ny + j + 1] * a[(i + 1) * ny + j];
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j) a[i * ny + j] = 0.9 * a[i * ny + j] + 0.01 * b[i * ny + j - 1] * b[(i - 1) * ny + j];
  }
  out[0] = weigh(b, nx * ny);
}

// What each row reads once is there for these rows only: a gather goes beyond them.
// case: at=0.3,1.1,-0.7
void weightsOfRows(const double* in, double* out) {
  const int nx = 6, ny = 40;
  const std::vector<int> weights = {3, -1, 2, 5};
  double a[240], b[240] = {};
  fill(in, a, nx * ny);
  for (int i = 1; i < nx - 1; ++i) {
    const int weight = weights[i - 1];
    for (int j = 1; j < ny - 1; ++j) b[i * ny + j] = weight * a[(i - 1) * ny + j] + 0.5 * a[(i + 1) * ny + j] - a[i * ny + j + 1];
  }
  out[0] = weigh(b, nx * ny);
}

// Adjoints that are set to something else than zero, by what another one was before.
// case: at=0.3,1.1,-0.7
void relaxed(const double* in, double* out) {
  const int nx = 6, ny = 37;
  double a[222], u[222], v[222];
  fill(in, a, nx * ny);
  fill(in, u, nx * ny);
  fill(in, v, nx * ny);
  for (int t = 0; t < 3; ++t) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j) {
        const int at = i * ny + j;
        u[at] = 0.5 * u[at] + 0.1 * (a[at - 1] + a[at + 1] + a[at - ny] + a[at + ny]);
        v[at] = 0.9 * v[at] + 0.3 * u[at] - 0.2 * a[at + 1];
      }
    for (int i = 1; i < nx * ny - 1; ++i) a[i] = 0.25 * a[i] + 0.2 * v[i - 1] + 0.1 * v[i + 1];
  }
  out[0] = weigh(a, nx * ny) + weigh(u, nx * ny);
}

// Terms that are expensive, or not linear in what was there: evaluated once, as before.
// case: at=0.3,1.1,-0.7
void expensive(const double* in, double* out) {
  const int nx = 5, ny = 40;
  double a[200], b[200] = {};
  fill(in, a, nx * ny);
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      b[i * ny + j] = std::sin(a[i * ny + j + 1] * a[(i - 1) * ny + j]) + std::sqrt(1.0 + a[i * ny + j - 1] * a[i * ny + j - 1]);
  out[0] = weigh(b, nx * ny);
}

// The radius that is gathered at most, and one more.
// case: at=0.3,1.1,-0.7
void farNeighbours(const double* in, double* out) {
  const int nx = 12, ny = 40;
  double a[480], b[480] = {};
  fill(in, a, nx * ny);
  for (int i = 3; i < nx - 3; ++i)
    for (int j = 3; j < ny - 3; ++j) b[i * ny + j] = a[(i - 3) * ny + j] + 0.5 * a[i * ny + j + 3] - a[(i + 3) * ny + j - 3];
  for (int i = 4; i < nx - 4; ++i)
    for (int j = 4; j < ny - 4; ++j) b[i * ny + j] += a[(i - 4) * ny + j] + 0.5 * a[i * ny + j + 4] - a[i * ny + j];
  out[0] = weigh(b, nx * ny);
}

// Indices that are small, of counters that are as large as they can be: beyond the nest's ends there is no further one.
// case: at=0.3,1.1,-0.7
void countersAtTheLimit(const double* in, double* out) {
  double a[500], b[500] = {};
  fill(in, a, 500);
  out[0] = 0.0;
  for (int n = 2; n < 50; n += 15) {
    between(INT_MAX - n, INT_MAX, a, b);
    between(INT_MIN + 1, INT_MIN + n, b, a + 50);
    rowsBetween(INT_MAX - 7, INT_MAX - 1, n, a, b);
    out[0] += weigh(b, 500);
  }
}

namespace {
void plateWith(int nx, int ny, const double& r, double s, const double* a, double* b) {
  for (int i = 1; i < nx - 1; ++i)
    for (int j = 1; j < ny - 1; ++j)
      b[i * ny + j] = s * a[i * ny + j] + r * (a[(i - 1) * ny + j] + a[(i + 1) * ny + j] - a[i * ny + j - 1] * a[i * ny + j + 1]) + s;
}
void lineWith(int n, double r, double s, const double* a, double* b) {
  for (int i = 2; i < n - 1; ++i) b[i] = (a[i + 1] - a[i - 2]) * a[i - 1] - r * a[i] + s;
}
}  // namespace

// Coefficients that are differentiated too: numbers that every iteration adds to.
// case: at=0.3,1.1,-0.7
void coefficients(const double* in, double* out) {
  double a[360], b[360];
  fill(in, a, 360);
  out[0] = 0.0;
  for (int nx = 1; nx < 9; nx += 2) {
    for (int i = 0; i < 360; ++i) b[i] = in[i % 3];
    plateWith(nx, 40, in[0], 0.3 * in[1], a, b);
    plateWith(40, nx, in[2], in[1], a, b);
    lineWith(5 * nx, in[0], in[1], a, b);
    lineWith(nx, in[1], 2.0 * in[1] - in[0], b, a);
    out[0] += weigh(b, 360) + weigh(a, 360);
  }
}

// The number is read in the loop that adds to its adjoint, and what it weighs is written there.
// case: at=0.3,1.1,-0.7
void weightsAndSums(const double* in, double* out) {
  double a[60], b[60], sum = in[0];
  fill(in, a, 60);
  fill(in, b, 60);
  double weight = in[1];
  for (int t = 0; t < 3; ++t) {
    for (int i = 1; i < 59; ++i) {
      sum += weight * b[i] * 0.01;
      b[i] = a[i - 1] * weight + 0.5 * a[i + 1];
    }
    for (int i = 1; i < 59; ++i) a[i] = 0.5 * b[i] - 0.2 * b[i - 1];
    weight = 0.7 * weight + 0.01 * sum;
  }
  out[0] = sum + weigh(a, 60) + weigh(b, 60) * weight;
}

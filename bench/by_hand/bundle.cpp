// Value and gradient of one observation at once.
#include "by_hand.hpp"

namespace {

struct Vector {
  double x, y, z;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator*(double s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
void add(double* to, Vector a) {
  to[0] += a.x;
  to[1] += a.y;
  to[2] += a.z;
}

// The value of one observation; adds its gradient.
double observation(const double* camera, double* camera_b, const double* point, double* point_b, double weight,
                   double& weight_b, const double* measured) {
  const Vector r{camera[0], camera[1], camera[2]};
  const Vector v{point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
  const double square = dot(r, r), angle = std::sqrt(square);
  const bool turned = square > 0;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const Vector w = turned ? (1.0 / angle) * r : r, side = cross(w, v);
  const double wv = dot(w, v), along = wv * (1.0 - cosine);
  const Vector seen = turned ? cosine * v + sine * side + along * w : v + side;
  const double inverse = 1.0 / seen.z, px = seen.x * inverse, py = seen.y * inverse, radius = px * px + py * py;
  const double distortion = 1.0 + radius * (camera[9] + camera[10] * radius);
  const double dx = px * distortion * camera[6] + camera[7] - measured[0];
  const double dy = py * distortion * camera[6] + camera[8] - measured[1];

  const double ix_b = weight * weight * dx, iy_b = weight * weight * dy;
  weight_b += weight * (dx * dx + dy * dy);
  camera_b[7] += ix_b;
  camera_b[8] += iy_b;
  const double common = px * ix_b + py * iy_b, distortion_b = common * camera[6];
  camera_b[6] += common * distortion;
  camera_b[9] += distortion_b * radius;
  camera_b[10] += distortion_b * radius * radius;
  const double radius_b = distortion_b * (camera[9] + 2.0 * camera[10] * radius);
  const double px_b = ix_b * distortion * camera[6] + 2.0 * px * radius_b;
  const double py_b = iy_b * distortion * camera[6] + 2.0 * py * radius_b;
  const Vector seen_b{px_b * inverse, py_b * inverse, -(px_b * px + py_b * py) * inverse};
  Vector v_b, r_b;
  if (turned) {
    const double along_b = dot(seen_b, w), wv_b = along_b * (1.0 - cosine);
    const Vector side_b = sine * seen_b;
    v_b = cosine * seen_b + cross(side_b, w) + wv_b * w;
    const Vector w_b = along * seen_b + cross(v, side_b) + wv_b * v;
    const double angle_b = dot(seen_b, side) * cosine - (dot(seen_b, v) - along_b * wv) * sine;
    r_b = (1.0 / angle) * w_b + (angle_b - dot(w_b, w) / angle) * w;
  } else {
    v_b = seen_b + cross(seen_b, r);
    r_b = cross(v, seen_b);
  }
  add(camera_b, r_b);
  add(camera_b + 3, -1.0 * v_b);
  add(point_b, v_b);
  return 0.5 * weight * weight * (dx * dx + dy * dy);
}

}  // namespace

double bundle_by_hand(const int* size, const double* x, double* x_b, const double* constant, double*, double*,
                      Records&) {
  const int cameras = size[0], points = size[1], observations = size[2];
  const int *camera = size + 3, *point = size + 3 + observations;
  const int positions = 11 * cameras, weights = positions + 3 * points;
  double sum = 0;
  for (int o = 0; o < observations; ++o) {
    const int c = 11 * camera[o], p = positions + 3 * point[o];
    sum += observation(x + c, x_b + c, x + p, x_b + p, x[weights + o], x_b[weights + o], constant + 2 * o);
  }
  return sum;
}

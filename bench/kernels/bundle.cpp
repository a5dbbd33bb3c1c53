// Half the squared reprojection error of bundle adjustment: pinhole cameras with a Rodrigues rotation and radial distortion.
//
//     size      cameras, points, observations, camera[observations], point[observations]
//     x         cameras[][11]: rotation[3], centre[3], focal length, principal point[2], distortion[2];
//               points[][3]; weights[observations]
//     constant  measured[observations][2]
//     work      1
#include "real.hpp"

namespace {

void rotate(const Real* r, const Real* v, Real* result) {
  const Real square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square > 0) {
    const Real angle = sqrt(square);
    const Real cosine = cos(angle), sine = sin(angle);
    const Real w[3] = {r[0] / angle, r[1] / angle, r[2] / angle};
    const Real along = (w[0] * v[0] + w[1] * v[1] + w[2] * v[2]) * (1.0 - cosine);
    result[0] = v[0] * cosine + (w[1] * v[2] - w[2] * v[1]) * sine + w[0] * along;
    result[1] = v[1] * cosine + (w[2] * v[0] - w[0] * v[2]) * sine + w[1] * along;
    result[2] = v[2] * cosine + (w[0] * v[1] - w[1] * v[0]) * sine + w[2] * along;
  } else {
    result[0] = v[0] + r[1] * v[2] - r[2] * v[1];
    result[1] = v[1] + r[2] * v[0] - r[0] * v[2];
    result[2] = v[2] + r[0] * v[1] - r[1] * v[0];
  }
}

void project(const Real* camera, const Real* point, Real* image) {
  const Real v[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
  Real seen[3];
  rotate(camera, v, seen);
  const Real px = seen[0] / seen[2], py = seen[1] / seen[2];
  const Real square = px * px + py * py;
  const Real distortion = 1.0 + camera[9] * square + camera[10] * square * square;
  image[0] = px * distortion * camera[6] + camera[7];
  image[1] = py * distortion * camera[6] + camera[8];
}

}  // namespace

Real bundle(const int* size, const Real* __restrict__ x, const double* __restrict__ constant, Real* __restrict__) {
  const int cameras = size[0], points = size[1], observations = size[2];
  const int* camera = size + 3;
  const int* point = size + 3 + observations;
  const Real* position = x + 11 * cameras;
  const Real* weight = x + 11 * cameras + 3 * points;
  Real sum = 0;
  for (int o = 0; o < observations; ++o) {
    Real image[2];
    project(x + 11 * camera[o], position + 3 * point[o], image);
    const Real ex = weight[o] * (image[0] - constant[2 * o]);
    const Real ey = weight[o] * (image[1] - constant[2 * o + 1]);
    sum += 0.5 * (ex * ex + ey * ey);
  }
  return sum;
}

#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

struct Colour {
  double red, green, blue;  // 0 … 255
};

// Anchors at equal distances; colours between them are interpolated.
const std::vector<Colour> kViridis = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                                      {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
const std::vector<Colour> kBlueWhiteRed = {{5, 48, 97},     {67, 147, 195}, {209, 229, 240}, {247, 247, 247},
                                           {253, 219, 199}, {214, 96, 77},  {103, 0, 31}};

Colour colourOf(double fraction, Palette palette) {
  const std::vector<Colour>& anchors = palette == Palette::Sequential ? kViridis : kBlueWhiteRed;
  const double last = static_cast<double>(anchors.size() - 1);
  const double at = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) * last : 0.0;
  const std::size_t below = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
  const double t = at - static_cast<double>(below);
  const Colour &a = anchors[below], &b = anchors[below + 1];
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

}  // namespace

bool writePicture(const std::string& path, const std::vector<double>& field, int nx, int ny, double low, double high,
                  Palette palette) {
  const int zoom = std::max(1, 512 / std::max(nx, ny));  // small fields are enlarged
  std::vector<png_byte> pixels(3 * static_cast<std::size_t>(nx) * ny * zoom * zoom);
  std::size_t next = 0;
  for (int row = ny * zoom - 1; row >= 0; --row) {
    for (int column = 0; column < nx * zoom; ++column) {
      const double value = field[static_cast<std::size_t>(row / zoom) * nx + column / zoom];
      const Colour colour = colourOf((value - low) / (high - low), palette);
      pixels[next++] = static_cast<png_byte>(std::lround(colour.red));
      pixels[next++] = static_cast<png_byte>(std::lround(colour.green));
      pixels[next++] = static_cast<png_byte>(std::lround(colour.blue));
    }
  }
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(nx * zoom);
  image.height = static_cast<png_uint_32>(ny * zoom);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) == 0) {
    std::fprintf(stderr, "heat: can't write '%s': %s\n", path.c_str(), image.message);
    return false;
  }
  return true;
}

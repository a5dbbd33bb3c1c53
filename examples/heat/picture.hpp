// Pictures of fields as PNG files.
#pragma once

#include <string>
#include <vector>

enum class Palette {
  Sequential,  // viridis: dark for `low`, bright for `high`
  Diverging    // blue below, white at, red above the middle of `low` and `high`
};

// Writes nx * ny values, row after row, the last row on top. Values are cut off at low and high. Returns false and says
// why on stderr if the file can't be written.
bool writePicture(const std::string& path, const std::vector<double>& field, int nx, int ny, double low, double high,
                  Palette palette);

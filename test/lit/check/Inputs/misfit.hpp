#pragma once
#include <vector>

struct Source {
  double strength[2];
  float width;
};
struct Model {
  Source source;
  double offset;
  int cells;
};

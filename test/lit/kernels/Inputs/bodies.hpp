// Of nbody.cpp.
#pragma once

struct Bodies {
  int count;
  double softening;
  const double* mass;
};

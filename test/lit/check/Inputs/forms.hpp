#pragma once
#include <complex>
#include <vector>

namespace ns {
struct Spring {
  explicit Spring(int n) : cells(n) {}
  double energy(double x) const;
  double stiffness = 2;
  int cells;
};
}  // namespace ns

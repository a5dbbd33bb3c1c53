// Of edge_flux.cpp.
#pragma once

struct Mesh {
  int cells, edges;
  const int* left;
  const int* right;
  const double* length;
};

// The plate that the example looks at: how it is split over ranks, its true conductivity, and whole fields on rank 0.
#pragma once

#include "heat.hpp"

#include <vector>

// This rank's part of a plate of nx by ny cells. Physics and observations are set to sensible values for any size.
// Aborts if a rank would be left without cells.
Grid makeGrid(int nx, int ny, int steps);

// What the inverse problem looks for, in this rank's cells.
std::vector<double> trueConductivity(const Grid& g);

// The whole plate's field, row after row, on rank 0; elsewhere empty.
std::vector<double> gatherPlate(const Grid& g, const std::vector<double>& field);

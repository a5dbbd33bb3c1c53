// Included by run.py before a catalogue file, to compile it once more with long double in the place of double and
// float: what the derivatives are compared with. All headers that the catalogue uses stand here, before the words
// change.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef NUMERIC_MPI
#include <mpi.h>
#undef MPI_DOUBLE
#undef MPI_FLOAT
#define MPI_DOUBLE MPI_LONG_DOUBLE
#define MPI_FLOAT MPI_LONG_DOUBLE
#endif

#include "catalogue/extended.hpp"

#define NUMERIC_REFERENCE  // for the few places that have to say something else
#define double Extended
#define float Extended

// The type of the numbers that are differentiated: double, or ADOL-C's where a kernel is compiled a second time for it.
#pragma once

#include <cmath>

#ifdef BENCH_ADOLC
#include <adolc/adouble.h>
using Real = adouble;
#else
using Real = double;
#endif

// The type of the numbers that are differentiated: double, or that of ADOL-C or Sacado where a kernel is compiled again for them.
#pragma once

#include <cmath>

#if defined(BENCH_ADOLC)
#include <adolc/adouble.h>
using Real = adouble;
#elif defined(BENCH_SACADO)
#include <Sacado_trad.hpp>
using Real = Sacado::Rad::ADvar<double>;
#else
using Real = double;
#endif

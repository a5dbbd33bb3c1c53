// One random program with its derivatives, as harness.py lists them for driver.cpp.
#pragma once

#include "dual.hpp"

namespace fuzz {

// FUZZ_DIRECTIONS: at least as many as all ranks together have independents.
using First = Dual<double, FUZZ_DIRECTIONS>;
using Second = Dual<Dual<double, 1>, FUZZ_DIRECTIONS>;

struct Case {
  const char* name;
  int inputs, outputs;
  const double* at;     // the point: `inputs` values
  const double* start;  // what out holds before the call: `outputs` values
  bool inout;           // out is an independent too; otherwise the program overwrites all of it
  double precision;     // of the arithmetic, relative to the sum of absolute terms
  void (*primal)(const double* in, double* out);
  void (*reference)(const First* in, First* out);
  void (*tangent)(const double* in, const double* in_d, double* out, double* out_d);
  void (*adjoint)(const double* in, double* in_b, double* out, double* out_b);
  void (*hessian)(const double* in, const double* in_d, double* in_b, double* in_b_d, double* out, double* out_d,
                  double* out_b, double* out_b_d);  // null: not asked for
  void (*second)(const Second* in, Second* out);    // the reference of hessian
};

extern const Case kCases[];
extern const int kCaseCount;

}  // namespace fuzz

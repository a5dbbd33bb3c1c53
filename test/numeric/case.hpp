// One function of the catalogue with its derivatives, as run.py lists them for driver.cpp.
#pragma once

using Primal = void(const double* in, double* out);
using Reference = void(const long double* in, long double* out);  // the same source, with long double for double
using Tangent = void(const double* in, const double* in_d, double* out, double* out_d);
using Adjoint = void(const double* in, double* in_b, double* out, double* out_b);
using Hessian = void(const double* in, const double* in_d, double* in_b, double* in_b_d, double* out, double* out_d,
                     double* out_b, double* out_b_d);  // the tangent of the adjoint

struct Case {
  const char* name;
  int inputs, outputs;
  const double* at;     // the point: `inputs` values
  const double* start;  // what out holds before the call: `outputs` values
  bool inout;           // out is an independent too; otherwise the function overwrites all of it
  double precision;     // of the arithmetic: how well tangent and adjoint agree
  Primal* primal;
  Reference* reference;
  Tangent* tangent;
  Adjoint* adjoint;
  Hessian* hessian;  // null: not asked for
};

extern const Case kCases[];
extern const int kCaseCount;

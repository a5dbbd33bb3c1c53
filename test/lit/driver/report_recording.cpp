// --report says what each loop records, what it would be without analyses, and what a checkpoint would do; --report=json the same.
// RUN: rm -rf %t && mkdir %t
// RUN: %contraflow %s --report --adjoint 'f(x -> return)' --out-dir %t -- -std=c++17 | FileCheck %s
// RUN: %contraflow %s --report=json --adjoint 'f(x -> return)' --out-dir %t -- -std=c++17 > %t/report.json
// RUN: %python -m json.tool %t/report.json | FileCheck %s --check-prefix=JSON
// RUN: not %contraflow %s --report=yaml --adjoint 'f(x -> return)' --out-dir %t -- -std=c++17 2>&1 | FileCheck %s --check-prefix=YAML
#include <vector>

double f(const double* x, int n, int steps) {
  std::vector<double> u(x, x + n), w(n, 0.0);
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) w[i] = 2.0 * u[i];
    for (int i = 0; i < n; ++i) u[i] = u[i] * w[i];
  }
  double power = 1.0;
#pragma contraflow checkpoint(binomial, snapshots: 3)
  for (int t = 0; t < steps; ++t) power = power * u[t % n];
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += u[i];
  return sum * power;
}

// CHECK: adjoint of f(x -> return)
// CHECK-NEXT: report_recording.cpp:11: each iteration of the loop in 'f' records 0 bytes, and what the loops in it do
// CHECK-NEXT: a checkpoint would record one iteration at a time; its snapshots would hold w, u
// CHECK-NEXT: report_recording.cpp:12: each iteration of the loop in 'f' records 8 bytes
// CHECK-NEXT: line 12: w[i], 8 bytes
// CHECK-NEXT: report_recording.cpp:13: each iteration of the loop in 'f' records 8 bytes
// CHECK-NEXT: line 13: u[i], 8 bytes

// JSON: "heads": [
// JSON: "recorded": [
// JSON: "bytes": 0,
// JSON: "snapshot": [
// JSON-NEXT: "w",
// JSON-NEXT: "u"
// JSON: "bytes": 8,
// JSON-NEXT: "bytesWithoutAnalyses": 8,
// JSON-NEXT: "checkpointed": false,
// JSON: "function": "f",
// JSON-NEXT: "line": 12,
// JSON: "region": "iteration",

// YAML: '--report': 'yaml' isn't one of 'text', 'json', 'html'

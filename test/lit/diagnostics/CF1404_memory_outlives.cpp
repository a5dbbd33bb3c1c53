// Memory that is allocated inside and reached afterwards, and memory of the caller's that is freed inside.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'fill(x -> b.data)' --out-dir %t 2>&1 | FileCheck %s
// RUN: not %contraflow %s --adjoint 'fill(x -> b.data)' --no-analysis --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Buffer {
  double* data;
};

void fill(Buffer& b, double x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: memory is freed that the differentiated function may not have allocated [CF1404]
  delete[] b.data;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the memory that is allocated here may outlive the differentiated function [CF1404]
  b.data = new double[2];
  // CHECK: note: allocate and free it in one function
  b.data[0] = x;
}

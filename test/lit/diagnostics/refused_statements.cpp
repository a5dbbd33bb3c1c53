// Statements that are refused, and functions that are as a whole.
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint tried --adjoint tryBlock --adjoint assembly --adjoint deepCase --adjoint range \
// RUN:     --adjoint sharedByCases --adjoint computed --adjoint rethrown --adjoint declaredInFor \
// RUN:     --adjoint destroyedElsewhere \
// RUN:     --out-dir %t -- -std=c++20 2>&1 | FileCheck %s
// RUN: ls %t | count 0
#include <csetjmp>
#include <stdexcept>
double tried(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'try' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: handle errors outside of the differentiated code
  try {
    return x * x;
  } catch (const std::exception&) {
    return x;
  }
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a function try block isn't supported in code to be differentiated [CF1101]
// CHECK: note: handle errors outside
double tryBlock(double x) try {
  return x * x;
} catch (...) {
  return 0;
}
double assembly(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: inline assembly isn't supported in code to be differentiated [CF1101]
  // CHECK: note: write it in C++
  asm("nop");
  return x;
}
double deepCase(double x, int n) {
  switch (n) {
    case 0: x *= 2; break;
    case 1:
      // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a case label inside of another statement isn't supported in code to be differentiated [CF1101]
      // CHECK: note: put all labels into the block of the switch
      if (x > 0) {
        case 2: x *= 3;
      }
      break;
    default: break;
  }
  return x;
}
double range(double x, int n) {
  switch (n) {
    // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a range of cases isn't supported in code to be differentiated [CF1101]
    // CHECK: note: use if and else
    case 1 ... 3: return x;
    default: return x * x;
  }
}
double sharedByCases(double x, int n) {
  switch (n) {
    case 1:
      // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a variable that several cases share isn't supported in code to be differentiated [CF1101]
      // CHECK: note: declare it before the switch
      double y;
      y = x;
      return y;
    default: y = x * x; return y;
  }
}
double computed(double x, int n) {
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: error: this expression (AddrLabelExpr) isn't supported in code to be differentiated [CF1102]
  // CHECK: note: rewrite it in plainer C++
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: this expression (AddrLabelExpr) isn't supported in code to be differentiated [CF1102]
  // CHECK: note: rewrite it in plainer C++
  void* labels[] = {&&one, &&two};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'goto' to a computed label isn't supported in code to be differentiated [CF1101]
  // CHECK: note: use a loop with break or continue
  goto* labels[n];
one:
  return x;
two:
  return x * x;
}
double rethrown(double x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: 'throw' without an object isn't supported in code to be differentiated [CF1102]
  // CHECK: note: handle errors outside of the differentiated code
  if (x < 0) throw;
  return x;
}
double declaredInFor(double x, int n) {
  double s = 0;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a variable declared in the condition of a 'for' isn't supported in code to be differentiated [CF1101]
  // CHECK: note: declare it in the body
  for (int i = 0; int left = n - i; ++i) s += x * left;
  return s;
}
struct Guard {
  double v;
  ~Guard();
};
double destroyedElsewhere(double x) {
  Guard g{x};
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: error: a destructor whose body this source doesn't have isn't supported in code to be differentiated [CF1102]
  // CHECK: note: let a function do what it does
  return g.v;
}

// One function through all passes: what each leaves behind.
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=lower | FileCheck %s --check-prefixes=HEAD,LOWER
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=tangent | FileCheck %s --check-prefixes=HEAD,LOWER,TANGENT
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=structure | FileCheck %s --check-prefixes=HEAD,STRUCTURE
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=prepare | FileCheck %s --check-prefixes=HEAD,STRUCTURE
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=analyse | FileCheck %s --check-prefixes=HEAD,STRUCTURE
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=adjoint | FileCheck %s --check-prefixes=HEAD,ADJOINT
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=second | FileCheck %s --check-prefixes=HEAD,SECOND
// RUN: %contraflow %s --adjoint 'f(x -> return)' --tangent 'f(x -> return)' --tangent 'f_b(x -> x_b)' --emit-ir=simplify | FileCheck %s --check-prefixes=HEAD,SECOND
// Without a name, it is the last pass that leaves IR.
// RUN: %contraflow %s --adjoint 'f(x -> return)' --emit-ir=simplify > %t.named
// RUN: %contraflow %s --adjoint 'f(x -> return)' --emit-ir > %t.last
// RUN: diff %t.named %t.last

double f(const double* x, int n) {
  double y = 1.0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0.0) break;
    y *= x[i];
  }
  return y;
}

// HEAD: head adjoint f(x -> return)
// HEAD-NEXT: head tangent f(x -> return)

// LOWER-LABEL: function external double f(const double *x, int n)
// LOWER: for (int i = 0; i < n; i += 1)
// LOWER-NEXT: if (x[i] < 0.0)
// LOWER-NEXT: break
// LOWER-NEXT: y = y * x[i]
// LOWER-NEXT: return y

// TANGENT-LABEL: function external tangent contraflow::Tangent<double> f_d(const double *x, const double *x_d, int n)
// TANGENT: break
// TANGENT-NEXT: y_d = x[i] * y_d + y * x_d[i]
// TANGENT-NEXT: y = y * x[i]
// TANGENT: return {y, y_d}

// The adjoint has no break to jump over.
// STRUCTURE-LABEL: function external double f(const double *x, int n)
// STRUCTURE-NOT: break
// STRUCTURE: while (!done && i < n)
// STRUCTURE-NEXT: if (x[i] < 0.0)
// STRUCTURE-NEXT: done = true
// STRUCTURE: return y

// ADJOINT-LABEL: function external adjoint double f_b(const double *x, double *x_b, int n, double f_b_seed, contraflow::Tape &tape)
// ADJOINT: while (!done && i < n)
// ADJOINT: push(tape) y
// ADJOINT-NEXT: y = y * x[i]
// ADJOINT: y_b += f_b_seed
// ADJOINT: pop(tape) y
// ADJOINT: x_b[i] += y * {{.*}}
// ADJOINT: return f_value
// ADJOINT-LABEL: function external adjoint double f_b(const double *x, double *x_b, int n, double f_b_seed)

// SECOND-LABEL: function {{.*}} contraflow::Tangent<double> f_b_d({{.*}}contraflow::Tape &tape)
// SECOND: push(tape) y_d
// SECOND-NEXT: push(tape) y
// SECOND: pop(tape) y
// SECOND-NEXT: pop(tape) y_d
// SECOND: x_b_d[i] += {{.*}}y_d{{.*}}
// SECOND: return {f_value, f_value_d}

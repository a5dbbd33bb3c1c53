// What the rule of a function without a body would look like: each parameter that may hold reals has a shadow behind it.
#include <vector>
// RUN: rm -rf %t && mkdir %t
// RUN: not %contraflow %s --adjoint 'f(x -> return)' --out-dir %t 2>&1 | FileCheck %s
// RUN: ls %t | count 0
struct Mesh {
  std::vector<double> area;
  int n;
};
struct Model {
  double k;
  double energy(const std::vector<double>& u, int level) const;
};
void assemble(const Mesh& mesh, double* matrix, const int* rows, float scale);
double f(double x, const Mesh& mesh, double* matrix, const int* rows, const Model& model, const std::vector<double>& u) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'assemble' has no body and no rule [CF1104]
  assemble(mesh, matrix, rows, 2.0f);
  // CHECK: 'void assemble_b(const Mesh & mesh, Mesh& mesh_b, double * matrix, double* matrix_b, const int * rows, float scale, float& scale_b)'
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'Model::energy' has no body and no rule [CF1104]
  return x * model.energy(u, 3);
  // CHECK: 'double energy_b(const Model& self, Model& self_b, const std::vector<double> & u, std::vector<double>& u_b, int level, double energy_b_seed)'
}

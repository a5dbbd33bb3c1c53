#ifndef _OPENMP
#error "the flags of OpenMP::OpenMP_CXX are missing"
#endif

double total(const double* x, int n) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

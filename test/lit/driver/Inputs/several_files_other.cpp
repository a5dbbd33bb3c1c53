double shared = 0.5;
static double last = 1.0;

double damped(double x) {
  static double sum = 0.0;
  sum += x * last;
  last = x;
  return sum * x;
}

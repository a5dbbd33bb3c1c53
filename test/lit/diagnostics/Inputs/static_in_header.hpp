// A static in an inline function: each source that includes this has it.
inline double inHeader(double x) {
  static double last = 1;
  return last *= x;
}

// How a differentiated MPI call fails: one message on stderr, then MPI_Abort. A wrong gradient without a word is
// worse, and an exception on one rank would leave the others waiting.
#ifndef CONTRAFLOW_MPI_ERROR_HPP
#define CONTRAFLOW_MPI_ERROR_HPP

#include <mpi.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace contraflow::mpi::detail {

#if defined(__GNUC__)
[[gnu::format(printf, 2, 3)]]
#endif
[[noreturn]] inline void
fail(const char* routine, const char* format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "contraflow: rank %d: derivative of %s: %s\n", rank, routine, text);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

// For communicators whose errors return.
inline void check(int code, const char* routine) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(routine, "%s", text);
}

}  // namespace contraflow::mpi::detail

#endif

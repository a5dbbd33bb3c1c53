// Where the tool's surroundings are, both in the build tree and after `cmake --install` to any prefix:
// the headers and libraries of generated code, and Clang's own headers.
#pragma once

#include <string>
#include <vector>

namespace contraflow::driver {

struct Installation {
  std::vector<std::string> includeDirs;  // of runtime, then of mpi-adjoint where it is another one
  std::string libDir;
  std::string resourceDir;              // Clang's: <resourceDir>/include has stddef.h and omp.h
  std::vector<std::string> extraFlags;  // for compiling and linking; a sanitizer build of the tool has some

  // What `contraflow --cflags` and `contraflow --libs` print. The MPI library itself isn't among them: its compiler
  // wrapper or the build system knows that.
  std::string cflags() const;
  std::string libs(bool mpi) const;
};

// Looks from the running program's own place; `argv0` serves where the system doesn't tell that.
Installation findInstallation(const char* argv0);

// "contraflow 0.1.0 (Clang 19.1.7)"
std::string versionLine();

}  // namespace contraflow::driver

// The command line: what asks about the tool itself is answered here, the rest is one call of the driver.

#include <algorithm>
#include <string>
#include <vector>

#include "driver/driver.hpp"
#include "driver/installation.hpp"
#include "llvm/Support/raw_ostream.h"

namespace {

constexpr const char* kHelp = R"(usage: contraflow [options] SOURCE... [-- COMPILER-FLAGS]

Writes the tangent and the adjoint of functions of C++ programs that are parallel with MPI and OpenMP.

  --adjoint HEAD          adjoint of a function (repeatable)
  --tangent HEAD          tangent of a function (repeatable)
  -p DIR                  take the flags from DIR/compile_commands.json
  -o FILE                 write the generated source to FILE, and a header to FILE with the ending .hpp
  --out-dir DIR           write DIR/NAME_ad.cpp and DIR/NAME_ad.hpp for each NAME.cpp
  --depfile FILE          write a Makefile rule: the outputs depend on the sources and all that they include
  --report[=text]         print what was made
  --emit-ir[=PASS]        print the intermediate form after a pass (lower, tangent, structure, analyse, adjoint, second,
                          simplify), and write nothing
  --no-analysis           record everything, prove nothing
  --without=NAME,...      leave out analyses: points-to, activity, tbr, recompute, exclusive
  --recompute=auto|never|always
                          force what the cost model decides; always: snapshots for each loop that can be run again
  --audit                 the adjoint checks at run time what was assumed or proved, and stops where it doesn't hold
  --no-after-image        leave primal in/out arguments unspecified after an adjoint
  --noalias               distinct pointer parameters never overlap
  --omp-adjoint=auto|atomic
                          force a strategy for shared increments
  --emit-check FILE       write a program that checks each adjoint against its tangent and against differences
  --check-arg 'n = 16', --check-arg 'k[n]', --check-arg 'k[n] = 1 + 0.1 * i'
                          the value of a parameter there, or the size and the elements of an array
  --check-lines           on a mismatch, the check says which line's tangent and adjoint disagree
  --check-include FILE    a header that these expressions need
  --cflags, --libs        what generated code needs to compile and link (--mpi: with the MPI part)
  -Werror, -w             warnings of this tool are errors; no warnings
  --version, --help

HEAD is 'name(independents -> dependents)', e.g. 'misfit(conductivity, source -> return)'. Names are parameters, members of
parameters ('state.u', 'this.u'), globals, or 'return'. 'name' alone means every real parameter and the result, and
'ns::f(double, int)(x -> return)' picks an overload. 'misfit_b(k -> k_b)' after --tangent differentiates an adjoint again.

Without -o and --out-dir, NAME_ad.cpp and NAME_ad.hpp are written to the current folder. Exit status: 0 only where every
derivative asked for was produced whole.
)";

// The words of a question about the tool itself, such as `--libs --mpi`; false if it is none.
bool answer(const std::vector<std::string>& arguments, const contraflow::driver::Installation& installation) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto has = [&](const char* word) { return std::find(arguments.begin(), end, word) != end; };
  if (has("--help") || has("-h"))
    llvm::outs() << kHelp;
  else if (has("--version"))
    llvm::outs() << contraflow::driver::versionLine() << '\n';
  else if (has("--cflags") || has("--libs")) {
    const std::string cflags = has("--cflags") ? installation.cflags() : "";
    const std::string libs = has("--libs") ? installation.libs(has("--mpi")) : "";
    llvm::outs() << cflags << (cflags.empty() || libs.empty() ? "" : " ") << libs << '\n';
  } else
    return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto installation = contraflow::driver::findInstallation(argv[0]);
  if (answer(arguments, installation)) return 0;
  return contraflow::driver::run(arguments, installation);
}

"""The lit suite: generated text, intermediate forms and diagnostics, by FileCheck; and that what is generated compiles
and runs. What the tests can say:

    %contraflow          the tool
    %cxx, %clangxx       the system's C++ compiler and Clang, with warnings as errors: generated code has none
    %cflags, %libs       what generated code compiles and links with
    %mpicxx              the MPI compiler wrapper around %cxx; `%mpicxx --showme:compile` prints its flags
    %mpiflags            these flags, for the tool
    %mpicflags, %mpilibs like %cflags and %libs, with the MPI part
    %mpirun              e.g. %mpirun 2 %t/program
    %s, %S, %t, %T       as everywhere in lit: the test, its folder, a temporary name, a temporary folder
    %python              the interpreter that runs lit
    FileCheck, not, count
"""
import os
import shlex
import subprocess
import sys

import lit.formats

config.name = "contraflow"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.source_root
config.test_exec_root = config.exec_root


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    except OSError:
        return ""


warnings = "-Wall -Wextra -Werror"
sanitize = config.sanitizer_flags
if not sanitize:
    config.available_features.add("optimised")  # what compilers make of a loop is no question where each access is checked
cflags = output_of(config.contraflow, "--cflags")
libs = output_of(config.contraflow, "--libs")
mpilibs = output_of(config.contraflow, "--libs", "--mpi")

# The first that matches is used, so a longer name stands before its beginning.
substitutions = [("%contraflow", shlex.quote(config.contraflow))]
if config.mpicxx:
    config.available_features.add("mpi")
    showme = output_of(config.mpicxx, "--showme:compile")
    if not showme:  # MPICH
        showme = " ".join(w for w in output_of(config.mpicxx, "-compile_info").split() if w.startswith(("-I", "-D")))
    substitutions += [
        ("%mpicflags", cflags),
        ("%mpiflags", showme),
        ("%mpilibs", mpilibs),
        ("%mpicxx", f"env OMPI_CXX={config.cxx} MPICH_CXX={config.cxx} {config.mpicxx} {warnings} {sanitize}"),
        ("%mpirun", f"{config.mpiexec} -n"),
    ]
substitutions += [
    ("%python", shlex.quote(sys.executable)),
    ("%cflags", cflags),
    ("%libs", libs),
    ("%cxx", f"{config.cxx} {warnings} {sanitize}"),
    ("%clangxx", f"{config.clangxx} {warnings} {sanitize}"),
]
config.substitutions += [(name + r"\b", value.replace("\\", r"\\")) for name, value in substitutions]

config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, config.environment.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "--dump-input=fail"
for name, value in os.environ.items():
    if name.startswith(("OMPI_", "OMP_", "ASAN_", "UBSAN_", "TSAN_")):
        config.environment[name] = value
# As test/CMakeLists.txt sets them, for runs of lit by hand.
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe",
             "OMPI_MCA_mpi_yield_when_idle"):
    config.environment.setdefault(name, "1")

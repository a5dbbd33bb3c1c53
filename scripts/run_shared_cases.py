#!/usr/bin/env python3
"""Runs the project's shared case programs, which lie beside a checkout and not in it.

    run_shared_cases.py --contraflow BIN [--headers DIR] [arguments for ../shared/cases/run.py]

With --headers, their compiler gets what most of a compilation reads precompiled, in that folder. Exit status 77 (skipped) where the cases
are absent.
"""
import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test"))
import prepared  # noqa: E402

HEADERS = ("array", "cmath", "complex", "cstdio", "cstdlib", "iomanip", "iostream", "sstream", "vector", "contraflow/runtime.hpp")
WRAPPER = """#!/bin/sh
openmp= mpi=
for word; do
  case "$word" in
    -fopenmp) openmp=-openmp ;;
    -DCASE_MPI) mpi=-mpi ;;
  esac
done
. {folder}/plain$openmp$mpi
"""


def words(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.split()


def with_headers(args, folder):
    """A compiler that includes precompiled headers: those for its flags."""
    cxx = shutil.which(args.cxx)
    for openmp in ([], ["-fopenmp"]):
        for mpi in [False] + [True] * (shutil.which("mpicxx") is not None):
            flags = ["-std=c++17", *openmp, args.opt, *words(args.contraflow, "--cflags", *["--mpi"] * mpi)]
            flags += (words("mpicxx", "--showme:compile") or [w for w in words("mpicxx", "-compile_info") if w[:2] in ("-I", "-D")]) if mpi else []
            include = prepared.headers(args.headers.resolve(), cxx, tuple(flags), HEADERS + ("mpi.h", "contraflow/mpi.hpp") * mpi + ("omp.h",) * bool(openmp))
            kind = folder / f"plain{'-openmp' * bool(openmp)}{'-mpi' * mpi}"
            kind.write_text(f"exec {shlex.join([cxx, *map(str, include)])} \"$@\"\n")
    wrapper = folder / pathlib.Path(cxx).name
    wrapper.write_text(WRAPPER.format(folder=shlex.quote(str(folder))))
    wrapper.chmod(0o755)
    return wrapper


def main():
    runner = ROOT.parent / "shared" / "cases" / "run.py"
    if not runner.exists():
        print("skipped: the shared cases (../shared/cases beside the checkout) aren't here")
        return 77
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contraflow", required=True)
    parser.add_argument("--headers", type=pathlib.Path)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--opt", default="-O1")
    args, others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        cxx = with_headers(args, pathlib.Path(folder)) if args.headers else args.cxx
        return subprocess.run([sys.executable, runner, "--contraflow", args.contraflow, "--cxx", cxx, f"--opt={args.opt}", *others]).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Differentiates each kernel in several modes and compiles what comes out, with warnings as errors: as the tool is, and in one of the modes
that few use, by turns.

    warnings.py WORK KERNELS CONTRAFLOW CXX CLANGXX FLAG...
"""
import pathlib
import re
import shlex
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

work, kernels, tool = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
flags = ["-std=c++17", "-fopenmp", "-DOMPI_SKIP_MPICXX", *sys.argv[6:]]
rare = [["--no-analysis"], ["--without=tbr,recompute", "--omp-adjoint=atomic", "--no-after-image"]]

# Each compiler with what it does; the headers of all kernels, which are most of a compilation, are read once for each.
gxx, clangxx = shlex.split(sys.argv[4]), shlex.split(sys.argv[5])
headers = "algorithm cmath cstddef cstdlib mpi.h omp.h stdexcept string vector contraflow/runtime.hpp".split()


def compiler(name, command):
    header = work / name / "common.hpp"
    header.parent.mkdir()
    header.write_text("".join(f"#include <{h}>\n" for h in headers))
    precompiled = f"{header}.{'pch' if 'clang' in name else 'gch'}"
    subprocess.run([*command, *flags, "-x", "c++-header", header, "-o", precompiled], check=True, timeout=300)
    return [*command, "-include", header]


parsed = compiler("gxx", gxx) + ["-fsyntax-only"]  # enough for the modes that few use
compilers = [compiler("gxx-optimised", gxx + ["-O2"]) + ["-c", "-o", "/dev/null"], compiler("clangxx", clangxx) + ["-fsyntax-only"]]

bad = 0


def run(what, command):
    global bad
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        bad += 1
        print(f"{what}:\n{result.stderr[:3000]}")
    return result.returncode == 0


def check(kernel):
    # The kernel's own heads.
    text = kernel.read_text()
    line = next(l for l in text.splitlines() if "RUN: " in l and "%contraflow" in l)
    heads = re.findall(r"(--(?:adjoint|tangent)) '([^']*)'", line)
    name = heads[0][1].split("(")[0]
    independent = heads[0][1].split("(")[1].split(",")[0].split(" ")[0]
    second = ["--tangent", f"{name}_b({independent} -> {independent}_b)"]
    if "contraflow checkpoint" in text:
        second = []  # refused
    # The kernel's own test may have this text optimised already.
    optimised = not second and re.search(r"RUN: %(mpi)?cxx .*-O2 .*-c %t[/_]ad\.cpp", text) is not None
    for number, mode in enumerate([[], rare[zlib.crc32(kernel.stem.encode()) % 2]]):
        out = work / f"{kernel.stem}_{number}.cpp"
        what = f"{kernel.stem} {' '.join(mode)}"
        options = [w for head in heads for w in head] + second * (number == 0) + mode
        if run(what, [tool, kernel, *options, "-o", out, "--", *flags]):
            for command in [parsed] if mode else compilers[optimised:]:
                run(what, [*command, *flags, f"-iquote{kernels}", out])


with ThreadPoolExecutor(2) as pool:  # this test outlasts all others
    list(pool.map(check, sorted(kernels.glob("*.cpp"))))
print("no warning" if not bad else f"{bad} bad")

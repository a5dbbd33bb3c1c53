#!/usr/bin/env python3
"""The numeric catalogue: differentiates every function of catalogue/, compiles, runs and compares.

    run.py --contraflow BIN [--cxx CXX]... [--analysis-cxx CXX]... [--group NAME]... [--mode MODE]... [--jobs N] [--opt -O1] [--keep DIR]
           [--flags FLAGS] [--headers DIR] [--list] [-v]

A group is a file of catalogue/; its header may say, in comments of their own line,

    // group: openmp threads=1,2,4        compiled with OpenMP, run with these numbers of threads
    // group: mpi ranks=1,2,3             compiled with MPI, run on these numbers of ranks (both: a hybrid)
    // group: precision=1e-5              of the arithmetic; 1e-12 if nothing is said
    // group: hessian                     the mode `hessian` applies to its functions

and before each function `void name(const double* in, double* out)` that is to be tested

    // case: at=0.5,1.2 out=2             the point (so 2 inputs), and the number of outputs
    // case: at=… start=0.1,0.7 inout     what out holds before the call; inout: it is an independent too
    // case: … precision=1e-6 nohessian   as above, for this case

A compiler of --analysis-cxx is used in the mode `analysis` only. Where what the tool writes in the mode `hessian` has all lines that it
writes in the mode `analysis`, in the same order, the compilers of --cxx get only the longer text.
Modes: `analysis` (the tool as it is), `no-analysis`, `hessian` (the tangent of the adjoint too), and if asked for, `audit` (`--audit`:
what was assumed and proved is checked in the run). Each mode is one run of the tool
for all functions of a group. If the tool refuses, each function is tried alone, so that the others are still tested.
A check is one function in one mode, with one compiler, on one number of ranks, with all numbers of threads. Ranks: all of the group's
numbers in the mode `analysis` (or the text that holds its text) with the first compiler, else the last one, or the first above one with a compiler of
--analysis-cxx (--all-ranks: all). The last line is 'N passed, N failed'.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import prepared  # noqa: E402

MODES = ("analysis", "no-analysis", "hessian")
# Precompiled, with --headers.
HEADERS = ("algorithm", "array", "cmath", "complex", "functional", "iostream", "memory", "numeric", "random", "sstream", "string",
           "vector", "contraflow/runtime.hpp")


def numbers(text):
    return [float(x) for x in text.split(",")]


class Function:
    def __init__(self, name, words, group_precision):
        options = dict(w.split("=", 1) for w in words if "=" in w)
        unknown = set(options) - {"at", "out", "start", "precision"} | {w for w in words if "=" not in w} - {
            "inout", "nohessian"}
        if unknown or "at" not in options:
            raise SystemExit(f"run.py: case of {name}: what is {' '.join(sorted(unknown)) or 'its point'}?")
        self.name = name
        self.at = numbers(options["at"])
        outputs = int(options.get("out", 1))
        self.start = numbers(options["start"]) if "start" in options else [0.25 + 0.5 * j for j in range(outputs)]
        self.inout = "inout" in words
        self.hessian = "nohessian" not in words and not self.inout
        self.precision = float(options.get("precision", group_precision))


class Group:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        text = path.read_text()
        words = [w for line in re.findall(r"^// group: (.*)$", text, re.M) for w in line.split()]
        options = dict(w.split("=", 1) for w in words if "=" in w)
        self.threads = options.get("threads", "1").split(",")
        self.ranks = [int(x) for x in options.get("ranks", "1").split(",")]
        self.openmp, self.mpi, self.hessian = "openmp" in words, "mpi" in words, "hessian" in words
        self.functions = [Function(name, case.split(), options.get("precision", "1e-12")) for case, name in re.findall(
            r"^// case: (.*)\nvoid (\w+)\(const double\* (?:__restrict__ )?in, double\* (?:__restrict__ )?out\)", text, re.M)]
        # Lines that a formatter has joined to others would be lost without a word.
        if len(re.findall(r"//.*\bcase: ", text)) != len(self.functions):
            raise SystemExit(f"{path}: a case isn't followed by its function, or isn't alone on its line")
        if len(re.findall(r"//.*\bgroup: ", text)) != len(re.findall(r"^// group: ", text, re.M)):
            raise SystemExit(f"{path}: 'group:' isn't alone on its line")

    def applies(self, mode):
        return mode != "hessian" or self.hessian


def sh(command, timeout, env=None):
    try:
        p = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=timeout,
                           env=dict(os.environ, **(env or {})))
        return p.returncode, p.stdout, p.stderr
    except subprocess.TimeoutExpired as e:
        text = e.stdout or b""
        return -1, text.decode(errors="replace") if isinstance(text, bytes) else text, f"no end within {timeout} s"


@functools.lru_cache(None)
def mpi_flags(what):
    rc, out, _ = sh(["mpicxx", f"--showme:{what}"], 20)
    if rc == 0:
        return out.split()
    out = sh(["mpicxx", f"-{what}_info"], 20)[1]  # MPICH
    return [w for w in out.split() if w.startswith(("-I", "-D", "-L", "-l", "-W"))]


class Runner:
    def __init__(self, args):
        self.args = args
        self.results = {}  # check -> failure or None
        self.made = {}     # (group, compiler) -> the objects of all modes
        self.locks = collections.defaultdict(threading.Lock)
        self.ranks = threading.Lock()  # ranks of two runs at once would keep each other waiting
        self.verbose = args.verbose

    def report(self, group, mode, cxx, ranks, function, failure):
        where = " ".join(x for x in (group.name, mode, cxx and pathlib.Path(cxx).name, ranks and f"ranks={ranks}") if x)
        if failure is not None or self.verbose:
            print(f"{'PASS' if failure is None else 'FAIL'} {function} [{where}] {failure or ''}".rstrip(), flush=True)
        self.results[where, function] = failure

    # --- the tool -------------------------------------------------------------------------------------------------------

    def flags(self, group):
        flags = ["-std=c++17", f"-I{HERE}"] + self.args.flags.split()
        if group.openmp:
            flags.append("-fopenmp")
        if group.mpi:
            flags += ["-DNUMERIC_MPI", "-DOMPI_SKIP_MPICXX"] + mpi_flags("compile")
        return flags

    def heads(self, mode, function):
        head = f"{function.name}({'in, out' if function.inout else 'in'} -> out)"
        out = ["--tangent", head, "--adjoint", head]
        if mode == "hessian" and function.hessian:
            out += ["--tangent", f"{function.name}_b(in -> in_b)"]
        return out

    def differentiate(self, group, mode, functions, generated):
        command = [self.args.contraflow, group.path]
        for function in functions:
            command += self.heads(mode, function)
        if mode in ("no-analysis", "audit"):
            command.append(f"--{mode}")
        return sh(command + ["-o", generated, "--", *self.flags(group)], 300)

    def tool(self, group, mode, work, functions):
        """The functions that the tool takes, with their derivatives in work/<group>_ad.cpp."""
        generated = work / f"{group.name}_ad.cpp"
        rc, _, err = self.differentiate(group, mode, functions, generated)
        if rc == 0:
            return functions
        taken = []
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            alone = pool.map(lambda f: self.differentiate(group, mode, [f], work / f"{f.name}_ad.cpp"), functions)
            for f, (rc, _, err1) in zip(functions, alone):
                if rc == 0:
                    taken.append(f)
                else:
                    self.report(group, mode, None, None, f.name, f"the tool ends with status {rc}: {first_error(err1)}")
        rc, _, err = self.differentiate(group, mode, taken, generated) if taken else (0, "", "")
        if rc != 0:
            self.report(group, mode, None, None, "(all)", f"refused together, not alone: {first_error(err)}")
            return []
        return taken

    # --- compilation ----------------------------------------------------------------------------------------------------

    def table(self, group, mode, functions):
        # The header first: it has to stand for itself. The file with it, since most of a compilation are headers.
        lines = [f'#include "{group.name}_ad.hpp"', f'#include "{group.name}_ad.cpp"', '#include "case.hpp"']
        for f in functions:
            lines.append(f"namespace reference {{ void {f.name}(const long double* in, long double* out); }}")
        lines.append("static const double kNumbers[] = {")
        rows, offset = [], 0
        for f in functions:
            lines.append("  " + " ".join(f"{x!r}," for x in f.at + f.start))
            hessian = f"&{f.name}_b_d" if mode == "hessian" and f.hessian else "nullptr"
            rows.append(f'  {{"{f.name}", {len(f.at)}, {len(f.start)}, kNumbers + {offset}, kNumbers + {offset + len(f.at)}, '
                        f"{'true' if f.inout else 'false'}, {f.precision!r}, &::{f.name}, &reference::{f.name}, "
                        f"&{f.name}_d, &{f.name}_b, {hessian}}},")
            offset += len(f.at) + len(f.start)
        lines += ["};", "extern const Case kCases[];", "const Case kCases[] = {", *rows, "};",
                  "extern const int kCaseCount;", f"const int kCaseCount = {len(functions)};", ""]
        return "\n".join(lines)

    @functools.lru_cache(None)
    def tool_flags(self, what, mpi):
        return tuple(sh([self.args.contraflow, what] + ["--mpi"] * mpi, 60)[1].split())

    def headers(self, group, cxx):
        """The flags that include what most of a compilation reads, precompiled."""
        if not self.args.headers:
            return ()
        flags = (*self.flags(group), self.args.opt, *self.tool_flags("--cflags", group.mpi))
        return prepared.headers(self.args.headers, cxx, flags, HEADERS + ("mpi.h", "contraflow/mpi.hpp") * group.mpi)

    def compile(self, group, mode, cxx, source, to, flags):
        """The compiler's warnings; None if there are errors, which are reported."""
        rc, _, err = sh([*self.args.launcher.split(), cxx, *self.flags(group), self.args.opt, "-c", *flags,
                         f"-iquote{group.path.parent}", source, "-o", to], 600, {"CCACHE_SLOPPINESS": "pch_defines,time_macros"})
        if rc == 0:
            return err
        self.report(group, mode, cxx, None, "(all)", f"{source.name} doesn't compile: {first_error(err)}")
        return None

    def common(self, group, cxx, root):
        """The objects that don't depend on the mode: made once. What has neither threads nor sanitizers is the same for all compilers."""
        if not group.openmp and not self.args.flags:
            cxx = self.args.cxx[0]
        with self.locks[group.name, cxx]:
            if (group.name, cxx) not in self.made:
                out = root / "common" / group.name / pathlib.Path(cxx).name
                out.mkdir(parents=True, exist_ok=True)
                source, reference = out / "reference.cpp", out / "reference.o"
                source.write_text(f'#include "reference.hpp"\nnamespace reference {{\n#include "catalogue/{group.path.name}"\n}}\n')
                done = self.compile(group, None, cxx, source, reference, [*self.headers(group, cxx), "-w"])
                driver = prepared.object(self.args.headers or root / "shared", cxx, (*self.flags(group), self.args.opt), HERE / "driver.cpp")
                self.made[group.name, cxx] = None if done is None else [reference, driver]
            return self.made[group.name, cxx]

    def build(self, group, mode, cxx, functions, work, root):
        """Compiles; the program, or None."""
        out = work / pathlib.Path(cxx).name
        out.mkdir(exist_ok=True)
        table = work / "table.cpp"
        table.write_text(self.table(group, mode, functions))
        common = self.common(group, cxx, root)
        # (What a compiler of --analysis-cxx gets has to name its headers itself.)
        headers = [] if cxx in self.args.analysis_cxx else self.headers(group, cxx)
        warnings = self.compile(group, mode, cxx, table, out / "table.o", ["-Wall", "-Wextra", *headers, *self.tool_flags("--cflags", group.mpi), f"-I{work}"])
        if common is None or warnings is None:
            return None
        if "warning:" in warnings:
            line = next(x for x in warnings.splitlines() if "warning:" in x)
            self.report(group, mode, cxx, None, "(all)", f"generated code has warnings: {line}")
        objects = [out / "table.o", *common]
        libs = self.tool_flags("--libs", group.mpi)
        rc, _, err = sh([cxx, *self.flags(group), *objects, *libs, *(mpi_flags("link") if group.mpi else []),
                         *(["-latomic"] if group.openmp else []), "-o", out / "driver"], 300)
        if rc != 0:
            self.report(group, mode, cxx, None, "(all)", f"doesn't link: {first_error(err)}")
            return None
        return out / "driver"

    # --- runs -----------------------------------------------------------------------------------------------------------

    def run(self, group, mode, cxx, ranks, functions, program):
        env = dict(OMP_DYNAMIC="false", OMP_WAIT_POLICY="passive", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_hwloc_base_binding_policy="none")
        first = 0
        while first < len(functions):
            command = ["mpirun", "-n", ranks] if group.mpi else []
            with self.ranks if group.mpi else contextlib.nullcontext():
                rc, out, err = sh(command + [program, first, *group.threads], (300 if group.mpi else 60) + 3 * len(functions), env)
            details, reached = {}, None
            for line in out.splitlines():
                word, *rest = line.split(" ", 2)
                if word == "DETAIL":
                    details.setdefault(rest[0], rest[1])
                elif word == "BEGIN":
                    reached = int(rest[0])
                elif word == "RESULT":
                    failure = None if rest[1] == "PASS" else details.get(rest[0], "?")
                    self.report(group, mode, cxx, group.mpi and ranks, rest[0], failure)
                    reached = None
            if rc == 0:
                return
            if reached is None:
                self.report(group, mode, cxx, group.mpi and ranks, "(all)", f"status {rc}: {err.strip()[-300:]}")
                return
            why = details.get(functions[reached].name, "")
            self.report(group, mode, cxx, group.mpi and ranks, functions[reached].name,
                        f"crash or hang, status {rc}: {why} {' '.join(err.split())[-200:]}")
            first = reached + 1

    def one(self, group, modes, root):
        """All modes of a group whose texts are compared, the longest first."""
        longer = None
        for mode in modes:
            work = root / mode / group.name
            work.mkdir(parents=True, exist_ok=True)
            functions = self.tool(group, mode, work, [f for f in group.functions if mode != "hessian" or f.hessian or "analysis" in modes])
            if functions:
                text = (work / f"{group.name}_ad.cpp").read_text()
                held = longer is not None and holds(longer, text)
                longer = text
                first = [] if held else self.args.cxx
                for cxx in first + (self.args.analysis_cxx if mode == "analysis" else []):
                    program = self.build(group, mode, cxx, functions, work, root)
                    # Ranks that take turns take the time: all numbers of them once, the largest with another text, two with another compiler
                    # for the same text.
                    all_ranks = cxx == self.args.cxx[0] and "analysis" in modes or self.args.all_ranks
                    one = [n for n in group.ranks if n > 1][:1] if cxx in self.args.analysis_cxx else group.ranks[-1:]
                    for ranks in (group.ranks if all_ranks else one or group.ranks[-1:]) if program else []:
                        self.run(group, mode, cxx, ranks, functions, program)


def holds(text, other):
    """Whether `text` has all lines of `other`, in the same order."""
    lines = iter(text.splitlines())
    return all(line in lines for line in other.splitlines())


def modes_of(group, asked):
    """The modes of a group, those together whose texts are compared."""
    modes = [m for m in asked if group.applies(m)]
    together = [m for m in ("hessian", "analysis") if m in modes]
    return [together] * bool(together) + [[m] for m in modes if m not in together]


def first_error(text):
    return next((x for x in text.splitlines() if "error" in x), text.strip()[-300:])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--contraflow", required=True, type=pathlib.Path)
    ap.add_argument("--cxx", action="append", help="default: g++ and clang++-19")
    ap.add_argument("--analysis-cxx", action="append", default=[])
    ap.add_argument("--group", action="append", default=[])
    ap.add_argument("--only", help="functions whose names contain this")
    ap.add_argument("--mode", action="append", default=[], choices=(*MODES, "audit"))
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--opt", default="-O1")
    ap.add_argument("--flags", default="", help="for all compilations: sanitizers")
    ap.add_argument("--all-ranks", action="store_true", help="all numbers of ranks in all modes, with all compilers")
    ap.add_argument("--headers", type=pathlib.Path, help="folder for precompiled headers; without it there are none")
    ap.add_argument("--launcher", default="", help="before each compiler call: ccache")
    ap.add_argument("--keep", type=pathlib.Path, help="folder for what is generated")
    ap.add_argument("--list", action="store_true")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    args.contraflow = args.contraflow.resolve()
    if args.headers:
        args.headers = args.headers.resolve()
    args.cxx = args.cxx or ["g++", "clang++-19"]
    groups = [Group(p) for p in sorted((HERE / "catalogue").glob("*.cpp"))]
    missing = set(args.group) - {g.name for g in groups}
    if missing:
        raise SystemExit(f"run.py: there is no group {', '.join(sorted(missing))}")
    groups = [g for g in groups if not args.group or g.name in args.group]
    for g in groups:
        g.functions = [f for f in g.functions if not args.only or args.only in f.name]
    if args.list:
        for g in groups:
            print(f"{g.name}: {len(g.functions)} functions")
        print(f"{sum(len(g.functions) for g in groups)} functions")
        return
    runner = Runner(args)
    with tempfile.TemporaryDirectory() as tmp, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        root = args.keep.resolve() if args.keep else pathlib.Path(tmp)
        tasks = [(g, m) for g in groups if g.functions for m in modes_of(g, args.mode or MODES)]
        for future in [pool.submit(runner.one, g, m, root) for g, m in tasks]:
            future.result()
    failed = sum(f is not None for f in runner.results.values())
    print(f"{len(runner.results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not runner.results else 0)


if __name__ == "__main__":
    main()

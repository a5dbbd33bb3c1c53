"""Runs the tool on a batch of random programs, compiles, runs the driver, and says what became of each program.

Many programs stand in one translation unit: one run of the tool, one compilation, one run of the driver for all. A program
that is refused, or that stops the tool or the compiler, is taken out, and the rest is tried again.
"""
import functools
import os
import pathlib
import re
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import prepared  # noqa: E402

HEADERS = ("algorithm", "array", "cmath", "complex", "cstdlib", "cstring", "functional", "memory", "numeric", "tuple", "utility", "vector")

# Outcomes. What isn't in FINE is a fault.
FINE = ("pass", "large", "kink", "documented")
DOCUMENTED = ("the second derivative of an atomic update",)  # refusals that the documentation names
WRONG = ("tangent", "adjoint", "value", "argument", "shadow", "zero-seed", "hessian")


class Outcome:
    def __init__(self, kind, text=""):
        self.kind, self.text = kind, text

    @property
    def fault(self):
        return self.kind not in FINE

    def key(self):
        """What makes two faults the same kind, for the reducer and the record."""
        text = re.sub(r"'[^']*'", "'…'", self.text)
        text = re.sub(r"[A-Za-z]*\d[\w.]*", "#", text) if self.kind not in WRONG else ""
        return (self.kind, text[:90])

    def __str__(self):
        return f"{self.kind}: {self.text}" if self.text else self.kind


def sh(command, timeout, env=None, cwd=None):
    p = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                         env=dict(os.environ, **(env or {})), cwd=cwd, start_new_session=True)
    try:
        out, err = p.communicate(timeout=timeout)
        return p.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGTERM)  # mpirun ends its ranks
        try:
            out, _ = p.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            out, _ = p.communicate()
        return -99, out, f"no end within {timeout} s"


@functools.lru_cache(None)
def asked(contraflow, what, mpi):
    """What the tool says that generated code compiles or links with."""
    return tuple(sh([contraflow, what] + ["--mpi"] * mpi, 60)[1].split())


@functools.lru_cache(None)
def mpi_flags(what):
    rc, out, _ = sh(["mpicxx", f"--showme:{what}"], 20)
    if rc == 0:
        return out.split()
    out = sh(["mpicxx", f"-{what}_info"], 20)[1]  # MPICH
    return [w for w in out.split() if w.startswith(("-I", "-D", "-L", "-l", "-W"))]


class Config:
    """How a batch is run: `kind` is serial, openmp or mpi; `options` are the tool's; `hessian` asks for second order;
    `sanitize` names one of SANITIZERS; `valgrind`: the tool runs under it; `files`: functions stand
    in two sources, and types in a header. `headers`: a folder for precompiled ones; None: there are none."""

    headers = None

    def __init__(self, kind="serial", options=(), hessian=False, cxx="g++", threads=(1,), ranks=(1,), sanitize=None, valgrind=False,
                 files=False):
        self.kind, self.options, self.hessian, self.cxx = kind, tuple(options), hessian, cxx
        self.threads, self.ranks = threads, ranks
        self.sanitize, self.valgrind, self.files = sanitize, valgrind, files
        self.patience = 600 if sanitize else 60  # seconds for a run, and one more for each program

    @property
    def directions(self):
        return 28 if self.kind == "mpi" else 8

    def __str__(self):
        return " ".join([self.kind, pathlib.Path(self.cxx).name, *self.options] + ["hessian"] * self.hessian +
                        [f"under {self.sanitize}"] * bool(self.sanitize))


# What a compiler gets, and what a program's environment gets. A finding ends the program, and so counts as a crash.
# Memory that MPI libraries keep isn't ours.
SANITIZERS = {
    "address": (["-fsanitize=address,undefined", "-fno-sanitize=vptr", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g"],
                dict(ASAN_OPTIONS="detect_stack_use_after_return=1:detect_leaks=0")),
    "thread": (["-fsanitize=thread", "-g"],
               dict(TSAN_OPTIONS="ignore_noninstrumented_modules=1:halt_on_error=1:exitcode=66")),
}

MATH = re.compile(r"\bstd::(sin|cos|tan|exp|expm1|log|log1p|sqrt|cbrt|cosh|sinh|tanh|atan|asinh|erf|fabs|floor|atan2|hypot|pow|fma|"
                  r"fmax|fmin|max|min|abs|arg|conj|imag|norm|polar|real)\b")


def tool_text(text):
    text = re.sub(r"(?m) *//REFERENCE .*$", "", text)
    text = re.sub(r"(?:SAVE|RESTORE)\(\w+\)", "", text)
    return text.replace("REAL_SUM", "MPI_SUM").replace("REAL_MAX", "MPI_MAX").replace("REAL_MIN", "MPI_MIN")


def reference_text(text):
    """The same program over `Real`, without pragmas; a private copy of a variable is the variable, whose value is saved. Where each
    read of a union is of the member written last, it is a struct; a line may say what stands in its place (library.py)."""
    text = re.sub(r"(?m)^.*?//REFERENCE (.*)$", r"\1", text)
    text = re.sub(r"\bunion (?=\w)", "struct ", text)
    text = re.sub(r"SAVE\((\w+)\)", r"{ double saved_\1 = \1;", text)
    text = re.sub(r"RESTORE\((\w+)\)", r"\1 = saved_\1; }", text)
    text = re.sub(r"\b(double|float)\b", "Real", text)
    text = text.replace("std::complex", "fuzz::Complex")
    text = MATH.sub(r"fuzz::m::\1", text)
    text = text.replace("MPI_DOUBLE", "fuzz::realType<Real>()")
    for op in ("Sum", "Max", "Min"):
        text = text.replace(f"REAL_{op.upper()}", f"fuzz::realOp<Real, fuzz::{op}>()")
    return re.sub(r"(?m)^\s*#pragma omp .*$", "", text)


def numbers_in(text):
    """The numbers of programs whose names occur in a message."""
    return {int(n) for n in re.findall(r"\b(?:f|h|S|g|ga|gk|pure)(\d+)(?:_\w*)?\b", text)}


class Batch:
    """programs: number -> Program. `outcomes` has an entry for each in the end."""

    def __init__(self, contraflow, programs, config, work, patch=None, includes=None):
        self.contraflow, self.config, self.work = contraflow, config, pathlib.Path(work)
        self.programs, self.outcomes = dict(programs), {}
        self.patch = patch  # changes the generated text: deliberate faults
        self.includes = includes  # the runtime's headers, if not the tool's own
        self.work.mkdir(parents=True, exist_ok=True)
        # Long expressions keep the formatter busy for most of a run.
        (self.work / ".clang-format").write_text("DisableFormat: true\n")

    def left(self):
        return {n: p for n, p in self.programs.items() if n not in self.outcomes}

    def note(self, number, kind, text=""):
        if kind == "refused" and any(d in text for d in DOCUMENTED):
            kind = "documented"
        self.outcomes.setdefault(number, Outcome(kind, text))

    # --- the source -------------------------------------------------------------------------------------------------------

    def write_source(self, programs):
        """source.cpp; the lines that each program stands on."""
        lines = [f"#include <{h}>" for h in HEADERS]
        if self.config.kind == "mpi":
            lines.insert(0, "#include <mpi.h>")
        if self.config.kind != "serial":
            lines.insert(0, "#include <omp.h>")
        self.ranges, includes = [], lines
        files = {"source": [], "other": [], "shared": []} if self.config.files else {"source": list(includes)}
        for number, program in programs.items():
            texts = program.files(number) if self.config.files else {"source": program.text(number)}
            for file, text in texts.items():
                ahead = 2 if self.config.files else 0  # lines that come in front
                first = len(files[file]) + 1 + ahead
                files[file] += tool_text(text).splitlines()
                self.ranges.append((file, first, len(files[file]) + ahead, number))
        for file, lines in files.items():
            if self.config.files:
                lines[:0] = ["#pragma once", '#include "headers.hpp"'] if file == "shared" else ['#include "headers.hpp"', '#include "shared.hpp"']
            (self.work / f"{file}{'.hpp' if file == 'shared' else '.cpp'}").write_text("\n".join(lines) + "\n")
        if self.config.files:
            (self.work / "headers.hpp").write_text("\n".join(["#pragma once", *includes]) + "\n")

    def at_line(self, file, line):
        return next((n for f, first, last, n in self.ranges if f == file and first <= line <= last), None)

    def flags(self):
        flags = ["-std=c++17", f"-DFUZZ_DIRECTIONS={self.config.directions}"]
        if self.config.kind != "serial":
            flags.append("-fopenmp")
        if self.config.kind == "mpi":
            flags += ["-DFUZZ_MPI", "-DOMPI_SKIP_MPICXX"] + mpi_flags("compile")
        return flags

    def sanitizer(self):
        return SANITIZERS[self.config.sanitize][0] if self.config.sanitize else []

    def asks_hessian(self, program):
        return self.config.hessian and not program.inout and "float" not in program.features

    # --- the tool ---------------------------------------------------------------------------------------------------------

    def tool(self, programs, timeout=120):
        self.write_source(programs)
        command = [self.contraflow, "source.cpp", *self.config.options]
        for number, program in programs.items():
            head, second = program.heads(number)
            command += ["--tangent", head, "--adjoint", head]
            if self.asks_hessian(program):
                command += ["--tangent", second]
        if self.config.valgrind:  # whose status is one that the tool doesn't have
            command = ["valgrind", "-q", "--error-exitcode=99", f"--suppressions={HERE / 'valgrind.supp'}"] + command
            timeout *= 20
        if self.config.files:
            (self.work / "generated").mkdir(exist_ok=True)
            done = sh(command + ["other.cpp", "--out-dir", "generated", "--", *self.flags()], timeout, cwd=self.work)
            if done[0] == 0:
                (self.work / "ad.cpp").write_text((self.work / "generated" / "source_ad.cpp").read_text())
                (self.work / "ad.hpp").write_text('#include "generated/source_ad.hpp"\n')
            return done
        return sh(command + ["-o", "ad.cpp", "--", *self.flags()], timeout, cwd=self.work)

    def differentiate(self):
        while self.left():
            rc, out, err = self.tool(self.left(), 60 + 2 * len(self.left()))
            if rc == 0:
                return
            blamed = self.blame(rc, err)
            if not blamed:
                return self.differentiate_alone(self.left())
            for number, (kind, text) in blamed.items():
                self.note(number, kind, text)

    def blame(self, rc, err):
        """Who a failure of the tool is about."""
        blamed = {}
        crash = not 0 < rc < 70
        for line in err.splitlines():
            if "internal error" in line or "LLVM ERROR" in line:
                where = re.search(r"function (\w+)", line)
                for number in list(numbers_in(where.group(1) if where else line[:120]))[:1]:
                    if number in self.left():
                        blamed.setdefault(number, ("tool-crash", line))
            found = re.match(r".*?(source|other|shared)\.[ch]pp:(\d+):\d+: error: (.*)", line)
            if found and not crash:
                number = self.at_line(found.group(1), int(found.group(2)))
                if number in self.left():
                    kind = "generator" if "CF1002" in line else "refused"
                    blamed.setdefault(number, (kind, found.group(3)))
        return blamed

    def differentiate_alone(self, programs):
        for number, program in programs.items():
            rc, _, err = self.tool({number: program}, 60)
            if rc != 0:
                kind = "tool-hang" if rc == -99 else "refused" if 0 < rc < 70 else "tool-crash"
                first = next((x for x in err.splitlines() if "error" in x.lower()), err[:300] if self.config.valgrind else err[-200:])
                self.note(number, kind, first)
        if self.left() and self.tool(self.left())[0] != 0:
            for number in self.left():
                self.note(number, "tool-crash", "taken alone, not together")

    # --- compilation ------------------------------------------------------------------------------------------------------

    def compile(self, source, *extra):
        out = self.work / f"{pathlib.Path(source).stem}.o"
        rc, _, err = sh([self.config.cxx, *self.flags(), *self.sanitizer(), *self.headers(), *extra, "-O0", f"-I{HERE}", f"-I{self.work}",
                         "-c", source, "-o", out], 300, cwd=self.work)
        return rc, err

    def headers(self):
        """What all programs include and, if it is the tool's own, the runtime: precompiled."""
        if not self.config.headers:
            return ()
        names = HEADERS + ("omp.h",) * (self.config.kind != "serial") + ("mpi.h",) * (self.config.kind == "mpi") + (str(HERE / "case.hpp"),)
        flags = (*self.flags(), *self.sanitizer(), "-O0")
        if self.includes:
            return prepared.headers(self.config.headers, self.config.cxx, flags, names)
        return prepared.headers(self.config.headers, self.config.cxx, (*flags, *self.cflags()), (*names, "contraflow/mpi.hpp" if self.config.kind == "mpi" else "contraflow/runtime.hpp"))

    def compile_generated(self):
        cflags = self.cflags()
        if self.patch:
            path = self.work / "ad.cpp"
            path.write_text(self.patch(path.read_text()))
        # What a random program itself may be blamed for.
        own = ["-Wno-tautological-compare"] + ["-Wno-self-assign", "-Wno-self-assign-field"] * ("clang" in self.config.cxx)
        rc, err = self.compile("ad.cpp", "-Wall", "-Wextra", *own, *cflags)
        if self.config.files:
            other = self.compile("generated/other_ad.cpp", "-Wall", "-Wextra", *own, *cflags)
            rc, err = rc or other[0], err + other[1]
        function = ""
        for line in err.splitlines():
            if ": In function" in line or ": In instantiation" in line:
                function = line
            if "error:" in line or "warning:" in line:
                place = re.match(r".*?\b(other_ad|ad|source)\.cpp:(\d+)", line)
                other = place and place.group(1) == "other_ad"
                own = int(place.group(2)) <= self.primal_lines[bool(other)] if place else "shared.hpp:" in line
                if own and "error:" not in line:
                    continue
                numbers = self.at_generated(int(place.group(2))) if place and not other else set()
                for number in numbers or numbers_in(function) or numbers_in(line):
                    if number in self.left():
                        self.note(number, "no-compile" if "error:" in line else "warning", re.sub(r"^.*?(error|warning): ", "", line))
        return rc

    def at_generated(self, line):
        """The program whose derivative a line of ad.cpp is in: the last function head above it."""
        for text in reversed(self.generated[:line]):
            if text and not text[0].isspace() and text[0] not in "}#/" and "(" in text:
                return numbers_in(text)
        return set()

    def cflags(self):
        if self.includes:
            return [f"-I{self.includes}"]
        return asked(self.contraflow, "--cflags", self.config.kind == "mpi")

    def build(self):
        """The driver, or None. A program that doesn't compile is taken out."""
        while self.left():
            before = len(self.outcomes)
            with (self.work / "ad.cpp").open("a") as f:
                f.writelines(p.adapters(n, self.asks_hessian(p)) for n, p in self.left().items())
            self.generated = (self.work / "ad.cpp").read_text().splitlines()
            other = (self.work / "generated" / "other_ad.cpp").read_text().splitlines() if self.config.files else ["// Generated by contraflow"]
            self.primal_lines = [next(n for n, line in enumerate(lines, 1) if line.startswith("// Generated by contraflow"))
                                 for lines in (self.generated, other)]  # the original text in ad.cpp, and in the other file
            rc = self.compile_generated()
            if rc == 0 and self.reference():
                return self.link()
            if len(self.outcomes) == before:
                for number in self.left():
                    self.note(number, "no-compile", "nobody to blame")
                return None
            self.differentiate()
        return None

    def reference(self):
        """Compiles the programs over forward-mode numbers, and the table for the driver."""
        rows, numbers, offset = [], [], 0
        lines = ['#include "case.hpp"', *[f"#include <{h}>" for h in HEADERS]]
        if self.config.kind == "mpi":
            lines += ['#include "reference_mpi.hpp"']
        lines += ['#include "ad.hpp"']
        stubs = "inline int omp_get_thread_num() { return 0; }\ninline int omp_get_num_threads() { return 1; }\n" \
                "inline int omp_get_max_threads() { return 1; }"
        kinds = [("first", "fuzz::First", lambda p: True)]
        if self.config.hessian:
            kinds.append(("second", "fuzz::Second", self.asks_hessian))
        ranges = []
        for name, real, wanted in kinds:
            lines += [f"namespace {name} {{", f"using Real = {real};", *stubs.splitlines()]
            for number, program in self.left().items():
                if wanted(program):
                    first = len(lines) + 1
                    lines += reference_text(program.text(number)).splitlines()
                    ranges.append((first, len(lines), number))
            lines.append("}")
        for number, p in self.left().items():
            f = f"f{number}"
            lines.append(f"void {f}(const double* in, double* out);")
            second = self.asks_hessian(p)
            if p.signature:
                lines += [f"void {f}{ending}({', '.join(parameters)});" for ending, parameters in (
                    ("_d", ("const double*", "const double*", "double*", "double*")), ("_b", ("const double*", "double*", "double*", "double*")),
                    ("_b_d", ("const double*", "const double*", *["double*"] * 6)))]
            numbers += p.at + p.start
            rows.append(f'  {{"{f}", {p.inputs}, {p.outputs}, kNumbers + {offset}, kNumbers + {offset + p.inputs}, '
                        f"{'true' if p.inout else 'false'}, {p.precision!r}, &::{f}, &first::{f}, &{f}_d, &{f}_b, "
                        + (f"&{f}_b_d, &second::{f}}}," if second else "nullptr, nullptr},"))
            offset += p.inputs + p.outputs
        lines += ["static const double kNumbers[] = {" + ", ".join(map(repr, numbers)) + "};",
                  "const fuzz::Case fuzz::kCases[] = {", *rows, "};",
                  f"const int fuzz::kCaseCount = {len(self.left())};", ""]
        (self.work / "reference.cpp").write_text("\n".join(lines))
        rc, err = self.compile("reference.cpp", "-w", *self.cflags())
        if rc == 0:
            return True
        for line in err.splitlines():
            found = re.match(r".*?reference\.cpp:(\d+):\d+: error: (.*)", line)
            if found:
                number = next((n for first, last, n in ranges if first <= int(found.group(1)) <= last), None)
                if number is not None:
                    self.note(number, "generator", found.group(2))
                else:
                    for number in numbers_in(found.group(2)):
                        self.note(number, "generator", "the signature: " + found.group(2))
        return False

    def link(self):
        mpi = self.config.kind == "mpi"
        driver = prepared.object(self.config.headers or self.work.parent / "prepared", self.config.cxx, (*self.flags(), *self.sanitizer(), "-O1"),
                                 HERE / "driver.cpp")
        libs = asked(self.contraflow, "--libs", mpi)
        rc, _, err = sh([self.config.cxx, *self.flags(), *self.sanitizer(), "ad.o", *["other_ad.o"] * self.config.files, "reference.o", driver, *libs, *(mpi_flags("link") if mpi else []),
                         *(["-latomic"] if self.config.kind != "serial" else []), "-o", "driver"], 120, cwd=self.work)
        if rc != 0:
            for number in self.left():
                self.note(number, "no-compile", "doesn't link: " + err[-300:])
            return None
        return self.work / "driver"

    # --- runs -------------------------------------------------------------------------------------------------------------

    ENV = dict(CONTRAFLOW_MPI_TIMEOUT="30", OMP_DYNAMIC="false", OMP_WAIT_POLICY="passive", OMPI_ALLOW_RUN_AS_ROOT="1",
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
               OMPI_MCA_hwloc_base_binding_policy="none")

    def run_driver(self, program, ranks, enough=lambda outcome: False):
        """What becomes of each program. `enough`: an outcome behind which no further run is made."""
        names = list(self.built)
        launch = ["mpirun", "-n", ranks] if self.config.kind == "mpi" else []
        env = {**self.ENV, **(SANITIZERS[self.config.sanitize][1] if self.config.sanitize else {})}
        seen, first = {}, 0
        while first < len(names):
            rc, out, err = sh([*launch, program, first, *self.config.threads], self.config.patience + len(names), env)
            details, reached = {}, None
            for line in out.splitlines():
                word, *rest = line.split(" ", 2)
                if word == "DETAIL":
                    details.setdefault(int(rest[0][1:]), rest[1])
                elif word == "BEGIN":
                    reached = int(rest[0])
                elif word == "RESULT":
                    number, result = int(rest[0][1:]), rest[1]
                    kind, _, text = details.get(number, "? ?").partition(" ")
                    seen[number] = Outcome("pass") if result == "PASS" else Outcome(result.split()[1]) \
                        if result.startswith("SKIP") else Outcome(kind, text)
                    reached = None
            if rc == 0:
                break
            if reached is None:
                reached = first  # nothing was printed
            why = details.get(names[reached], "")
            seen[names[reached]] = Outcome("hang" if rc == -99 else "crash", f"status {rc}: {why} {' '.join(err.split())[-300:]}")
            if enough(seen[names[reached]]):
                break
            first = reached + 1
        return seen

    def run(self):
        self.differentiate()
        if not self.left():
            return self.outcomes
        driver = self.build()
        if driver is None:
            return self.outcomes
        self.built = list(self.left())
        for ranks in self.config.ranks:
            for number, outcome in self.run_driver(driver, ranks).items():
                worse = number not in self.outcomes or self.outcomes[number].kind in ("pass", "large", "kink")
                if worse and (outcome.fault or number not in self.outcomes or outcome.kind == "pass"):
                    self.outcomes[number] = outcome
        for number in self.left():
            self.note(number, "crash", "no result")
        return self.outcomes

#!/usr/bin/env python3
"""cvise's question about a program: does it still have the fault, and is it still a program with a meaning?

    interesting.py SETTINGS.json [PROGRAM.cpp]      exit status 0: yes; otherwise a line says why not

PROGRAM.cpp (default: program.cpp in the current folder) is one program as `fuzz.py --print` shows it, with `f0`. It has to compile
without warnings but for names that nothing uses, to run under AddressSanitizer and UndefinedBehaviorSanitizer without a finding,
and the tool has to have a fault of the wanted kind with it (harness.Outcome.key), compared with the reference.
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

import harness

# What a program that shrinks has for a while, and what says nothing about its meaning.
QUIET = ("-Wno-unused", "-Wno-unused-parameter", "-Wno-unused-value", "-Wno-unknown-pragmas", "-Wno-tautological-compare", "-Wno-empty-body",
         "-Wno-misleading-indentation", "-Wno-parentheses", "-Wno-comment")
MACROS = "#define SAVE(x)\n#define RESTORE(x)\n#define REAL_SUM MPI_SUM\n#define REAL_MAX MPI_MAX\n#define REAL_MIN MPI_MIN\n"


FIELDS = ("inputs", "outputs", "inout", "at", "start", "precision")


class Text:
    """A program that is a text. It has the head, the point, the features and the precision of the one that it was made of."""

    def __init__(self, text, like):
        self.body = text
        for name in FIELDS:
            setattr(self, name, like[name])
        self.features = set(like["features"])
        self.asked, self.derivatives, self.signature = tuple(like["heads"]), like["adapters"], bool(like["adapters"][0])

    def text(self, number):
        return self.body

    def heads(self, number):
        return self.asked

    def adapters(self, number, second):
        return self.derivatives[second]


def settings(program, config, key, contraflow):
    """All that a question needs, for a file."""
    like = {name: getattr(program, name) for name in FIELDS}
    like.update(features=sorted(program.features), heads=program.heads(0), adapters=[program.adapters(0, False), program.adapters(0, True)])
    run = {name: getattr(config, name) for name in ("kind", "options", "hessian", "cxx", "threads", "ranks", "sanitize", "valgrind")}  # in one file
    return dict(program=like, config=run, key=key, contraflow=str(contraflow))


def shrink(program, config, key, contraflow, seconds, work):
    """What cvise makes of a program that has a fault: its text, or None if there is no cvise."""
    cvise = shutil.which("cvise")
    if cvise is None:
        return None
    work.mkdir(parents=True, exist_ok=True)
    (work / "question.json").write_text(json.dumps(settings(program, config, key, contraflow)))
    script = work / "ask.sh"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).resolve()} {work / 'question.json'}\n")
    script.chmod(0o755)
    (work / "program.cpp").write_text(program.text(0))
    # What is found when the time is over is there all the same.
    harness.sh([cvise, "--n", os.cpu_count() or 1, "--timeout", 300, "--clang-delta-std", "c++17", script, "program.cpp"], seconds, cwd=work)
    return (work / "program.cpp").read_text()


def main_of(program):
    numbers = ", ".join(map(repr, program.at)), ", ".join(map(repr, program.start))
    mpi = "mpi" in program.features
    return (f"\n#include <cstdio>\nint main(int argc, char** argv) {{\n  static_cast<void>(argc);\n  static_cast<void>(argv);\n"
            + "  MPI_Init(&argc, &argv);\n" * mpi +
            f"  const double in[] = {{{numbers[0]}}};\n  double out[] = {{{numbers[1]}}};\n  f0(in, out);\n"
            "  for (double x : out) std::printf(\"%.17g\\n\", x);\n" + "  MPI_Finalize();\n" * mpi + "  return 0;\n}\n")


def meaningless(program, config, work):
    """Why the program has no defined meaning, or nothing."""
    work.mkdir(parents=True, exist_ok=True)
    source = work / "primal.cpp"
    includes = [f"#include <{h}>" for h in (*harness.HEADERS, *["omp.h"] * (config.kind != "serial"), *["mpi.h"] * (config.kind == "mpi"))]
    source.write_text("\n".join(includes) + "\n" + MACROS + program.body + main_of(program))
    flags = harness.Batch(None, {}, config, work).flags()
    link = harness.mpi_flags("link") if config.kind == "mpi" else []
    # GCC's optimiser sees uses of what isn't initialised; the sanitizers see the rest.
    for extra in (["-O1"], ["-O0", *harness.SANITIZERS["address"][0]]):
        rc, _, err = harness.sh(["g++", *flags, "-Wall", "-Wextra", "-Werror", *QUIET, *extra, source, "-o", work / "primal", *link], 120)
        if rc != 0:
            return "doesn't compile: " + next((x for x in err.splitlines() if "error" in x), err)[:200]
    launch = ["mpirun", "-n", max(config.ranks)] if config.kind == "mpi" else []
    rc, _, err = harness.sh([*launch, work / "primal"], 60, {**harness.Batch.ENV, **harness.SANITIZERS["address"][1]})
    return f"status {rc}: {' '.join(err.split())[:200]}" if rc != 0 else ""


def asked(question, text, work, patch=None):
    """Why the text is of no interest, or nothing."""
    config = harness.Config(**question["config"])
    program = Text(text, question["program"])
    why = meaningless(program, config, work)
    if why:
        return why
    outcome = harness.Batch(pathlib.Path(question["contraflow"]), {0: program}, config, work / "batch", patch).run()[0]
    return "" if list(outcome.key()) == list(question["key"]) else f"another outcome: {outcome}"[:200]


def main():
    question = json.loads(pathlib.Path(sys.argv[1]).read_text())
    text = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "program.cpp").read_text()
    with tempfile.TemporaryDirectory() as tmp:
        why = asked(question, text, pathlib.Path(tmp))
    if why:
        print(why)
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random programs against the compiler: generates, differentiates, compares, reduces.

    fuzz.py --contraflow BIN [--seed S] [--count N | --minutes M] [--kind serial|openmp|mpi|language|clauses|hybrid|heads]... [--mode MODE]...

Program S of kind K is the same on every machine. Batches take the kinds in turn. Each batch is run in the mode `default`, and
often in one more; modes are listed by --help. A fault is printed with its seed, and reduced to a small program in --keep.
Exit status 1 if there was a fault.
"""
import argparse
import collections
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

import clauses
import harness
import heads
import interesting
import language
import library
import mpi
import objects
import openmp
import parallel_heads
import particles
import reduce
import serial
import stencils

GENERATORS = {"serial": serial.Serial, "openmp": openmp.OpenMP, "mpi": mpi.Mpi,
              "language": language.Language, "clauses": clauses.Clauses, "moreClauses": clauses.MoreClauses, "hybrid": clauses.Hybrid, "heads": heads.Heads,
              "objects": objects.Objects, "objectHeads": objects.ObjectHeads,
              "files": objects.Objects, "library": library.Library, "particles": particles.Particles, "stencils": stencils.Stencils,
              "openmpHeads": parallel_heads.OpenMPHeads, "mpiHeads": parallel_heads.MpiHeads}
# How programs of these kinds are compiled and run.
BASE = {"language": "serial", "heads": "serial", "objects": "serial", "objectHeads": "serial", "files": "serial", "library": "serial",
        "clauses": "openmp", "moreClauses": "openmp", "particles": "openmp", "stencils": "openmp", "openmpHeads": "openmp", "hybrid": "mpi", "mpiHeads": "mpi"}
MODES = {
    "default": (), "no-analysis": ("--no-analysis",), "never": ("--recompute=never",), "noalias": ("--noalias",), "always": ("--recompute=always",), "audit": ("--audit",), "without-activity": ("--without=activity",), "without-exclusive": ("--without=exclusive",),
    "without-tbr": ("--without=tbr",), "without-points-to": ("--without=points-to",), "atomic": ("--omp-adjoint=atomic",),
    "hessian": (),
}


def program_of(kind, seed):
    program = GENERATORS[kind](random.Random(f"{kind} {seed}")).make()
    program.seed = seed
    return program


def config_of(kind, mode, cxx, sanitize=None, valgrind=False, headers=None):
    files, kind = kind == "files", BASE.get(kind, kind)
    threads = {"serial": (1,), "openmp": (1, 2, 3, 4), "mpi": (1, 2)}[kind]
    config = harness.Config(kind, MODES[mode], mode == "hessian", cxx, threads, (1, 2, 3, 4) if kind == "mpi" else (1,), sanitize, valgrind, files)
    config.headers = headers
    return config


class Record:
    """What was run, and what became of it; added to a file."""

    def __init__(self, path):
        self.path = path
        self.programs, self.checks, self.kinds = collections.Counter(), collections.Counter(), collections.Counter()

    def note(self, kind, mode, outcomes):
        for outcome in outcomes.values():
            self.checks[f"{kind} {mode}"] += 1
            self.kinds[f"{kind} {outcome.kind}"] += 1
        if mode == "default":
            self.programs[kind] += sum(o.kind in ("pass",) or o.fault for o in outcomes.values())

    def write(self):
        if self.path:
            with self.path.open("a") as f:
                f.write(json.dumps(dict(programs=self.programs, checks=self.checks, kinds=self.kinds)) + "\n")

    def __str__(self):
        return "\n".join(["programs: " + ", ".join(f"{k} {n}" for k, n in sorted(self.programs.items())),
                          "results: " + ", ".join(f"{k} {n}" for k, n in sorted(self.kinds.items()))])


def reduce_one(args, kind):
    program = program_of(kind, args.seed)
    config = config_of(kind, (args.mode or ["default"])[0], args.cxx or "g++", args.sanitize, args.valgrind)
    with tempfile.TemporaryDirectory() as tmp:
        work = pathlib.Path(tmp) / "batch"
        outcome = harness.Batch(args.contraflow, {0: program}, config, work).run()[0]
        print(f"// {kind} seed {args.seed}, {config}: {outcome}"[:400], flush=True)
        if not outcome.fault:
            return 0
        small = reduce.reduce(args.contraflow, program, config, outcome.key(), work)
        outcome = harness.Batch(args.contraflow, {0: small}, config, work).run()[0]
        print(f"// reduced from {program.size()} to {small.size()} nodes: {outcome}"[:400])
        print(f"// case: at={','.join(map(str, small.at))} start={','.join(map(str, small.start))}{' inout' * small.inout}")
        text = harness.tool_text(small.text(0))
        if args.cvise:
            text = interesting.shrink(small, config, outcome.key(), args.contraflow, 60 * args.cvise, work / "cvise") or text
        if args.cvise and shutil.which("cvise") is None:
            print("// no cvise here: it would take the program further (./dev setup installs it)")
        print(text)
    return 1


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--contraflow", required=True, type=pathlib.Path)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, help="programs; default: one batch of each kind")
    ap.add_argument("--minutes", type=float)
    ap.add_argument("--kind", action="append", choices=sorted(GENERATORS))
    ap.add_argument("--mode", action="append", choices=sorted(MODES))
    ap.add_argument("--batch", type=int, default=40)
    ap.add_argument("--cxx")
    ap.add_argument("--sanitize", choices=sorted(harness.SANITIZERS), help="generated code and runtime under it; thread: clang++ and "
                    "Archer (OMP_TOOL_LIBRARIES) see OpenMP's synchronisation")
    ap.add_argument("--valgrind", action="store_true", help="the tool under valgrind; what it finds is a crash of the tool")
    ap.add_argument("--keep", type=pathlib.Path)
    ap.add_argument("--headers", type=pathlib.Path, help="folder for precompiled headers that runs share; default: one of its own")
    ap.add_argument("--record", type=pathlib.Path)
    ap.add_argument("--reduce", action="store_true", help="reduce the program of --seed, --kind and --mode, first by its own choices, "
                    "then by cvise; print it, and stop")
    ap.add_argument("--cvise", type=float, default=20, help="minutes that cvise may take behind our own reducer; 0: none")
    ap.add_argument("--print", action="store_true", help="print the program of --seed and --kind, and stop")
    args = ap.parse_args()
    kinds = args.kind or sorted(GENERATORS)
    if args.print:
        print(harness.tool_text(program_of(kinds[0], args.seed).text(0)), end="")
        return 0
    args.contraflow = args.contraflow.resolve()
    if args.reduce:
        return reduce_one(args, kinds[0])
    record, end = Record(args.record), time.time() + 60 * args.minutes if args.minutes else None
    count = args.count or args.batch * len(kinds)
    faults, done, seed = 0, 0, args.seed
    with tempfile.TemporaryDirectory() as tmp:
        work = args.keep.resolve() if args.keep else pathlib.Path(tmp)
        while time.time() < end if end else done < count:
            kind = kinds[done // args.batch % len(kinds)]
            rng = random.Random(f"batch {seed}")
            programs = {n: program_of(kind, seed + n) for n in range(args.batch)}
            cxx = args.cxx or rng.choice(["g++", "clang++-19"])
            others = [m for m in MODES if m != "default" and (BASE.get(kind, kind) != "serial" or m not in ("without-exclusive", "atomic"))]
            for mode in args.mode or ["default"] + [rng.choice(others)] * (rng.random() < 0.4):
                started = time.time()
                config = config_of(kind, mode, cxx, args.sanitize, args.valgrind, args.headers.resolve() if args.headers else work / "headers")
                outcomes = harness.Batch(args.contraflow, programs, config, work / "batch").run()
                record.note(kind, mode, outcomes)
                print(f"{kind} {seed}..{seed + args.batch - 1} {mode} {cxx}: " + ", ".join(
                    f"{n} {k}" for k, n in collections.Counter(o.kind for o in outcomes.values()).most_common()) +
                    f" ({time.time() - started:.0f} s)", flush=True)
                for number, outcome in outcomes.items():
                    if outcome.fault:
                        faults += 1
                        print(f"FAULT {kind} seed {seed + number} {mode} {cxx}: {outcome}"[:600], flush=True)
            done += args.batch
            seed += args.batch
    record.write()
    print(record)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

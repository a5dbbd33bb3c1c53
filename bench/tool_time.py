#!/usr/bin/env python3
"""How much time and memory the tool takes for a program of many lines: random programs of test/fuzz, all in one source.

    tool_time.py --contraflow BIN [--lines 3000] [--seed 1] [--kind serial]

Tangents and adjoints of all of them are asked for in one run. What the tool refuses is left out beforehand.
"""

import argparse
import pathlib
import resource
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test" / "fuzz"))
import fuzz  # noqa: E402
import harness  # noqa: E402


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lines_of(work):
    return len((pathlib.Path(work) / "source.cpp").read_text(encoding="utf-8").splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contraflow", required=True)
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(fuzz.GENERATORS), default="serial")
    arguments = parser.parse_args()
    contraflow = str(pathlib.Path(arguments.contraflow).resolve())
    with tempfile.TemporaryDirectory() as work:
        programs, seed, batch = {}, arguments.seed, None
        while batch is None or lines_of(work) < arguments.lines:
            for _ in range(20):
                programs[len(programs)] = fuzz.program_of(arguments.kind, seed)
                seed += 1
            batch = harness.Batch(contraflow, programs, fuzz.config_of(arguments.kind, "default", "g++"), work)
            batch.write_source(programs)
        batch.differentiate()
        left = batch.left()
        batch.write_source(left)
        (pathlib.Path(work) / ".clang-format").unlink()  # the fuzzer's, which leaves formatting out
        seconds, elapsed = [], []
        for _ in range(3):
            begin, start = processor_seconds(), time.monotonic()
            rc, _, err = batch.tool(left)
            seconds.append(processor_seconds() - begin)
            elapsed.append(time.monotonic() - start)
            if rc != 0:
                sys.exit(err)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{lines_of(work)} lines, {len(left)} functions, tangent and adjoint of each: "
              f"{min(elapsed):.1f} s, {min(seconds):.1f} s of processor time, {peak:.0f} MB")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Differentiates heads/heads.cpp by the heads named in its comments, and runs heads/main.cpp against the result.

    run_heads.py --contraflow BIN [--cxx CXX]... [--flags FLAGS] [--launcher CCACHE] [--keep DIR]

With and without analyses, with each compiler. Prints 'N passed, N failed' as its last line.
"""
import argparse
import pathlib
import re
import sys
import tempfile

from run import first_error, sh

HERE = pathlib.Path(__file__).resolve().parent / "heads"


def outcome(args, cxx, mode, work):
    """'' if all is well, otherwise what isn't."""
    work.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c++17", f"-I{HERE}", *args.flags.split()]
    generated = work / "heads_ad.cpp"
    command = [args.contraflow, HERE / "heads.cpp", *mode]
    for kind, head in re.findall(r"^// head: (\w+) (.*)$", (HERE / "heads.cpp").read_text(), re.M):
        command += [f"--{kind}", head]
    rc, _, err = sh(command + ["-o", generated, "--", *flags], 120)
    if rc != 0:
        return f"the tool ends with status {rc}:\n{err.strip()}"
    cflags, libs = (sh([args.contraflow, what], 60)[1].split() for what in ("--cflags", "--libs"))
    rc, _, err = sh([*args.launcher.split(), cxx, *flags, "-O1", "-Wall", "-Wextra", "-Werror", f"-I{work}", *cflags, "-c",
                     generated, "-o", work / "heads.o"], 300)
    if rc != 0:
        return f"what is generated doesn't compile: {first_error(err)}"
    rc, _, err = sh([cxx, *flags, "-O1", f"-I{work}", *cflags, HERE / "main.cpp", work / "heads.o", *libs, "-o",
                     work / "heads"], 300)
    if rc != 0:
        return f"the calls don't fit: {first_error(err)}"
    rc, out, err = sh([work / "heads"], 60)
    return "" if rc == 0 else f"status {rc}:\n{out}{err}"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--contraflow", required=True, type=pathlib.Path)
    ap.add_argument("--cxx", action="append")
    ap.add_argument("--flags", default="")
    ap.add_argument("--launcher", default="")
    ap.add_argument("--keep", type=pathlib.Path)
    args = ap.parse_args()
    args.contraflow = args.contraflow.resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for mode in ([], ["--no-analysis"]):
            for cxx in args.cxx or ["g++", "clang++-19"]:
                name = f"{' '.join(mode) or 'with analyses'}, {pathlib.Path(cxx).name}"
                bad = outcome(args, cxx, mode, (args.keep or pathlib.Path(tmp)) / name.replace(" ", "_"))
                passed, failed = passed + (not bad), failed + bool(bad)
                if bad:
                    print(f"FAIL [{name}] {bad}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Builds the libFuzzer target of this folder with Clang, and runs it.

    run.py --clangxx CLANGXX --build DIR --llvm-include DIR --llvm-library FILE [--runs N] [--seconds S] [--seed N]

Without --seconds, a fixed number of runs from a fixed seed. The inputs begin with `seeds.txt`, one a line; what is found stays in
DIR/corpus, which is read as well. A crash, a hang of ten seconds or a fault under AddressSanitizer ends with a status that isn't
0, and leaves the input in DIR. Exits with 77, which CTest counts as skipped, where this Clang has no libFuzzer.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FLAGS = ["-std=c++20", "-O1", "-g1", "-fsanitize=fuzzer,address", "-fno-rtti", "-UNDEBUG"]
# The two parsers, what they stand on, and nothing that includes Clang.
SOURCES = ["test/fuzz/text/fuzz_text.cpp", "lib/driver/head_parser.cpp", "lib/driver/heads.cpp", "lib/driver/check_arguments.cpp",
           "lib/frontend/annotation_text.cpp", "lib/diagnostics/diagnostics.cpp", "lib/ir/nodes.cpp", "lib/ir/types.cpp"]


def has_fuzzer(args):
    probe = args.build / "probe.cpp"
    probe.write_text('extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n')
    return subprocess.run([args.clangxx, "-fsanitize=fuzzer,address", probe, "-o", args.build / "probe"], capture_output=True).returncode == 0


def build(args):
    """Compiles what is older than the sources or any header of the layers."""
    newest_header = max(p.stat().st_mtime for p in (ROOT / "lib").rglob("*") if p.suffix in (".hpp", ".def"))
    objects = []
    for source in SOURCES:
        path, target = ROOT / source, args.build / (source.replace("/", "-") + ".o")
        objects.append(target)
        if target.exists() and target.stat().st_mtime > max(path.stat().st_mtime, newest_header):
            continue
        subprocess.run([args.clangxx, *FLAGS, f"-I{ROOT / 'lib'}", "-isystem", args.llvm_include, "-c", path, "-o", target], check=True)
    program = args.build / "fuzz_text"
    subprocess.run([args.clangxx, *FLAGS, *objects, args.llvm_library, f"-Wl,-rpath,{args.llvm_library.parent}", "-o", program], check=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--llvm-include", required=True)
    parser.add_argument("--llvm-library", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.build.mkdir(parents=True, exist_ok=True)
    if not has_fuzzer(args):
        print("skipped: this Clang has no libFuzzer")
        return 77
    program = build(args)
    seeds, corpus = args.build / "seeds", args.build / "corpus"
    seeds.mkdir(exist_ok=True)
    corpus.mkdir(exist_ok=True)
    for number, line in enumerate((HERE / "seeds.txt").read_text().splitlines()):
        (seeds / str(number)).write_text(line)
    limit = [f"-max_total_time={args.seconds}"] if args.seconds else [f"-runs={args.runs}"]
    folders = [corpus, seeds] if args.seconds else [seeds]  # a fixed run begins at the same place each time
    run = subprocess.run([program, *limit, f"-seed={args.seed}", "-timeout=10", "-max_len=200", "-close_fd_mask=2", "-print_final_stats=1",
                          f"-dict={HERE / 'words.dict'}", f"-artifact_prefix={args.build}/", *folders], text=True, capture_output=True)
    print((run.stdout + run.stderr)[-3000:])
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())

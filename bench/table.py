#!/usr/bin/env python3
"""Measures the kernels with bench_serial and bench_openmp, and prints the tables of docs/performance.md.

    table.py BUILD_DIR [--only=NAME,...] [--repetitions N] [--threads 1,2]

Ratios are those of medians over repetitions that Google Benchmark interleaves at random in one process: CPU time in
serial, elapsed time with OpenMP. Memory is that of a process which runs one gradient: what its peak adds to the data and
the scratch arrays, and the bytes that the tape or the hand-written adjoint's records have.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

VARIANTS = ["tangent", "adjoint", "by_hand", "adolc"]
PARALLEL = {"heat2d", "burgers", "nbody_all", "cg", "spmv", "edge_flux"}


def times(program, kernels, repetitions, threads, clock):
    """Median times by kernel and variant, in milliseconds."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false")
    command = [program, f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true",
               "--benchmark_min_time=0.02", "--benchmark_format=json"]
    if kernels:
        command.append("--only=" + ",".join(sorted(kernels)))
    # ADOL-C writes long tapes to files in the current folder.
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True, cwd=os.path.dirname(program))
    samples = {}
    for run in json.loads(done.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            kernel, variant = run["name"].split("/")[:2]
            samples.setdefault((kernel, variant), []).append(run[clock])
    return {key: statistics.median(values) for key, values in samples.items()}


def memory(program, kernel, variant):
    done = subprocess.run([program, f"--memory={kernel}/{variant}"], stdout=subprocess.PIPE, check=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"), cwd=os.path.dirname(program))
    return json.loads(done.stdout)


def megabytes(count):
    return f"{count / 1e6:.1f}"


def table(program, kernels, repetitions, threads, clock):
    medians = times(program, kernels, repetitions, threads, clock)
    lines = ["| kernel | primal, ms | tangent | adjoint | by hand | adjoint / by hand | ADOL-C | more memory, MB: adjoint, by hand, ADOL-C"
             " | tape, MB | records by hand, MB |", "|---|" + "---|" * 9]
    shares = []
    for kernel in dict.fromkeys(name for name, _ in medians):
        primal = medians[kernel, "primal"]
        ratio = {v: medians[kernel, v] / primal for v in VARIANTS if (kernel, v) in medians}
        used = {v: memory(program, kernel, v) for v in ratio if v != "tangent"}
        share = ratio["adjoint"] / ratio["by_hand"]
        shares.append(share)
        more = ", ".join(megabytes(used[v]["more"]) if v in used else "-" for v in ["adjoint", "by_hand", "adolc"])
        adolc = f"{ratio['adolc']:.1f}" if "adolc" in ratio else "-"
        lines.append(f"| {kernel} | {primal:.2f} | {ratio['tangent']:.2f} | {ratio['adjoint']:.2f} | {ratio['by_hand']:.2f} |"
                     f" {share:.2f} | {adolc} | {more} | {megabytes(used['adjoint']['records'])} |"
                     f" {megabytes(used['by_hand']['records'])} |")
    lines.append(f"\nAdjoint over by hand: median {statistics.median(shares):.2f}, worst {max(shares):.2f}.")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--only", default="", help="kernels, separated by commas")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--threads", default="1,2", help="numbers of threads with OpenMP; empty: serial only")
    arguments = parser.parse_args()
    only = set(filter(None, arguments.only.split(",")))
    folder = os.path.abspath(os.path.join(arguments.build, "bench"))
    print("Serial\n\n" + table(os.path.join(folder, "bench_serial"), only, arguments.repetitions, 1, "cpu_time"))
    sys.stdout.flush()
    openmp = os.path.join(folder, "bench_openmp")
    kernels = PARALLEL & only if only else PARALLEL
    for threads in filter(None, arguments.threads.split(",")):
        if os.path.exists(openmp) and kernels:
            print(f"\nOpenMP, threads: {threads}\n\n" + table(openmp, kernels, arguments.repetitions, threads, "real_time"))
            sys.stdout.flush()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the kernels with bench_serial and bench_openmp, and prints the tables of docs/performance.md.

    table.py BUILD_DIR [--only=NAME,...] [--repetitions N] [--threads 1,2] [--json FILE]

Ratios are those of medians over repetitions that Google Benchmark interleaves at random in one process: CPU time in
serial, elapsed time with OpenMP. Memory is that of a process which runs one gradient: what its peak adds to the data and
the scratch arrays, and the bytes that the tape or the hand-written adjoint's records have. With --json the figures are
written to a file too, of which plot.py makes pictures.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

PEERS = ["adolc", "sacado"]
VARIANTS = ["tangent", "adjoint", "by_hand"] + PEERS
TITLES = {"adolc": "ADOL-C", "sacado": "Sacado"}
PARALLEL = {"heat2d", "burgers", "nbody_all", "cg", "spmv", "edge_flux"}
STEPS = {"recurrence_1e4": 10**4, "recurrence_1e5": 10**5, "recurrence": 10**6, "recurrence_1e7": 10**7}


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


def measure(program, kernels, repetitions, threads, clock):
    """One row for each kernel: the primal's milliseconds, ratios to it, and memory in bytes."""
    medians = times(program, kernels, repetitions, threads, clock)
    rows = []
    for kernel in sorted({name for name, _ in medians}):
        primal = medians[kernel, "primal"]
        ratio = {v: medians[kernel, v] / primal for v in VARIANTS if (kernel, v) in medians}
        used = {v: memory(program, kernel, v) for v in ratio if v != "tangent"}
        rows.append({"kernel": kernel, "primal_ms": primal, "ratio": ratio, "more": {v: used[v]["more"] for v in used},
                     "records": {v: used[v]["records"] for v in ("adjoint", "by_hand")}})
    return rows


def megabytes(row, what, variant):
    return f"{row[what][variant] / 1e6:.1f}" if variant in row[what] else "-"


def table(rows):
    peers = [p for p in PEERS if any(p in row["ratio"] for row in rows)]
    titles = [TITLES[p] for p in peers]
    head = ["kernel", "primal, ms", "tangent", "adjoint", "by hand", "adjoint / by hand", *titles,
            "more memory, MB: " + ", ".join(["adjoint", "by hand", *titles]), "tape, MB", "records by hand, MB"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        ratio = row["ratio"]
        cells = [row["kernel"], f"{row['primal_ms']:.2f}", *(f"{ratio[v]:.2f}" for v in ("tangent", "adjoint", "by_hand")),
                 f"{ratio['adjoint'] / ratio['by_hand']:.2f}", *(f"{ratio[p]:.1f}" if p in ratio else "-" for p in peers),
                 ", ".join(megabytes(row, "more", v) for v in ["adjoint", "by_hand", *peers]),
                 megabytes(row, "records", "adjoint"), megabytes(row, "records", "by_hand")]
        lines.append("| " + " | ".join(cells) + " |")
    kernels = [row["ratio"] for row in rows if row["kernel"] not in STEPS or row["kernel"] == "recurrence"]
    if kernels:
        shares = [ratio["adjoint"] / ratio["by_hand"] for ratio in kernels]
        lines.append(f"\nAdjoint over by hand: median {statistics.median(shares):.2f}, worst {max(shares):.2f}. "
                     f"Tangent over primal: median {statistics.median(ratio['tangent'] for ratio in kernels):.2f}.")
    return "\n".join(lines)


def steps(rows):
    """The recurrence's time for each step, by the number of steps."""
    found = [row for row in sorted(rows, key=lambda row: STEPS.get(row["kernel"], 0)) if row["kernel"] in STEPS]
    if len(found) < 2:
        return ""
    each = [row["primal_ms"] * row["ratio"]["adjoint"] / STEPS[row["kernel"]] * 1e6 for row in found]
    lines = ["\n\nThe recurrence's adjoint by its number of steps\n", "| steps | ns for each |", "|---|---|"]
    lines += [f"| 1e{len(str(STEPS[row['kernel']])) - 1} | {one:.2f} |" for row, one in zip(found, each)]
    return "\n".join(lines) + f"\n\nSlowest over fastest: {max(each) / min(each):.2f}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--only", default="", help="kernels, separated by commas")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--threads", default="1,2", help="numbers of threads with OpenMP; empty: serial only")
    parser.add_argument("--json", help="the figures go to this file too")
    arguments = parser.parse_args()
    only = set(filter(None, arguments.only.split(",")))
    folder = os.path.abspath(os.path.join(arguments.build, "bench"))
    serial = measure(os.path.join(folder, "bench_serial"), only, arguments.repetitions, 1, "cpu_time")
    print("Serial\n\n" + table(serial) + steps(serial))
    sys.stdout.flush()
    all_rows = {"serial": serial}
    openmp = os.path.join(folder, "bench_openmp")
    kernels = PARALLEL & only if only else PARALLEL
    for threads in filter(None, arguments.threads.split(",")):
        if os.path.exists(openmp) and kernels:
            rows = measure(openmp, kernels, arguments.repetitions, threads, "real_time")
            print(f"\nOpenMP, threads: {threads}\n\n" + table(rows))
            sys.stdout.flush()
            all_rows["openmp " + threads] = rows
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as out:
            json.dump(all_rows, out, indent=1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Installs a build into a temporary prefix, moves that, and builds and runs this folder's project against it.

    run.py --build DIR [--cxx COMPILER] [--flags "FLAG;FLAG"] [--generator Ninja "Unix Makefiles"]

For each generator: build and run; build again, which must run the tool for nothing; change a header that the
differentiated source includes over another, and build and run: the gradient must follow. Then compile and run
once by hand, with the flags that the installed tool and pkg-config print.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ("CMakeLists.txt", "main.cpp", "parallel.cpp", "parallel_main.cpp", "ranks.cpp", "ranks_main.cpp", "src", "include")


def run(*command, cwd=None, env=None):
    print("+", *command, flush=True)
    result = subprocess.run([str(c) for c in command], cwd=cwd, env=env, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    print(result.stdout, end="", flush=True)
    if result.returncode != 0:
        sys.exit(f"FAILED with status {result.returncode}")
    return result.stdout


def expect(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def gradient(stiffness):
    """Of sum (k + 1) (stiffness / 2 s^2 + 0.5 s^3) at s = 0.5, -1, 2."""
    return "gradient " + " ".join(f"{(k + 1) * (stiffness * s + 1.5 * s * s):.6f}" for k, s in enumerate((0.5, -1.0, 2.0)))


def copy_project(to):
    to.mkdir()
    for name in SOURCES:
        (shutil.copytree if (HERE / name).is_dir() else shutil.copy)(HERE / name, to / name)


def check_generator(generator, prefix, work, args):
    source, build = work / "source", work / "build"
    copy_project(source)
    flags = " ".join(f for f in args.flags.split(";") if f)
    run("cmake", "-S", source, "-B", build, "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={args.cxx}", "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror {flags}")
    run("cmake", "--build", build, "--parallel", "2")
    expect(gradient(2.0) in run(build / "foreign"), "the gradient is wrong")
    if (build / "parallel").exists():
        run(build / "parallel", env=dict(os.environ, OMP_NUM_THREADS="2"))
    if (build / "ranks").exists():
        run("mpirun", "-n", "2", build / "ranks")

    tests = run("ctest", "--test-dir", build, "--output-on-failure")
    wanted = ["spring-gradient"] + [f"total-gradient-threads{n}" for n in (1, 2) if (build / "parallel").exists()]
    wanted += [f"share-gradient-ranks{n}" for n in (1, 2) if (build / "ranks").exists()]
    for name in wanted:
        expect(re.search(rf" {name} \.+ +Passed", tests), f"the gradient test '{name}' didn't pass")

    generated = build / "contraflow/spring/spring_ad.cpp"
    before = generated.stat().st_mtime_ns
    run("cmake", "--build", build, "--parallel", "2")
    expect(generated.stat().st_mtime_ns == before, "the tool ran though nothing had changed")

    header = source / "include/stiffness.hpp"
    header.write_text(header.read_text().replace("2.0", "3.0"))
    newer = before + 2_000_000_000  # Makefiles compare whole seconds on some file systems
    os.utime(header, ns=(max(newer, header.stat().st_mtime_ns),) * 2)
    run("cmake", "--build", build, "--parallel", "2")
    expect(generated.stat().st_mtime_ns != before, "a header changed, and the tool didn't run")
    expect(gradient(3.0) in run(build / "foreign"), "the gradient doesn't follow the header")


def check_by_hand(prefix, work, args):
    copy_project(work / "source")
    tool = next(prefix.glob("bin/contraflow"))
    compile_flags = ["-std=c++20", "-Iinclude", '-DSPRING_UNIT="N/m"', "-DSPRING_CUBIC=0.5"]
    source = work / "source"
    run(tool, "src/spring.cpp", "--adjoint", "energy(stretch -> return)", "--tangent", "energy(stretch -> return)",
        "-o", "spring_ad.cpp", "--", *compile_flags, cwd=source)
    env = dict(os.environ, PKG_CONFIG_PATH=str(next(prefix.glob("**/pkgconfig"))))
    asked = [(run(tool, "--cflags").split(), run(tool, "--libs").split())]
    if shutil.which("pkg-config"):
        asked.append((run("pkg-config", "--cflags", "contraflow", env=env).split(),
                      run("pkg-config", "--libs", "contraflow", env=env).split()))
    for cflags, libs in asked:
        flags = [f for f in args.flags.split(";") if f]
        run(args.cxx, *compile_flags, *flags, *cflags, "-iquotesrc", "-I.", "main.cpp", "spring_ad.cpp", *libs, "-o", "foreign",
            cwd=source)
        expect(gradient(2.0) in run(source / "foreign"), "the gradient is wrong")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--flags", default="")
    parser.add_argument("--generator", nargs="+", default=["Ninja", "Unix Makefiles"])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="contraflow-package-") as temporary:
        work = pathlib.Path(temporary)
        run("cmake", "--install", args.build, "--prefix", work / "first")
        (work / "first").rename(work / "prefix")  # nothing may depend on where it was installed
        for generator in args.generator:
            folder = work / generator.replace(" ", "-")
            folder.mkdir()
            check_generator(generator, work / "prefix", folder, args)
        (work / "hand").mkdir()
        check_by_hand(work / "prefix", work / "hand", args)
    print("package: all well")


if __name__ == "__main__":
    main()

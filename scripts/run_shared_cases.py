#!/usr/bin/env python3
"""Runs the project's shared case programs, which lie beside a checkout and not in it.

    run_shared_cases.py --contraflow BIN [arguments for ../shared/cases/run.py]

Exit status 77 (skipped) where they are absent.
"""
import pathlib
import subprocess
import sys

runner = pathlib.Path(__file__).resolve().parents[2] / "shared" / "cases" / "run.py"
if not runner.exists():
    print("skipped: the shared cases (../shared/cases beside the checkout) aren't here")
    sys.exit(77)
sys.exit(subprocess.run([sys.executable, str(runner), *sys.argv[1:]]).returncode)

"""Runs the tool on input that is no program, and on beginnings of programs.

    odd.py WORK CONTRAFLOW OUT KERNEL...

Programs of the list below by the adjoint and by the tangent, beginnings by one of them. Each run must end with status 0 and outputs, or with status 1, a code and no output.
"""
import pathlib
import re
import subprocess
import sys

work, tool, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])

cases = {
    "empty": b"",
    "blank": b"\n\n",
    "zeros": bytes(1000),
    "binary": bytes((7 * k * k + 3) % 256 for k in range(4000)),
    "bom": b"\xef\xbb\xbfdouble f(double x) { return x; }\n",
    "latin": b"// na\xefve\ndouble f(double x) { return x * x; }\n",
    "returns": b"double f(double x) {\r\n  return x * x;\r\n}\r\n",
    "unended": b"double f(double x) { return x * x; } // no line end",
    "comment": b"/* double f(double x) { return x * x; }",
    "quote": b'const char* s = "double f(double x) { return x; }\n',
    "pragma": b"#pragma contraflow",
    "pragmas": b"#pragma contraflow adjoint(\n#pragma contraflow )(\n#pragma contraflow tangent(x -> )\ndouble f(double x);",
    "parentheses": b"double f(double x) { return " + b"(" * 120 + b"x" + b")" * 120 + b"; }\n",
    "deep": b"double f(double x) { return " + b"(" * 5000 + b"x" + b")" * 5000 + b"; }\n",
    "sum": b"double f(double x) { return x" + b" + x" * 500 + b"; }\n",
    "blocks": b"double f(double x) { double y = x; " + b"if (y > 0) { " * 200 + b"y *= x;" + b"}" * 200 + b" return y; }\n",
    "recursion": b"double f(double x) { return f(x) * x; }\n",
    "itself": b'#include __FILE__\ndouble f(double x) { return x; }\n',
    "nothing": b"void f(double x) {}\n",
    "nan": b"#include <cmath>\ndouble f(double x) { return x * NAN + INFINITY; }\n",
}
whole = len(cases)
for kernel in sys.argv[4:]:
    text = pathlib.Path(kernel).read_bytes()
    for part in (3, 5, 7, 9):
        cases[f"{pathlib.Path(kernel).stem}-{part}"] = text[: len(text) * part // 10]

bad = 0
for number, (name, text) in enumerate(cases.items()):
    source = work / (name + ".cpp")
    source.write_bytes(text)
    # A beginning of a kernel rarely gets as far as a mode: one of them, by turns.
    for mode in ("--adjoint", "--tangent") if number < whole else (("--adjoint", "--tangent")[number % 2],):
        for old in out.iterdir():
            old.unlink()
        run = subprocess.run([tool, source, mode, "f(x -> return)", "--out-dir", out, "--", "-std=c++17", "-fopenmp"],
                             capture_output=True, text=True, errors="replace", timeout=120)
        written = len(list(out.iterdir()))
        refused = run.returncode == 1 and written == 0 and re.search(r"error: .*\[CF\d{4}\]", run.stderr)
        if not refused and not (run.returncode == 0 and written == 2):
            bad += 1
            kind = "crash" if run.returncode < 0 else "internal error" if run.returncode != 1 else "no code, or a file written"
            print(f"{kind}: {name} {mode}: status {run.returncode}, {written} files\n{run.stderr[-2000:]}")
print("all refused or differentiated" if not bad else f"{bad} bad")

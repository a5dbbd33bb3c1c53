"""Runs the tool on heads, annotations and arguments of checks that are broken, cut off or odd.

    odd_heads.py WORK CONTRAFLOW

Each run must end within the limit with status 1, an error with a code, and no output.
"""
import pathlib
import re
import subprocess
import sys

work, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
out = work / "out"
out.mkdir(parents=True)
program = "struct S { double u; };\ndouble f(double x, S s) { return x * s.u; }\n"
source = work / "odd.cpp"
source.write_text(program)

heads = ["", " ", "(", ")", "()", "->", "f(", "f)", "f(x", "f(x ->", "f(x -> )", "f(-> return)", "f( -> )", "f(x -> return", "f(x -> return))",
         "f(x -> return)(x -> return)", "f(x -> return) f", "f(x -> -> return)", "f(x, -> return)", "f(,x -> return)", "f(x x -> return)",
         "f(x,x -> return)", "f(s. -> return)", "f(s..u -> return)", "f(.u -> return)", "f(s.u.u -> return)", "f(return -> x)", "f(x -> x)",
         "f(double)", "f(double, S)()(x -> return)", "f(double, S)(x)", "f(((((((x -> return)", "::", "::f::", "f::g(x -> return)", "f<", "f<>(x -> return)",
         "f<<<(x -> return)", "operator", "operator()", "operator()(", "operator+", "operator<", "1f(x -> return)", "f(1 -> return)", "f(x -> return;)",
         "f(:: -> return)", "f(x::: -> return)", "f(\x01 -> return)", "\u00e9(x -> return)", "f(\u00e9 -> return)", "f\n(x\n-> ret urn)", "f_b(x -> x_b)",
         "f" * 5000, "f(" + "x," * 2000 + "x -> return)", "f(" + "(" * 5000, "f" + "<" * 5000, "f(" + "s." * 3000 + "u -> return)"]
texts = ["adjoint(", "adjoint)", "adjoint(x -> return", "adjoint(x -> return) x", "adjoint(x, -> return)", "adjoint(->)", "adjoint(x -> y)", "(", "()", "->",
         "", "adjoint adjoint", "noalias(", "noalias(x)", "noalias(,)", "inactive(", "adjoint((x -> return)", "adjoint(x -> return))", "1", "\"", "\\", "tangent(\u00e9 -> return)",
         "adjoint(" + "(" * 3000]
arguments = ["", "=", "[", "]", "x[", "x[]", "x]", "x[[1]", "1 = 2", "x =", "x y = 3", "x[1] 2", "x[1]]= 3", "y = 1", "[3] = 1", "x" * 5000 + "[" * 5000]

bad = 0


def refused(what, *words):
    global bad
    try:
        run = subprocess.run([tool, *words, "--out-dir", out], capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        print(f"hangs: {what[:80]!r}")
        bad += 1
        return
    written = [p.name for p in out.iterdir()]
    if run.returncode != 1 or not re.search(r"error: .*\[CF\d{4}\]", run.stderr) or written:
        bad += 1
        print(f"status {run.returncode}, wrote {written}: {what[:80]!r}\n{run.stderr[-1000:]}")
    for path in out.iterdir():
        path.unlink()


for head in heads:
    refused(head, source, "--adjoint", head)
for text in texts:
    annotated = work / "annotated.cpp"
    annotated.write_text(program.replace("double f", f"#pragma contraflow {text}\ndouble f"))
    refused(text, annotated)
for argument in arguments:
    refused(argument, source, "--adjoint", "f(x -> return)", "--emit-check", out / "check.cpp", "--check-arg", argument)
print(f"{bad} bad" if bad else "all refused")

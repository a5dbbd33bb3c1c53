#!/usr/bin/env python3
"""Checks that each diagnostic of lib/diagnostics/diagnostics.def

- has a code of its own, and is reported somewhere in the compiler;
- is provoked by a test: a FileCheck line of test/lit has its code;
- has a page docs/diagnostics/<code>.md that begins with the code and has a way out;

and that there is no page without a diagnostic. Prints one line per violation, and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    table = (ROOT / "lib/diagnostics/diagnostics.def").read_text()
    rows = re.findall(r"^DIAG\((\w+), (\w+), (\d+), ", table, re.M)
    code_text = "\n".join(path.read_text() for path in (ROOT / "lib").rglob("*.cpp"))
    provoked = set()
    for path in (ROOT / "test/lit").rglob("*"):
        if path.suffix in (".cpp", ".test"):
            provoked |= set(re.findall(r"^(?://|#)?[ \t]*(?://)?[ \t]*[A-Z0-9-]+: .*\[(CF\d+)\]", path.read_text(), re.M))
    pages = {path.stem: path.read_text() for path in (ROOT / "docs/diagnostics").glob("CF*.md")}

    problems = [] if rows else ["lib/diagnostics/diagnostics.def: no DIAG(...)"]
    seen = set()
    for name, _, number in rows:
        code = "CF" + number
        if code in seen:
            problems.append(f"{code}: two diagnostics have this code")
        seen.add(code)
        if not re.search(rf"DiagId::{name}\b", code_text):
            problems.append(f"{code}: nothing reports {name}")
        if code not in provoked:
            problems.append(f"{code}: no test in test/lit provokes it (a FileCheck line with '[{code}]')")
        page = pages.pop(code, None)
        if page is None:
            problems.append(f"{code}: there is no docs/diagnostics/{code}.md")
        elif not page.startswith(f"# {code}: ") or "\n## Example\n" not in page or "\n## Way out\n" not in page:
            problems.append(f"docs/diagnostics/{code}.md: has to begin with '# {code}: ', and to have '## Example' and '## Way out'")
    problems += [f"docs/diagnostics/{code}.md: there is no such diagnostic" for code in sorted(pages)]

    print("\n".join(problems) or f"{len(rows)} diagnostics, each with a test and a page")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

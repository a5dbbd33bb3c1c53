#!/usr/bin/env python3
"""Checks that each diagnostic of lib/diagnostics/diagnostics.def

- has a code of its own, and is reported somewhere in the compiler;
- is provoked by a test: a FileCheck line of test/lit has its code;
- has a page docs/diagnostics/<code>.md that begins with the code and has a way out;

that there is no page without a diagnostic, and that each text with which the compiler refuses something is provoked too: the string
literals of two words and more in a call of `refuse`, `reject`, `unsupported` and their like (kCalls) stand in test/lit or test/unit.
Prints one line per violation, and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# The functions that say why something is refused, and what to do.
kCalls = re.compile(r"\b(reject|refuse|refused|unsupported|report|note|fail|fault|stop)\s*\(")
kLiteral = re.compile(r'"((?:[^"\\\n]|\\.)*)"')

# Texts that no test provokes: no program is known to come there, and a refusal is better than a wrong derivative or an end without a word.
kExempt = {
    # What a later Clang may have, or what C++ has not.
    "this statement (", "this expression (", "a cast of this kind (", "convert the value by plain arithmetic types",
    "an object as a copy of its base class", "use a reference to the base class",
    # Second words about what has been refused before.
    "a cast to a derived class", "use the object by its own class", "', which has no body",
    "add the source that defines it to the command", "a parallel region inside another one isn't supported",
    "take the inner region out",
    # What earlier phases have taken apart.
    "this function object", "write a loop that calls it", "a list for an object with a union inside of another list",
    "' from this expression", "', which has a std::vector member,", "initialising a record with a std::vector member",
    "memory is allocated for a pointer in memory that may have no shadow", "an allocation that changes where its own target lies isn't supported",
    "allocate it for a local pointer first", "a function returns a record with pointers and vectors", "return its parts through parameters",
    "' gets values that the loop exchanges from other pointers", "', which it calls, writes through a pointer in an object passed by value",
    "it writes to a place that can't be followed", "write through a variable, or leave the loop without a checkpoint",
    "it writes through the reference '", "', which can't be followed", "', which it calls, changes its pointer '",
    "use a pointer variable of its own there", "' of an active value has no rule", "' has no rule", "add a row to lib/rules/math.def",
    "' are swapped, and one of them may have no derivative", "add both to the head's independents or dependents",
}


def arguments(text, begin):
    """The text from the parenthesis at `begin` to the one that closes it."""
    depth, at, quoted = 0, begin, False
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == "'":
            at += 3 if text[at + 1] == "\\" else 2 if text[at + 2 : at + 3] == "'" else 0
        elif c == '"':
            quoted = True
        elif c in "({[":
            depth += 1
        elif c in ")}]":
            depth -= 1
            if depth == 0:
                return text[begin : at + 1]
        at += 1
    return text[begin:]


def refusals():
    """(place, text) of each string literal in a call that refuses something."""
    for path in sorted((ROOT / "lib").rglob("*.cpp")):
        text = path.read_text()
        for call in kCalls.finditer(text):
            if call.group(1) == "stop" and path.parent.name == "frontend":
                continue  # what generated code says when it runs
            line = text.count("\n", 0, call.start()) + 1
            for literal in kLiteral.findall(arguments(text, call.end() - 1)):
                literal = literal.replace('\\"', '"').replace("\\\\", "\\").strip(" ")
                if " " in literal and len(literal) >= 8:
                    yield f"{path.relative_to(ROOT)}:{line}", literal


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
    tested = "\n".join(p.read_text() for folder in ("lit", "unit") for p in (ROOT / "test" / folder).rglob("*")
                       if p.suffix in (".cpp", ".hpp", ".test", ".py"))
    said = list(refusals())
    untested = {text: place for place, text in said if text not in tested and text not in kExempt}
    problems += [f"scripts/check_diagnostics.py: nothing says '{text}' any more" for text in sorted(kExempt - {text for _, text in said})]
    problems += [f"{place}: no test in test/lit or test/unit provokes '{text}'" for text, place in untested.items()]
    problems += [f"docs/diagnostics/{code}.md: there is no such diagnostic" for code in sorted(pages)]

    print("\n".join(problems) or f"{len(rows)} diagnostics, each with a test and a page")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

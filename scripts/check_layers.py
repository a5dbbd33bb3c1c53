#!/usr/bin/env python3
"""Checks that each folder includes no more than its layer may (docs/architecture.md).

The table is what each lib/*/CMakeLists.txt says in its contraflow_library() line: USES, CLANG, CLANG_IN. Besides:

- only lib/frontend includes Clang's AST; other Clang headers only where CLANG_IN names the file;
- runtime/ and mpi-adjoint/ include nothing of the compiler, LLVM or Clang;
- the compiler compares no MPI name outside lib/rules' table of routines (a .def file), and has none of that table's names as a
  string elsewhere.

Prints one line per violation, and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = {"rules/mpi_ops.def", "rules/mpi_names.def"}  # tables without code, which every layer reads
AST = re.compile(r"clang/(AST|ASTMatchers|Analysis|Frontend|Lex|Parse|Sema|Serialization|Tooling)/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.M)
# `name == "MPI_Send"`, `name.starts_with("MPI_Send")`, `.Case("MPI_Send", ...)`. Whether a name begins with "MPI_", so that one
# that isn't in the table is refused, may be asked everywhere.
MPI_COMPARED = re.compile(
    r'[=!]=\s*"P?MPI_\w+"|"P?MPI_\w+"\s*[=!]=|'
    r'\b(?:cases?|compare|consume_front|contains|count|ends_?with|equals|find|starts_?with|strcmp)\w*\s*\([^()"]*"P?MPI_\w+"', re.I)


def sources(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".cpp", ".hpp", ".h"):
            yield path


def without_comments(text):
    """The text with each comment replaced by its line ends, so that line numbers stay."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    return token.sub(lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text)


def table():
    """folder -> (folders it may include, True or the files that may include Clang)"""
    result = {}
    for path in sorted((ROOT / "lib").glob("*/CMakeLists.txt")):
        text = re.sub(r"#.*", "", path.read_text())
        call = re.search(r"contraflow_library\(([^)]*)\)", text)
        if not call:
            sys.exit(f"{path}: no contraflow_library(...)")
        words = call[1].split()
        lists, key = {"USES": [], "CLANG": None, "CLANG_IN": []}, None
        for word in words[1:]:
            if word in lists:
                key = word
                if word == "CLANG":
                    lists["CLANG"] = True
            else:
                lists[key].append(word)
        result[words[0]] = (set(lists["USES"]) | {words[0]}, lists["CLANG"] or set(lists["CLANG_IN"]))
    return result


def routines():
    """The MPI routines of the table, as a pattern of string literals."""
    names = set()
    for path in (ROOT / "lib" / "rules").glob("*.def"):
        names |= set(re.findall(r'"(MPI_\w+)"', without_comments(path.read_text())))
    return re.compile('"P?(?:' + "|".join(sorted(names) or ["MPI_Send"]) + ')"')


def cycle(layers):
    """A folder that uses itself over others, or None."""
    reach = {folder: uses - {folder} for folder, (uses, _) in layers.items()}
    for _ in layers:
        for folder in reach:
            reach[folder] = reach[folder].union(*(reach.get(f, set()) for f in reach[folder]))
    return next((folder for folder in reach if folder in reach[folder]), None)


def main():
    layers = table()
    mpi_routine = routines()
    problems = []
    if cycle(layers):
        problems.append(f"lib/{cycle(layers)}/CMakeLists.txt: uses itself over other folders")

    def check(path, uses, clang):
        text = without_comments(path.read_text())
        place = lambda m: f"{path.relative_to(ROOT)}:{text[:m.start()].count(chr(10)) + 1}"
        for m in INCLUDE.finditer(text):
            header = m[1]
            first = header.split("/")[0]
            if first in layers and first not in uses and header not in DATA:
                problems.append(f"{place(m)}: may not include '{header}'")
            if first == "clang" and clang is not True:
                if path.name not in clang or (AST.match(header) and not header.startswith(("clang/Tooling/Core/", "clang/Lex/Lexer.h"))):
                    problems.append(f"{place(m)}: may not include Clang's '{header}'")
            if first == "llvm" and "no-llvm" in uses:
                problems.append(f"{place(m)}: may not include LLVM's '{header}'")
        for pattern in (MPI_COMPARED, mpi_routine):
            for m in pattern.finditer(text) if "no-llvm" not in uses else ():
                problems.append(f"{place(m)}: an MPI name is compared outside lib/rules' table: {m[0]}")

    for folder, (uses, clang) in layers.items():
        for path in sources(f"lib/{folder}"):
            check(path, uses, clang)
    for path in sources("tool"):
        check(path, {"driver"}, set())
    for folder in ("runtime", "mpi-adjoint"):
        for path in sources(folder):
            check(path, {"no-llvm"}, set())

    print("\n".join(problems) or f"{len(layers)} layers, nothing out of place")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

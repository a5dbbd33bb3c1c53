"""A program as a tree of choices: what the generator makes, the emitter prints and the reducer cuts.

A Node is a template with children: `$0`, `$1`, … are its expressions, `$A`, `$B`, … its blocks. `@` in a template stands for
the program's number, so that one tree can be printed under any number. Kinds of nodes:

    real, int, bool    expressions; the reducer puts a child of the same kind, or a constant, in their place
    lvalue             is kept
    optional           may become empty (a clause)
    stmt, fixed        a statement; a fixed one is kept
    decl               outside of functions: a global, a struct, a helper function
"""
import copy
import re

SIMPLEST = {"real": ("0.5", "in[0]"), "int": ("0", "1"), "bool": ("true", "false"), "optional": ("",)}


class Node:
    __slots__ = ("kind", "fmt", "kids", "blocks")

    def __init__(self, kind, fmt, kids=(), blocks=()):
        self.kind, self.fmt = kind, fmt
        self.kids, self.blocks = list(kids), [list(b) for b in blocks]

    def text(self):
        def part(match):
            key = match.group(1)
            if key.isdigit():
                return self.kids[int(key)].text()
            return "{\n" + "".join(s.text() + "\n" for s in self.blocks[ord(key) - ord("A")]) + "}"

        return re.sub(r"\$(\d|[A-H])", part, self.fmt)

    def size(self):
        return 1 + sum(k.size() for k in self.kids) + sum(s.size() for b in self.blocks for s in b)


def stmt(fmt, *kids, blocks=()):
    return Node("stmt", fmt, kids, blocks)


class Program:
    """decls stand in front of `void f@(const double* in, double* out)`, whose body is `body`.

    features: words that say what it needs (openmp, mpi) or uses; `head` is what a derivative is asked for.
    """

    def __init__(self, inputs, outputs, inout, features=()):
        self.inputs, self.outputs, self.inout = inputs, outputs, inout
        self.features = set(features)
        self.decls, self.body = [], []
        self.at, self.start = [], []
        self.seed = None

    def text(self, number):
        decls = "".join(d.text() + "\n" for d in self.decls)
        body = "".join(s.text() + "\n" for s in self.body)
        return (decls + "void f@(const double* in, double* out) {\n" + body + "}\n").replace("@", str(number))

    def size(self):
        return sum(n.size() for n in self.decls + self.body)

    @property
    def precision(self):
        return 2e-4 if "float" in self.features else 1e-10


# --- the reducer's edits ---------------------------------------------------------------------------------------------------


def _lists(program):
    """Every list of statements, outermost first."""
    yield program.decls
    yield program.body
    stack = [n for n in program.decls + program.body]
    while stack:
        node = stack.pop(0)
        for block in node.blocks:
            yield block
            stack.extend(block)
        stack.extend(node.kids)


def _nodes(program):
    for statements in _lists(program):
        for s in statements:
            stack = [s]
            while stack:
                node = stack.pop()
                yield node
                stack.extend(node.kids)


def edits(program):
    """All smaller programs that one edit makes, each a function that makes it from a copy of the program, big cuts first."""
    out = []
    for i, statements in enumerate(_lists(program)):
        n = len(statements)
        step = n // 2
        while step >= 1:
            for first in range(0, n, step):
                removed = statements[first:first + step]
                if not any(s.kind == "fixed" for s in removed):
                    out.append((sum(s.size() for s in removed), ("cut", i, first, first + step)))
            step = 0 if step == 1 else step // 2
        if n == 1 and statements[0].kind != "fixed":
            out.append((statements[0].size(), ("cut", i, 0, 1)))
        for j, s in enumerate(statements):
            for b in range(len(s.blocks)):
                if s.kind == "stmt":
                    rest = s.size() - sum(x.size() for x in s.blocks[b])
                    out.append((rest, ("hoist", i, j, b)))
    for i, node in enumerate(_nodes(program)):
        for k, kid in enumerate(node.kids):
            if kid.kind == "optional" and kid.fmt:
                out.append((1, ("simplest", i, k, 0)))
            if kid.kind in ("real", "int", "bool"):
                for c, grandchild in enumerate(kid.kids):
                    if grandchild.kind == kid.kind:
                        out.append((kid.size() - grandchild.size(), ("child", i, k, c)))
                if kid.kids or kid.fmt not in SIMPLEST[kid.kind]:
                    for c in range(len(SIMPLEST[kid.kind])):
                        out.append((kid.size() - 0.5, ("simplest", i, k, c)))
    out.sort(key=lambda e: -e[0])
    return [e[1] for e in out]


def apply(program, edit):
    """A copy of the program with the edit made."""
    program = copy.deepcopy(program)
    what, i, j, k = edit
    if what in ("cut", "hoist"):
        for n, statements in enumerate(_lists(program)):
            if n == i:
                if what == "cut":
                    statements[j:k] = []
                else:
                    statements[j:j + 1] = statements[j].blocks[k]
                break
    else:
        for n, node in enumerate(_nodes(program)):
            if n == i:
                kid = node.kids[j]
                node.kids[j] = kid.kids[k] if what == "child" else Node(kid.kind, SIMPLEST[kid.kind][k])
                break
    return program

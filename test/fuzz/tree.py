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
    __slots__ = ("kind", "fmt", "kids", "blocks", "uid")

    def __init__(self, kind, fmt, kids=(), blocks=()):
        self.kind, self.fmt, self.uid = kind, fmt, None
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

    features: words that say what it needs (openmp, mpi) or uses. With a `signature` (heads.py) the body is that of `f@_head`, which has
    `parameters`, and `f@` calls it.
    """

    def __init__(self, inputs, outputs, inout, features=()):
        self.inputs, self.outputs, self.inout = inputs, outputs, inout
        self.features = set(features)
        self.decls, self.body = [], []
        self.at, self.start = [], []
        self.seed = None
        self.signature, self.parameters = None, ""

    def text(self, number):
        decls = "".join(d.text() + "\n" for d in self.decls)
        body = "{\n" + "".join(s.text() + "\n" for s in self.body) + "}\n"
        if self.signature:
            result = "void" if self.signature.result is None else "double"
            text = f"{result} f@_head({self.parameters}) {body}" + self.signature.primal("f@", "f@_head")
        else:
            text = "void f@(const double* in, double* out) " + body
        return (decls + text).replace("@", str(number))

    def files(self, number):
        """The program in two sources and a header: every second function stands in the other source."""
        shared, other, source = "", "", ""
        for k, decl in enumerate(self.decls):
            text = decl.text().replace("@", str(number)) + "\n"
            if text.startswith(("struct ", "template ")):
                shared += text
            elif ") {" not in text.split("\n")[0]:  # globals
                shared += re.sub(r"(?m)^(\w.*?) = .*;$", r"extern \1;", text)
                other += text
            else:
                shared += text.split(" {\n")[0] + ";\n"
                if k % 2 == 0:
                    other += text
                else:
                    source += text
        whole, number = copy.copy(self), str(number)
        whole.decls = []
        return {"shared": shared, "other": other, "source": source + whole.text(number)}

    def heads(self, number):
        """What derivatives are asked for: of the program, and for second derivatives of its adjoint."""
        if self.signature:
            return tuple(h.replace("@", str(number)) for h in (self.signature.head("f@_head"), self.signature.second("f@_head")))
        return f"f{number}({'in, out' if self.inout else 'in'} -> out)", f"f{number}_b(in -> in_b)"

    def adapters(self, number, second):
        """What makes derivatives with the driver's signatures of those of the head."""
        return self.signature.derivatives("f@", "f@_head", second).replace("@", str(number)) if self.signature else ""

    def size(self):
        return sum(n.size() for n in self.decls + self.body)

    @property
    def precision(self):
        return 2e-4 if "float" in self.features else 1e-10


# --- the reducer's edits ---------------------------------------------------------------------------------------------------
# They name nodes by identity, so that several edits of one program can be made together.


def _lists(program):
    """Every list of statements, outermost first."""
    yield program.decls
    yield program.body
    stack = program.decls + program.body
    while stack:
        node = stack.pop(0)
        for block in node.blocks:
            yield block
            stack.extend(block)
        stack.extend(node.kids)


def _nodes(program):
    stack = program.decls + program.body
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.kids)
        for block in node.blocks:
            stack.extend(block)


def number(program):
    """A copy whose nodes have identities."""
    program = copy.deepcopy(program)
    for uid, node in enumerate(_nodes(program)):
        node.uid = uid
    return program


def edits(program):
    """All that could be cut from a numbered program, big cuts first: (what, uid or uids, which)."""
    out = []
    for statements in _lists(program):
        step = max(1, len(statements) // 2)
        while True:
            for first in range(0, len(statements), step):
                part = [s for s in statements[first:first + step] if s.kind != "fixed"]
                if part:
                    out.append((sum(s.size() for s in part), ("cut", tuple(s.uid for s in part), 0)))
            if step == 1:
                break
            step //= 2
        for s in statements:
            for b in range(len(s.blocks) if s.kind == "stmt" else 0):
                out.append((s.size() - sum(x.size() for x in s.blocks[b]), ("hoist", s.uid, b)))
    for node in _nodes(program):
        if node.kind == "optional" and node.fmt:
            out.append((1, ("simplest", node.uid, 0)))
        if node.kind in ("real", "int", "bool"):
            for c, kid in enumerate(node.kids):
                if kid.kind == node.kind:
                    out.append((node.size() - kid.size(), ("child", node.uid, c)))
            if node.kids or node.fmt not in SIMPLEST[node.kind]:
                for c in range(len(SIMPLEST[node.kind])):
                    out.append((node.size() - 0.5, ("simplest", node.uid, c)))
    out.sort(key=lambda e: -e[0])
    return [e[1] for e in out]


def apply(program, changes):
    """A copy of the program with the edits made, as far as they still can be."""
    program = copy.deepcopy(program)
    for what, uid, which in changes:
        if what in ("cut", "hoist"):
            for statements in _lists(program):
                if what == "cut":
                    statements[:] = [s for s in statements if s.uid not in uid]
                else:
                    at = next((k for k, s in enumerate(statements) if s.uid == uid), None)
                    if at is not None:
                        statements[at:at + 1] = statements[at].blocks[which]
                        break
        else:
            node = next((n for n in _nodes(program) if n.uid == uid), None)
            if node is not None and what == "child" and which < len(node.kids):
                kid = node.kids[which]
                node.fmt, node.kids, node.blocks, node.uid = kid.fmt, kid.kids, kid.blocks, kid.uid
            elif node is not None and what == "simplest":
                node.fmt, node.kids, node.blocks = SIMPLEST[node.kind][which], [], []
    return program

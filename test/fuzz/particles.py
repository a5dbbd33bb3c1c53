"""OpenMP loops over small vectors with operators, as particle codes have them: `f[i] += g * (p[i] - p[j])`. A kind of its own.

In a loop over i one array is written, at [i] alone or by atomics, and the others are read anywhere.
"""
from openmp import OpenMP
from scope import Scope
from tree import Node, stmt


class Particles(OpenMP):
    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.m = rng.choice([2, 3, 3])
        self.names = "xyz"[:self.m]

    # --- the vectors ------------------------------------------------------------------------------------------------------

    def each(self, form, separator=", "):
        return separator.join(form.replace("?", c) for c in self.names)

    def make_type(self):
        """A struct with operators: members, friends or free functions; arguments by value or by reference."""
        v = self.v = self.name("S@_")
        made = "" if self.chance(0.5) else f"{v}() = default;\n{v}({self.each('double ?_')}) : {self.each('?(?_)')} {{}}\n"
        argument = [f"const {v}& o", f"{v} o"]
        text = f"struct {v} {{\ndouble {self.each('? = 0.0')};\n{made}"
        for op in "+-":
            text += f"{v}& operator{op}=({self.rng.choice(argument)}) {{ {self.each(f'? {op}= o.?;', ' ')} return *this; }}\n"
        text += f"{v}& operator*=(double s) {{ {self.each('? *= s;', ' ')} return *this; }}\n"
        if self.chance(0.4):
            text += f"double norm2() const {{ return {self.each('? * ?', ' + ')}; }}\n"
            self.norm = "($).norm2()"
        outside, self.dot = "", self.name("h@_")
        if not hasattr(self, "norm"):
            self.norm = f"{self.dot}($, $)"
        for op in "+-":
            if self.chance(0.3):
                text += f"{v} operator{op}({self.rng.choice(argument)}) const {{ return {{{self.each(f'? {op} o.?')}}}; }}\n"
            elif self.chance(0.4):
                outside += f"{v} operator{op}({v} a, const {v}& b) {{\na {op}= b;\nreturn a;\n}}\n"
            else:
                outside += f"inline {v} operator{op}(const {v}& a, const {v}& b) {{ return {{{self.each(f'a.? {op} b.?')}}}; }}\n"
        self.minus = self.chance(0.5)
        if self.minus:
            outside += f"inline {v} operator-(const {v}& a) {{ return {{{self.each('-a.?')}}}; }}\n"
        outside += f"inline {v} operator*(double s, {self.rng.choice([f'const {v}& a', f'{v} a'])}) {{ return {{{self.each('s * a.?')}}}; }}\n"
        outside += f"double {self.dot}(const {v}& a, const {v}& b) {{ return {self.each('a.? * b.?', ' + ')}; }}\n"
        self.program.decls.append(Node("decl", text + "};\n" + outside))

    def make_force(self, scope):
        """A function of two vectors, that returns one or adds to one."""
        self.forces = []
        for _ in range(self.rng.randint(1, 2)):
            name, v = self.name("h@_"), self.v
            inner = Scope()
            inner.pure, inner.constants = list(scope.pure), ["k", "r2"]
            weight = self.tame(inner)
            cut = self.rng.choice(["", "", f"if (r2 > 1.7) return{{}};\n"])
            adds = self.chance(0.4)
            start = f"const {v} d = a - b;\nconst double r2 = {self.norm.replace('$', 'd')};\n"
            if adds:
                text = f"void {name}({v}& f, const {v}& a, const {v}& b, double k) {{\n{start}{cut.format('')}f += (0.2 * ($0)) * d;\n}}"
            else:
                text = f"{v} {name}(const {v}& a, const {v}& b, double k) {{\n{start}{cut.format(f' {v}()')}return (0.2 * ($0)) * d;\n}}"
            self.program.decls.append(Node("decl", text, [weight]))
            self.forces.append((name, adds))

    # --- expressions of vectors -------------------------------------------------------------------------------------------

    def vector(self, inner, objects, depth=2):
        roll = self.rng.random()
        if depth == 0 or roll < 0.25 and objects:
            return Node("lvalue", self.rng.choice(objects)) if objects else Node("lvalue", f"{self.v}()")
        if roll < 0.6:
            return Node("fixed", f"($0 {self.rng.choice('+-')} $1)", [self.vector(inner, objects, depth - 1), self.vector(inner, objects, depth - 1)])
        if roll < 0.9:
            return Node("fixed", "(0.5 * ($0)) * $1", [self.tame(inner), self.vector(inner, objects, depth - 1)])
        if self.minus and roll < 0.94:
            return Node("fixed", "(-$0)", [self.vector(inner, objects, depth - 1)])
        functions = [f for f, adds in self.forces if not adds]
        if functions:
            return Node("fixed", f"{self.rng.choice(functions)}($0, $1, $2)",
                        [self.vector(inner, objects, 0), self.vector(inner, objects, 0), self.real(inner, 0)])
        return self.vector(inner, objects, 0)

    def scalar(self, inner, objects):
        norm = self.norm.replace("$", self.rng.choice(objects))
        return Node("real", self.rng.choice([f"{self.dot}($0, $1)", f"std::sqrt(0.5 + {norm})", f"1.0 / (1.0 + {norm})"]),
                    [self.vector(inner, objects, 1), self.vector(inner, objects, 1)])

    # --- loops ------------------------------------------------------------------------------------------------------------

    def add(self, target, inner, objects):
        """Something is added to a vector."""
        functions = [f for f, adds in self.forces if adds]
        if functions and self.chance(0.3):
            return stmt(f"{self.rng.choice(functions)}({target}, $0, $1, $2);", self.vector(inner, objects, 0), self.vector(inner, objects, 0), self.real(inner, 0))
        return stmt(self.rng.choice([f"{target} += $0;", f"{target} += $0;", f"{target} -= $0;", f"{target} = 0.6 * {target} + $0;"]), self.vector(inner, objects))

    def iteration(self, scope, i, own, others, sums, atomic):
        inner = self.private_scope(scope, [r for r in scope.reals + scope.constants if r not in sums], [(a, s) for a, s in scope.fixed if a == "in"])
        inner.counters.append((i, self.length))
        here = [f"{o}[{i}]" for o in others] + [f"{own}[{i}]"] * (not atomic)
        body, target = [], f"{own}[{i}]"
        if self.chance(0.5):
            target = self.name("c")
            body.append(stmt(f"{self.v} {target} = $0;", self.vector(inner, here, 1)))
            here = here + [target]
        elif atomic:
            target = self.name("c")
            body.append(stmt(f"{self.v} {target};"))
        for _ in range(self.rng.randint(1, 2)):
            body.append(self.neighbours(inner, i, target, here, others, sums) if others and self.chance(0.7) else self.add(target, inner, here))
        for e in sums:
            body.append(stmt(f"{e} {self.rng.choice(['+', '+', '-'])}= 0.2 * $0;", self.scalar(inner, here)))
        if atomic:
            j = self.rng.choice([i, f"({i} + 1) % {self.length}", f"({i} * 3) % {self.length}"])
            body += [stmt(f"#pragma omp atomic\n{own}[{j}].{c} += 0.4 * {target}.{c};") for c in self.names]
        elif target != f"{own}[{i}]":
            body.append(stmt(f"{own}[{i}] {self.rng.choice(['=', '+=', '-='])} {target};"))
        return body

    def neighbours(self, inner, i, target, here, others, sums):
        j, o = self.name("j"), self.rng.choice(others)
        within = inner.inner()
        within.counters.append((j, self.length))
        there = here + [f"{o}[{j}]"] * 3
        if self.chance(0.3):  # a list of neighbours
            k = self.name("j")
            head, first = f"for (int {k} = 0; {k} < 3; ++{k})", [Node("fixed", f"const int {j} = near[{i}][{k}];")]
        else:
            limit = self.rng.choice([self.length, self.length, i, f"std::min({i} + 3, {self.length})"])
            head, first = f"for (int {j} = {self.rng.choice(['0', '0', i])}; {j} < {limit}; ++{j})", []
        body = [self.add(target, within, there) for _ in range(self.rng.randint(1, 2))]
        if self.chance(0.3):
            d = self.name("d")
            body = [Node("fixed", f"const {self.v} {d} = {here[0]} - {o}[{j}];"), *[self.add(target, within, there + [d, d]) for _ in body]]
        if sums and self.chance(0.4):
            body.append(stmt(f"{self.rng.choice(sums)} += 0.1 * $0;", self.scalar(within, there)))
        if self.chance(0.3):
            first.append(stmt(self.rng.choice([f"if ({j} == {i}) continue;", f"if ({self.norm.replace('$', there[-1])} > 0.8) continue;"])))
        return stmt(f"{head} $A", blocks=[first + body])

    def vector_loop(self, scope, directive, sums=True):
        i = self.name("i")
        own = self.rng.choice(self.clouds)
        others = [c for c in self.clouds if c != own]
        sums = [t for t in scope.reals if t[0] == "t" and self.chance(0.3)] if sums else []
        reduction = f" reduction(+ : {', '.join(sums)})" * bool(sums)
        body = self.iteration(scope, i, own, others, sums, self.chance(0.2))
        return stmt(f"#pragma omp {directive} $0{reduction}\nfor (int {i} = 0; {i} < {self.length}; ++{i}) $A", self.schedule(), blocks=[body])

    def st_parallelFor(self, scope):
        return self.vector_loop(scope, "parallel for")

    def st_region(self, scope):
        body = [self.vector_loop(scope, "for", False) for _ in range(self.rng.randint(1, 3))]
        return stmt("#pragma omp parallel\n$A", blocks=[body])

    def st_serialLoop(self, scope):
        made = self.vector_loop(scope, "for", False)
        made.fmt = "\n".join(x for x in made.fmt.split("\n") if not x.startswith("#pragma"))
        for s in made.blocks[0]:
            s.fmt = s.fmt.replace("#pragma omp atomic\n", "")
        return made

    def st_timeLoop(self, scope):
        if scope.loops:
            return None
        counter, inner = self.name("step"), scope.inner(loops=1, returns=None, work=20)
        body = self.statements(inner, self.rng.randint(1, 3), [("parallelFor", 4), ("region", 2), ("serialLoop", 0.5)])
        return stmt(f"for (int {counter} = 0; {counter} < {self.rng.randint(2, 3)}; ++{counter}) $A", blocks=[body])

    def make(self):
        scope, first = self.start()
        scope.returns = None
        self.make_type()
        self.make_force(scope)
        self.clouds, fills = [], []
        for _ in range(self.rng.randint(2, 3)):
            a, i = self.name("c"), self.name("i")
            inner = scope.inner()
            inner.counters.append((i, self.length))
            declared = f"std::vector<{self.v}> {a}({self.length});" if self.chance(0.3) else f"{self.v} {a}[{self.length}];"
            fills.append(Node("fixed", f"{declared}\nfor (int {i} = 0; {i} < {self.length}; ++{i}) {a}[{i}] = {{{', '.join(f'${k}' for k in range(self.m))}}};",
                              [self.tame(inner) for _ in self.names]))
            self.clouds.append(a)
        i, n = self.name("i"), self.length
        fills.append(Node("fixed", f"int near[{n}][3];\nfor (int {i} = 0; {i} < {n}; ++{i}) {{\nnear[{i}][0] = ({i} + 1) % {n};\n"
                                   f"near[{i}][1] = ({i} * 5 + 2) % {n};\nnear[{i}][2] = {n - 1} - {i};\n}}\nstatic_cast<void>(near);"))
        fills += [self.st_scalar(scope) for _ in range(self.rng.randint(1, 3))]
        self.budget = 8
        body = self.statements(scope, self.rng.randint(1, 4), [("parallelFor", 6), ("region", 3), ("timeLoop", 2), ("serialLoop", 0.7), ("scalar", 1)])
        end = []
        for a in self.clouds:
            i, j = self.name("i"), self.rng.randrange(self.program.outputs)
            end.append(stmt(f"for (int {i} = 0; {i} < {n}; ++{i}) out[{j}] += 0.2 * {a}[{i}].x - {self.rng.choice(['0.1', 'in[0]'])} * {a}[{i}].y;"))
        self.program.body = first + fills + body + end + self.finish(scope)
        return self.program

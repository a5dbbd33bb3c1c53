"""Objects: virtual functions, pointers to functions and members, std::function, memory that the program allocates, std::complex.
Kinds of their own, so that the seeds of the others stay what they are: `objects`, and `files`, which has its functions in two sources.
"""
from heads import Heads
from language import Language
from scope import Scope
from tree import Node, stmt


class ObjectStatements:
    """To be mixed into a Language."""

    EXTRA = [("heap", 1.5), ("unique", 1), ("heapRecord", 0.7), ("derived", 1.5), ("dispatch", 2.5), ("list", 1), ("functionPointer", 1),
             ("memberPointer", 0.7), ("function", 0.7), ("complex", 1.2), ("complexAssign", 2)]

    def prepare(self):
        self.uniques, self.bases, self.stated = [], [], {}
        self.methods = []  # (record, field) of pointers to members

    def data(self, array):
        return array + ".get()" if array in self.uniques else super().data(array)

    # --- memory -----------------------------------------------------------------------------------------------------------

    def st_heap(self, scope):
        """Memory that lives to the end of a block, which nothing leaves in between."""
        if scope.depth > 3 or scope.work > 60:
            return None
        m, n, i = self.name("m"), self.n, self.name("i")
        forms = [(f"double* {m} = new double[{n}]();", f"delete[] {m};"), (f"double* {m} = new double[{n}];", f"delete[] {m};"),
                 (f"double* {m} = static_cast<double*>(std::malloc({n} * sizeof(double)));", f"std::free({m});"),
                 (f"auto* {m} = static_cast<double*>(std::calloc({n}, sizeof(double)));", f"std::free({m});")]
        make, free = self.rng.choice(forms)
        inner = scope.inner(loops=0, returns=None)
        inner.counters.append((i, n))
        fill = Node("fixed", f"for (int {i} = 0; {i} < {n}; ++{i}) {m}[{i}] = $0;", [self.tame(inner)])
        inner.counters.pop()
        inner.arrays.append((m, n))
        # In a block of their own: what they declare may use the memory when it is destroyed.
        body = [Node("fixed", make), fill, stmt("$A", blocks=[self.statements(inner, self.rng.randint(1, 4))]), Node("fixed", free)]
        return stmt("$A", blocks=[body])

    def st_unique(self, scope):
        m = self.name("m")
        form = self.rng.choice([f"auto {m} = std::make_unique<double[]>({self.n});", f"std::unique_ptr<double[]> {m}(new double[{self.n}]());"])
        scope.arrays.append((m, self.n))
        self.uniques.append(m)
        return stmt(form)

    def st_heapRecord(self, scope):
        if not self.records or scope.depth > 2 or scope.work > 60:
            return None
        record, o = self.rng.choice(self.records), self.name("o")
        if self.chance(0.5):
            record.add_to(scope, o, "->")
            scope.structs.pop() if scope.structs[-1][0] == o else None
            scope.structs = [x for x in scope.structs if x[0] != o]
            return stmt(f"auto {o} = std::make_unique<{record.name}>();")
        inner = scope.inner(loops=0, returns=None)
        record.add_to(inner, o, "->")
        inner.structs = [x for x in inner.structs if x[0] != o]
        body = [Node("fixed", f"{record.name}* {o} = new {record.name}();"), stmt("$A", blocks=[self.statements(inner, self.rng.randint(1, 3))]),
                Node("fixed", f"delete {o};")]
        return stmt("$A", blocks=[body])

    # --- virtual functions ------------------------------------------------------------------------------------------------

    def make_family(self, scope):
        """A base class and two classes derived from it."""
        base, read, act = self.name("S@_"), self.name("get"), self.name("set")
        abstract = self.chance(0.4)
        inside = Scope()
        inside.pure = list(scope.pure)
        inside.constants = ["c", "p"]
        writes = inside.inner(reals=["y", "c"], constants=["p"], work=4)
        self.budget += 6
        text = f"struct {base} {{\ndouble c = 0.3;\nvirtual ~{base}() = default;\n"
        text += f"virtual double {read}(double) const = 0;\n" if abstract else f"virtual double {read}(double p) const {{ return $0; }}\n"
        made = Node("decl", text + f"virtual void {act}(double& y, double p) $A\n}};", [] if abstract else [self.tame(inside)],
                    [self.statements(writes, self.rng.randint(1, 2), [("assign", 2), ("update", 2), ("branch", 0.5)])])
        self.program.decls.append(made)
        classes = [] if abstract else [(base, ["c"])]
        for _ in range(2):
            name = self.name("S@_")
            of = self.rng.choice(classes or [(base, ["c"])])
            inner = inside.inner(constants=[*inside.constants, "e"])
            body = f"struct {name} : {of[0]} {{\ndouble e = 0.2;\ndouble {read}(double p) const override {{ return $0; }}\n"
            blocks = []
            if self.chance(0.6):
                body += f"void {act}(double& y, double p) override $A\n"
                blocks = [self.statements(writes.inner(reals=["y", "c", "e"]), self.rng.randint(1, 2), [("assign", 2), ("update", 2)])]
                if self.chance(0.4):
                    blocks[0].append(Node("stmt", f"{of[0]}::{act}(y, 0.5 * p);"))
            self.program.decls.append(Node("decl", body + "};", [self.tame(inner)], blocks))
            classes.append((name, sorted({*of[1], "e"} if of[0] == base else {*of[1]})))
        self.bases.append((base, read, act, classes))

    def st_derived(self, scope):
        if not self.bases or scope.depth > 2:
            return None
        base = self.rng.choice(self.bases)
        name, fields = self.rng.choice(base[3])
        o = self.name("o")
        scope.reals += [f"{o}.{f}" for f in fields]
        scope.dynamic.append((o, base[0]))
        return stmt(f"{name} {o};")

    def family(self, scope):
        """Objects of one family, and the family."""
        for base in self.rng.sample(self.bases, len(self.bases)):
            objects = [o for o, b in scope.dynamic if b == base[0]]
            if objects:
                return objects, base
        return None, None

    def use(self, scope, pointer, base):
        place = self.place(scope)
        if place is None or self.chance(0.4):
            t = self.name("t")
            made = stmt(f"double {t} = {pointer}{base[1]}($0);", self.value(scope))
            scope.reals.append(t)
            return made
        if place.fmt in scope.reals or "[" in place.fmt:
            return stmt(f"{pointer}{base[2]}($0, $1);", place, self.value(scope))
        return None

    def st_dispatch(self, scope):
        objects, base = self.family(scope)
        if not objects or scope.work > 60:
            return None
        if len(objects) > 1 and self.chance(0.6):
            a, b = self.rng.sample(objects, 2)
            q = self.name("b")
            if self.chance(0.5):
                made = stmt(f"{base[0]}* {q} = $0 ? static_cast<{base[0]}*>(&{a}) : &{b};", self.condition(scope))
                arrow = f"{q}->"
            else:
                made = stmt(f"{base[0]}& {q} = $0 ? static_cast<{base[0]}&>({a}) : static_cast<{base[0]}&>({b});", self.condition(scope))
                arrow = f"{q}."
            used = self.use(scope, arrow, base)
            return used and [made, used]
        o = self.rng.choice(objects)
        q = self.name("b")
        used = self.use(scope, f"{q}.", base)
        return used and [stmt(f"{base[0]}& {q} = {o};"), used]

    def st_list(self, scope):
        objects, base = self.family(scope)
        place = self.place(scope)
        if not objects or len(objects) < 2 or place is None or scope.work > 60:
            return None
        some = self.rng.sample(objects, 2)
        q, b = self.name("b"), self.name("b")
        made = stmt(f"{base[0]}* {q}[] = {{&{some[0]}, &{some[1]}}};")
        if self.chance(0.5):
            return [made, stmt(f"for ({base[0]}* {b} : {q}) $0 += 0.3 * {b}->{base[1]}($1);", place, self.value(scope))]
        used = self.use(scope, f"{q}[{self.integer(scope, 1).text()} % 2]->", base)
        return used and [made, used]

    # --- pointers to functions and members --------------------------------------------------------------------------------

    def st_functionPointer(self, scope):
        functions = [n for n, arity in scope.pure if arity == 1]
        if not functions:
            return None
        q = self.name("fp")
        a, b = self.rng.choice(functions), self.rng.choice(functions)
        if a in scope.stated or b in scope.stated:  # a std::function, a pointer or a lambda
            return None
        condition = self.condition(scope)
        if self.chance(0.4):
            scope.pure.append((f"{q}[{self.rng.randrange(2)}]", 1))
            scope.stated += [f"{q}[0]", f"{q}[1]"]
            return stmt(f"double (*const {q}[2])(double) = {{{a}, {b}}};")
        scope.stated.append(q)
        scope.pure.append((q, 1))
        return stmt(f"double (*{q})(double) = $0 ? {a} : {b};", condition)

    def st_memberPointer(self, scope):
        if not scope.structs:
            return None
        o, record = self.rng.choice(scope.structs)
        q = self.name("mp")
        if self.chance(0.5):
            condition = self.condition(scope)
            scope.reals.append(f"({o}.*{q})")
            return stmt(f"double {record.name}::*{q} = $0 ? &{record.name}::x : &{record.name}::y;", condition)
        t = self.name("t")
        made = [stmt(f"double ({record.name}::*{q})(double) const = &{record.name}::{record.readers[0]};"),
                stmt(f"double {t} = ({o}.*{q})($0);", self.value(scope))]
        scope.reals.append(t)
        return made

    def st_function(self, scope):
        captured = [r for r in scope.reals + scope.constants if r.isidentifier() and r[0] == "t"]
        if scope.depth > 2 or not captured:
            return None
        q, c = self.name("fn"), self.rng.choice(captured)
        inner = Scope()
        inner.constants, inner.pure = ["p", c], [x for x in scope.pure if x[0] not in scope.stated]
        made = stmt(f"const std::function<double(double)> {q} = [{c}](double p) {{ return double($0); }};", self.tame(inner))
        scope.pure.append((q, 1))
        scope.stated.append(q)
        return made

    # --- std::complex -----------------------------------------------------------------------------------------------------

    def complex_value(self, scope):
        z = self.rng.choice(scope.complexes) if scope.complexes else None
        w = self.rng.choice(scope.complexes) if scope.complexes else None
        forms = ["std::complex<double>($0, $1)", "std::polar(double(1.0 + 0.5 * std::sin($0)), double($1))"]
        if z:
            forms += [f"0.5 * {z} + {w} * std::complex<double>($0, 0.3)", f"{z} * {w} / (1.5 + std::norm({z}))", f"std::conj({z}) - 0.2 * {w}",
                      f"std::exp(std::complex<double>($0, 0.2) - std::norm({z}))", f"{z} / (2.0 + {w} * std::conj({w}))",
                      f"std::sqrt(4.0 + 0.1 * {z})", f"{z} + double($0)"]
        return Node("fixed", self.rng.choice(forms), [self.tame(scope), self.tame(scope)])

    def st_complex(self, scope):
        z = self.name("z")
        made = stmt(f"std::complex<double> {z} = $0;", self.complex_value(scope))
        scope.complexes.append(z)
        scope.constants += [self.rng.choice([f"{z}.real()", f"std::real({z})"]), f"{z}.imag()",
                            self.rng.choice([f"0.1 * std::norm({z})", f"std::abs({z} + 3.0)", f"std::arg({z} + 5.0)"])]
        return made

    def st_complexAssign(self, scope):
        if not scope.complexes:
            return None
        z = self.rng.choice(scope.complexes)
        return stmt(self.rng.choice([f"{z} = 0.7 * ($0);", f"{z} = 0.3 * {z} + 0.2 * ($0);", f"{z} *= 0.5;", f"{z} -= 0.1 * ($0);",
                                     f"{z} /= std::complex<double>(1.5, 0.3);"]), self.complex_value(scope))

    # --- the whole --------------------------------------------------------------------------------------------------------

    def declarations(self, scope):
        first = super().declarations(scope)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.make_family(scope)
        return first


class Objects(ObjectStatements, Language):
    STATEMENTS = Language.STATEMENTS + ObjectStatements.EXTRA

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.prepare()


class ObjectHeads(ObjectStatements, Heads):
    """All of these with heads of richer signatures."""

    STATEMENTS = Heads.STATEMENTS + ObjectStatements.EXTRA

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.prepare()

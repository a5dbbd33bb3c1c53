"""More of C++ than serial.py has: std::array, vectors that grow, pairs, tuples, templates, function-local statics, destructors that
do something, <algorithm> and <numeric>. Kinds of their own, so that the seeds of the others stay what they are.

A vector that grows has at least `n` elements at any time, and nothing points into it.
"""
from serial import Serial
from tree import Node, stmt


class Language(Serial):
    STATEMENTS = Serial.STATEMENTS + [
        ("stdArray", 1.5), ("assignArray", 0.7), ("grow", 1.5), ("push", 2), ("restructure", 2), ("growWrite", 2), ("growSum", 0.8),
        ("pair", 1), ("tuple", 0.7), ("static", 1.2), ("guard", 0.8), ("bulk", 1.5), ("two", 1)]
    HELPER_KINDS = ["growing", "pair"]

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.floats = False
        self.std_arrays, self.guards, self.twos = [], [], []

    def data(self, array):
        return array + ".data()" if array in self.std_arrays else super().data(array)

    def leaf(self, scope):
        if scope.growing and self.chance(0.2):
            return Node("real", "$0", [self.grown(scope)])
        return super().leaf(scope)

    def plain(self, scope):
        """Arrays of n elements that are no pointers: two of them never overlap."""
        return sorted({a for a, s in scope.arrays if s == self.n and a[0] in "av" and "." not in a})

    # --- arrays -----------------------------------------------------------------------------------------------------------

    def st_stdArray(self, scope):
        name, n = self.name("a"), self.n
        if self.chance(0.6):
            made = stmt(f"std::array<double, {n}> {name} = {{{', '.join(f'${k}' for k in range(n))}}};",
                        *[self.real(scope, 1) for _ in range(n)])
        else:
            made = stmt(f"std::array<double, {n}> {name} = {{}};")
        scope.arrays.append((name, n))
        self.std_arrays.append(name)
        return made

    def st_assignArray(self, scope):
        names = [a for a in self.plain(scope) if a in self.std_arrays]
        if not names:
            return None
        a, b = self.rng.choice(names), self.rng.choice(names)
        if a != b and self.chance(0.6):
            return stmt(self.rng.choice([f"{a} = {b};", f"{a}.swap({b});", f"std::swap({a}, {b});"]))
        return stmt(f"{a}.fill($0);", self.value(scope))

    def st_bulk(self, scope):
        names = self.plain(scope)
        if len(names) < 2 or scope.work > 150:
            return None
        a, b = self.rng.sample(names, 2)
        first, last, to = f"&{a}[0]", f"&{a}[0] + {self.n}", f"&{b}[0]"
        roll = self.rng.randrange(8)
        if roll == 0:
            return stmt(f"std::fill({first}, {last}, $0);", self.value(scope))
        if roll == 1:
            return stmt(f"std::copy({first}, {last}, {to});")
        if roll == 2:
            return stmt(f"std::memcpy({to}, {first}, {self.n} * sizeof(double));")
        if roll == 3:
            return stmt(f"std::swap_ranges({first}, {last}, {to});")
        if roll == 4:
            return stmt(f"std::reverse({first}, {last});")
        if roll == 5:
            x, inner = self.name("x"), scope.inner(loops=0, returns=None)
            inner.constants.append(x)
            return stmt(f"std::transform({first}, {last}, {to}, [&](double {x}) {{ return double($0); }});", self.tame(inner))
        name = self.name("t")
        scope.reals.append(name)
        if roll == 6:
            return stmt(f"double {name} = 0.1 * std::accumulate({first}, {last}, double(0.3));")
        return stmt(f"double {name} = 0.1 * std::inner_product({first}, {last}, {to}, double(0.3));")

    # --- vectors that grow ------------------------------------------------------------------------------------------------

    def grown(self, scope):
        g = self.rng.choice(scope.growing)
        return Node("lvalue", f"{g}[static_cast<std::size_t>($0) % {g}.size()]", [self.integer(scope, 1)])

    def st_grow(self, scope):
        name = self.name("gv")
        if scope.growing and self.chance(0.3):
            made = stmt(f"std::vector<double> {name} = {self.rng.choice(scope.growing)};")
        else:
            made = stmt(f"std::vector<double> {name}({self.n}, $0);", self.value(scope))
        scope.growing.append(name)
        return made

    def st_push(self, scope):
        if not scope.growing or scope.work > 60:
            return None
        g = self.rng.choice(scope.growing)
        return stmt(f"{g}.{self.rng.choice(['push_back', 'push_back', 'emplace_back'])}($0);", self.value(scope))

    def st_restructure(self, scope):
        if not scope.growing or scope.work > 60:
            return None
        g, n = self.rng.choice(scope.growing), self.n
        others = [x for x in scope.growing if x != g]
        forms = [f"if ({g}.size() > {n}) {g}.pop_back();", f"{g}.resize({n} + static_cast<std::size_t>($1) % 3);",
                 f"{g}.resize({n + 1}, $0);", f"{g}.assign({n}, $0);", f"{g}.insert({g}.begin() + ($1) % {n}, $0);",
                 f"if ({g}.size() > {n}) {g}.erase({g}.begin() + ($1) % {n});", f"{g}.reserve({2 * n});"]
        if others:
            o = self.rng.choice(others)
            forms += [f"{g} = {o};", f"{g}.swap({o});", f"std::swap({g}, {o});"]
        return stmt(self.rng.choice(forms), self.value(scope), self.integer(scope, 1))

    def st_growWrite(self, scope):
        if not scope.growing:
            return None
        return stmt(self.rng.choice(["$0 = $1;", "$0 += $1;", "$0 *= std::sin($1);"]), self.grown(scope), self.value(scope))

    def st_growSum(self, scope):
        place = self.place(scope)
        if not scope.growing or place is None or scope.work > 60:
            return None
        g = self.rng.choice(scope.growing)
        if self.chance(0.5):
            x = self.name("x")
            return stmt(f"for (const double {x} : {g}) $0 += 0.1 * {x};", place)
        k = self.name("k")
        return stmt(f"for (std::size_t {k} = 1; {k} < {g}.size(); ++{k}) {g}[{k}] = 0.5 * {g}[{k}] + 0.3 * std::sin({g}[{k} - 1]);")

    # --- pairs, tuples ----------------------------------------------------------------------------------------------------

    def st_pair(self, scope):
        name = self.name("q")
        made = stmt(self.rng.choice([f"std::pair<double, double> {name}($0, $1);", f"auto {name} = std::make_pair(double($0), double($1));"]),
                    self.value(scope), self.real(scope, 1))
        scope.reals += [f"{name}.first", f"{name}.second"]
        scope.pairs.append(name)
        return made

    def st_tuple(self, scope):
        name = self.name("q")
        made = stmt(f"std::tuple<double, double, int> {name}($0, $1, $2);", self.value(scope), self.real(scope, 1), self.integer(scope, 1))
        scope.reals += [f"std::get<0>({name})", f"std::get<1>({name})"]
        scope.ints.append(f"std::get<2>({name})")
        return made

    def st_two(self, scope):
        """A function that returns a pair."""
        if not self.twos or scope.work > 60:
            return None
        name, call = self.name("q"), self.rng.choice(self.twos)
        made = stmt(f"const std::pair<double, double> {name} = {call}($0, $1);", self.value(scope), self.value(scope))
        scope.constants += [f"{name}.first", f"{name}.second"]
        return made

    # --- statics, destructors ---------------------------------------------------------------------------------------------

    def st_static(self, scope):
        if not scope.statics or scope.work > 60:
            return None
        name = self.name("t")
        made = stmt(f"double {name} = {self.rng.choice(scope.statics)}($0, false);", self.value(scope))
        scope.reals.append(name)
        return made

    def st_guard(self, scope):
        place = self.place(scope)
        if not self.guards or place is None or scope.work > 60:
            return None
        return stmt(f"{self.rng.choice(self.guards)} {self.name('o')}($0, $1);", place, self.value(scope))

    # --- declarations -----------------------------------------------------------------------------------------------------

    def extra_parameter(self, kind, p, inner):
        if kind == "growing":
            inner.growing.append(p)
            return f"std::vector<double>& {p}"
        inner.reals += [f"{p}.first", f"{p}.second"]
        return f"std::pair<double, double>& {p}"

    def argument(self, scope, kind):
        if kind in ("growing", "pair"):
            names = scope.growing if kind == "growing" else scope.pairs
            return Node("lvalue", self.rng.choice(names)) if names else None
        return super().argument(scope, kind)

    def make_static(self, scope):
        name = self.name("h@_")
        inner = type(scope)()
        inner.reals, inner.constants, inner.ints = ["s"], ["p"], ["k"]
        inner.pure, inner.work = list(scope.pure), 5
        body = [Node("fixed", "static double s = 0.25;\nstatic int k = 1;\nif (first) {\ns = 0.25;\nk = 1;\n}")]
        self.budget += 2
        body += self.statements(inner, 2, [("assign", 2), ("update", 2), ("integer", 1), ("branch", 1)])
        body.append(Node("fixed", "s = $0;\nreturn s;", [self.tame(inner)]))
        self.program.decls.append(Node("decl", f"double {name}(double p, bool first) $A", blocks=[body]))
        scope.statics.append(name)
        return Node("fixed", f"static_cast<void>({name}(0.3, true));")

    def make_guard(self):
        name = self.name("S@_")
        form = self.rng.choice(["target += 0.3 * std::sin(v);", "target = std::sin(target + v);", "target *= 0.5 * v;"])
        self.program.decls.append(Node("decl", f"struct {name} {{\ndouble& target;\ndouble v;\n{name}(double& t, double x) : target(t), v(x) {{}}\n"
                                               f"~{name}() {{ {form} }}\n}};"))
        self.guards.append(name)

    def make_two(self, scope):
        name = self.name("h@_")
        inner = type(scope)()
        inner.reals, inner.pure, inner.work = ["p", "q"], list(scope.pure), 5
        self.budget += 2
        body = self.statements(inner, 2)
        body.append(Node("fixed", "return {$0, $1};", [Node("real", "double($0)", [self.tame(inner)]), Node("real", "double($0)", [self.tame(inner)])]))
        self.program.decls.append(Node("decl", f"std::pair<double, double> {name}(double p, double q) $A", blocks=[body]))
        self.twos.append(name)

    def make_template(self, scope):
        name = self.name("pure@_")
        inner = type(scope)()
        inner.pure, inner.reals, inner.work = list(scope.pure), ["p", "q"], 5
        inner.returns = "return 0.3 * p;"
        self.budget += 2
        body = self.statements(inner, self.rng.randint(0, 2)) + [Node("fixed", "return $0;", [self.tame(inner)])]
        self.program.decls.append(Node("decl", f"template <class T>\nT {name}(T p, T q) $A", blocks=[body]))
        scope.pure.append((f"{name}<double>", 2))

    def declarations(self, scope):
        first = super().declarations(scope)
        if self.chance(0.4):
            self.make_guard()
        if self.chance(0.5):
            self.make_template(scope)
        if self.chance(0.4):
            self.make_two(scope)
        if self.chance(0.5):
            first.append(self.make_static(scope))
        return first

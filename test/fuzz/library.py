"""What else the table of support promises of C++: sorting and searching, scans, unions. A kind of its own, so that the seeds of the
others stay what they are.

What an algorithm leaves unspecified (the order behind a partial sort, what stands behind the elements that were kept) isn't read.
"""
from language import Language
from tree import Node, stmt

# A line of a program that is another one over forward-mode numbers, which have constructors.
REFERENCE = "  //REFERENCE "


class Library(Language):
    STATEMENTS = Language.STATEMENTS + [("sort", 4), ("partial", 2), ("sortIndices", 2), ("search", 3), ("extreme", 3), ("scan", 4), ("keep", 2),
                                        ("test", 2), ("change", 5), ("fold", 3), ("view", 3), ("viewUse", 6), ("kinds", 1.2), ("clamp", 1)]

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.floats = False
        self.view_type, self.views = None, []

    # --- ranges -----------------------------------------------------------------------------------------------------------

    def ends(self, array, reverse=0.0):
        """The two ends of an array's elements, as iterators or pointers."""
        if array in self.std_arrays or array in getattr(self, "vectors", []):
            r = "r" * self.chance(reverse)
            return f"{array}.{r}begin()", f"{array}.{r}end()"
        return self.rng.choice([(f"&{array}[0]", f"&{array}[0] + {self.n}"), (f"std::begin({array})", f"std::end({array})")])

    def some(self, scope, count=1):
        names = self.plain(scope)
        return self.rng.sample(names, count) if len(names) >= count and scope.work <= 60 else None

    def function(self, scope, x):
        """The body of a lambda of x, which changes nothing."""
        inner = scope.inner(loops=0, returns=None)
        inner.constants.append(x)
        return self.tame(inner)

    def order(self):
        return self.rng.choice(["", "", ", std::greater<>()", ", [](double l, double r) { return l > r; }",
                                ", [](double l, double r) { return std::sin(l) < std::sin(r); }"])

    # --- order ------------------------------------------------------------------------------------------------------------

    def st_sort(self, scope):
        found = self.some(scope)
        if not found:
            return None
        first, last = self.ends(found[0], 0.3)
        return stmt(f"std::{self.rng.choice(['sort', 'sort', 'stable_sort'])}({first}, {last}{self.order()});")

    def st_partial(self, scope):
        found, place = self.some(scope), self.place(scope)
        if not found or place is None:
            return None
        a, t, i, m = found[0], self.name("t"), self.name("i"), self.rng.randint(1, self.n - 1)
        first, last = self.ends(a)
        call = f"std::partial_sort({first}, {first} + {m}, {last}{self.order()});" if self.chance(0.5) else \
            f"std::nth_element({first}, {first} + {m - 1}, {last}{self.order()});"
        made = stmt(f"{call}\nconst double {t} = {a}[{m - 1}];\nfor (int {i} = 0; {i} < {self.n}; ++{i}) {a}[{i}] = {t} * (0.2 * {i} - 0.3);")
        scope.constants.append(t)
        return made

    def st_sortIndices(self, scope):
        found, place = self.some(scope), self.place(scope)
        if not found or place is None:
            return None
        k, a = self.name("k"), found[0]
        return stmt(f"{{\nint {k}[{self.n}];\nstd::iota({k}, {k} + {self.n}, 0);\n"
                    f"std::sort({k}, {k} + {self.n}, [&](int l, int r) {{ return {a}[l] < {a}[r]; }});\n"
                    f"$0 += 0.4 * {a}[{k}[0]] - 0.2 * {a}[{k}[{self.n - 1}]];\n}}", place)

    def st_search(self, scope):
        found = self.some(scope)
        if not found:
            return None
        a, k = found[0], self.name("k")
        first, last = self.ends(a)
        what = self.rng.choice(["lower_bound", "upper_bound", "find_if", "find_if"])
        if what == "find_if":
            made = stmt(f"int {k} = static_cast<int>(std::find_if({first}, {last}, [](double x) {{ return x > {self.rng.choice(['0.3', '-0.2'])}; }}) - {first});")
        else:
            made = stmt(f"std::sort({first}, {last});\nint {k} = static_cast<int>(std::{what}({first}, {last}, double($0)) - {first});", self.value(scope))
        scope.ints.append(k)
        return made

    def st_extreme(self, scope):
        found = self.some(scope)
        if not found:
            return None
        first, last = self.ends(found[0])
        what, k = self.rng.choice(["max_element", "min_element"]), self.name("k")
        if self.chance(0.5):
            t = self.name("t")
            scope.reals.append(t)
            return stmt(f"double {t} = *std::{what}({first}, {last}{self.rng.choice(['', ', [](double l, double r) { return std::cos(l) < std::cos(r); }'])});")
        scope.ints.append(k)
        return stmt(f"int {k} = static_cast<int>(std::{what}({first}, {last}) - {first});")

    # --- what goes through all elements -----------------------------------------------------------------------------------

    def st_scan(self, scope):
        found = self.some(scope, 2)
        if not found:
            return None
        a, b = found
        first, last = self.ends(a, 0.2)
        to = self.ends(b, 0.2)[0] if self.chance(0.7) else first
        forms = [f"std::partial_sum({first}, {last}, {to});", f"std::adjacent_difference({first}, {last}, {to});",
                 f"std::partial_sum({first}, {last}, {to}, std::multiplies<double>());", f"std::inclusive_scan({first}, {last}, {to});",
                 f"std::exclusive_scan({first}, {last}, {to}, double(0.1));",
                 f"std::partial_sum({first}, {last}, {to}, [](double l, double r) {{ return 0.6 * l + std::sin(r); }});"]
        i = self.name("i")
        return stmt(self.rng.choice(forms) + f"\nfor (int {i} = 0; {i} < {self.n}; ++{i}) {b}[{i}] *= 0.4;")

    def st_keep(self, scope):
        """Elements that are kept, in front; what stands behind them is set."""
        found = self.some(scope, 2)
        if not found:
            return None
        a, b = found
        k, bound = self.name("k"), self.rng.choice(["0.2", "-0.3", "0.0"])
        first, last = self.ends(a)
        if self.chance(0.5):
            to = self.ends(b)[0]
            text = f"int {k} = static_cast<int>(std::copy_if({first}, {last}, {to}, [](double x) {{ return x > {bound}; }}) - {to});"
            made = b
        else:
            text = f"int {k} = static_cast<int>(std::remove_if({first}, {last}, [](double x) {{ return x < {bound}; }}) - {first});"
            made = a
        i = self.name("i")
        scope.ints.append(k)
        return stmt(f"{text}\nfor (int {i} = {k}; {i} < {self.n}; ++{i}) {made}[{i}] = $0;", self.tame(scope))

    def st_test(self, scope):
        found = self.some(scope)
        if not found:
            return None
        first, last = self.ends(found[0])
        form = self.rng.choice(["std::any_of(FIRST, LAST, [](double x) { return x > 0.6; })", "std::all_of(FIRST, LAST, [](double x) { return x < 0.9; })",
                                "std::none_of(FIRST, LAST, [](double x) { return x > 1.1; })"])
        if self.chance(0.5):
            k = self.name("k")
            scope.ints.append(k)
            return stmt(f"int {k} = static_cast<int>(std::count_if({first}, {last}, [](double x) {{ return x > 0.1; }}));")
        return stmt(f"if ({form.replace('FIRST', first).replace('LAST', last)}) $A", blocks=[self.block(scope)])

    def st_change(self, scope):
        found = self.some(scope, 2)
        if not found:
            return None
        a, b = found
        (first, last), to, x = self.ends(a, 0.2), self.ends(b, 0.2)[0], self.name("x")
        lambdas = {"for_each": f"std::for_each({first}, {last}, [&](double& {x}) {{ {x} = double($0); }});",
                   "generate": f"std::generate({first}, {last}, [&] {{ return double($0); }});"}
        simple = [f"std::transform({first}, {last}, {to}, {to}, std::{self.rng.choice(['plus', 'minus', 'multiplies'])}<{self.rng.choice(['', 'double'])}>());",
                  f"std::transform({first}, {last}, {to}, {to}, [](double l, double r) {{ return std::sin(l) * r; }});",
                  f"std::replace_if({first}, {last}, [](double x) {{ return x > 0.5; }}, double($0));", "ROTATE",
                  f"std::copy_n({first}, {self.n - 1}, {to});", f"std::fill_n({first}, {self.rng.randint(1, self.n)}, double($0));"]
        if self.chance(0.5):
            what = self.rng.choice(sorted(lambdas))
            return stmt(lambdas[what], self.function(scope, x) if what == "for_each" else self.tame(scope.inner(loops=0, returns=None)))
        forward = self.ends(a)  # of reverse iterators it isn't supported
        rotate = f"std::rotate({forward[0]}, {forward[0]} + {self.rng.randint(1, self.n - 1)}, {forward[1]});"
        return stmt(self.rng.choice(simple).replace("ROTATE", rotate), self.tame(scope))

    def st_fold(self, scope):
        found = self.some(scope, 2)
        if not found:
            return None
        t, (first, last), to = self.name("t"), self.ends(found[0], 0.2), self.ends(found[1])[0]
        forms = [f"std::accumulate({first}, {last}, double(0.2), [](double l, double r) {{ return 0.5 * l + std::sin(r); }})",
                 f"0.1 * std::accumulate({first}, {last}, double(1.0), std::multiplies<double>())", f"0.1 * std::reduce({first}, {last}, double(0.3))",
                 f"0.1 * std::transform_reduce({first}, {last}, {to}, double(0.1))",
                 f"0.2 * std::transform_reduce({first}, {last}, double(0.0), std::plus<double>(), [](double x) {{ return std::sin(x); }})"]
        scope.reals.append(t)
        return stmt(f"double {t} = {self.rng.choice(forms)};")

    def st_clamp(self, scope):
        t = self.name("t")
        made = stmt(f"double {t} = std::clamp(double($0), double(-0.7), double(0.6));", self.value(scope))
        scope.reals.append(t)
        return made

    # --- unions -----------------------------------------------------------------------------------------------------------

    def make_view(self):
        """A struct whose reals have two names each."""
        s, m = self.view_type, self.rng.choice([2, 3])
        names = "xyz"[:m]
        copy = ", ".join(f"o.v[{k}]" for k in range(m))
        references = ", ".join(f"&{c} = v[{k}]" for k, c in enumerate(names))
        text = f"struct {s} {{\nunion {{ struct {{ double {', '.join(names)}; }}; double v[{m}]; }};{REFERENCE}double v[{m}]; double {references}; " \
               f"{s}(const {s}& o) : v{{{copy}}} {{}} {s}& operator=(const {s}& o) {{ for (int k = 0; k < {m}; ++k) v[k] = o.v[k]; return *this; }}\n" \
               f"{s}(double p) : {', '.join(f'{c}({0.3 * k + 0.5} * p)' for k, c in enumerate(names))} {{}}{REFERENCE}" \
               f"{s}(double p) {{ {' '.join(f'{c} = {0.3 * k + 0.5} * p;' for k, c in enumerate(names))} }}\n" \
               f"double sum() const {{ double s = 0.0; for (double e : v) s += e; return s; }}\n" \
               f"void turn(double p) {{ const double q = x * std::cos(p) - y * std::sin(p); v[1] = x * std::sin(p) + y; x = q; }}\n" \
               f"double& operator[](int i) {{ return v[i]; }}\n}};"
        self.program.decls.append(Node("decl", text))
        self.view_size = m

    def st_view(self, scope):
        if self.view_type is None or scope.depth > 3:
            return None
        name = self.name("vw")
        others = [v for v in self.views if v in scope.constants]
        made = stmt(f"{self.view_type} {name} = {self.rng.choice(others)};") if others and self.chance(0.3) else \
            stmt(f"{self.view_type} {name}{{double($0)}};", self.value(scope))
        scope.reals += [f"{name}.x", f"{name}.y", f"{name}.v[{self.rng.randrange(self.view_size)}]"]
        scope.arrays.append((f"{name}.v", self.view_size))
        return made

    def view(self, scope):
        names = sorted({r.split(".")[0] for r in scope.reals if r.startswith("vw")})
        return self.rng.sample(names, len(names))

    def st_viewUse(self, scope):
        names, place = self.view(scope), self.place(scope)
        if not names or place is None or scope.work > 60:
            return None
        forms = [f"{names[0]}.turn($1);", f"$0 += 0.2 * {names[0]}.sum();", f"{names[0]}[$2] = $1;", f"$0 += 0.3 * {names[0]}[$2] * {names[0]}.y;"]
        if len(names) > 1:
            forms += [f"{names[0]} = {names[1]};"] * 2
        return stmt(self.rng.choice(forms), place, self.value(scope), Node("lvalue", f"($0) % {self.view_size}", [self.integer(scope, 1)]))

    def st_kinds(self, scope):
        """A local union that holds one kind of value after the other."""
        place = self.place(scope)
        if place is None or scope.work > 60:
            return None
        u, t, k = self.name("U"), self.name("w"), self.name("k")
        scope.ints.append(k)
        order = [f"{t}.real = $1;\n$0 += 0.3 * {t}.real;", f"{t}.whole = $2;\n{k} = ({k} + {t}.whole) % 7;"]
        self.rng.shuffle(order)
        order += [f"{t}.real = $1;\n{t}.real *= 0.5;\n$0 -= {t}.real * {t}.real;"] * self.chance(0.4)
        return stmt(f"int {k} = 1;\n{{\nunion {u} {{ double real; int whole; }};\n{u} {t};\n" + "\n".join(order) + "\n}", place, self.value(scope), self.integer(scope, 1))

    def start(self):
        scope, first = super().start()
        made = [getattr(self, "st_" + self.rng.choice(["array", "vector", "stdArray"]))(scope) for _ in range(3)]
        return scope, first + made + [self.st_view(scope)] * (self.view_type is not None)

    def declarations(self, scope):
        if self.chance(0.5):
            self.view_type = self.name("S@_")
            self.make_view()
        return super().declarations(scope)

"""Random serial programs: well-defined, with values in a sane range.

Every variable is initialised, indices are in range by construction (counters) or by `%`, loops are bounded, integers stay
in 0 to 9, functions get safe arguments. Calls with effects stand alone, so that no result hangs on an order of evaluation.
"""
from scope import Helper, Record, Scope
from tree import Node, Program, stmt

# Safe for every argument; with weights.
UNARY = [("std::sin($0)", 4), ("std::cos($0)", 2), ("std::tanh($0)", 2), ("std::atan($0)", 1), ("std::exp(-$0 * $0)", 2),
         ("std::sqrt(1.0 + $0 * $0)", 2), ("std::log(2.0 + $0 * $0)", 1), ("std::cbrt(2.0 + std::sin($0))", 1),
         ("std::erf($0)", 1), ("std::asinh($0)", 1), ("std::log1p($0 * $0)", 1), ("std::expm1(std::sin($0))", 1),
         ("(-$0)", 1), ("std::fabs($0)", 1), ("(0.7 * $0)", 3), ("(1.0 / (1.5 + $0 * $0))", 2), ("(0.3 - $0)", 1),
         ("std::cosh(std::sin($0))", 1), ("std::pow(1.5 + std::sin($0), 3.0)", 1), ("std::tan(0.5 * std::sin($0))", 1),
         ("std::floor(1.5 * $0)", 0.3)]
BINARY = [("($0 + $1)", 3), ("($0 - $1)", 2), ("$0 * $1", 3), ("(0.6 * $0 + 0.5 * $1)", 4), ("$0 / (1.5 + $1 * $1)", 2),
          ("std::atan2($0, 1.2 + $1 * $1)", 1), ("std::hypot($0, 0.5 + std::fabs($1))", 1), ("std::fmax($0, $1)", 1),
          ("std::fmin($0, $1)", 1), ("std::max($0, 0.4 * $1)", 1), ("std::pow(1.5 + std::sin($0), std::cos($1))", 1),
          ("std::sin($0) * std::cos($1)", 2)]
CONSTANTS = ["0.5", "0.25", "1.3", "(-0.8)", "0.1", "2.0", "(-0.35)"]


def weighted(rng, table):
    return rng.choices([x for x, _ in table], [w for _, w in table])[0]


class Serial:
    def __init__(self, rng, size=1.0):
        self.rng = rng
        self.counter = 0
        self.budget = int(size * rng.randint(12, 45))  # statements that may still be made
        self.n = rng.choice([3, 4, 5, 6])  # the size of most arrays
        self.program = Program(rng.randint(2, 4), rng.randint(1, 3), rng.random() < 0.3)
        self.records = []
        self.floats = rng.random() < 0.08

    def name(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, p):
        return self.rng.random() < p

    # --- expressions ------------------------------------------------------------------------------------------------------

    def index(self, scope, size):
        """An index in 0 to size - 1."""
        usable = [(c, limit) for c, limit in scope.counters if limit <= size + 1]
        if usable and self.chance(0.65):
            c, limit = self.rng.choice(usable)
            if limit == size + 1:
                forms = [f"{c} % {size}"]
            elif limit == size:
                forms = [c, c, c, f"{size - 1} - {c}", f"({c} + 1) % {size}", f"{c} > 0 ? {c} - 1 : 0"]
            else:
                forms = [c, f"{c} + {size - limit}", f"{c} + 1"]
            return Node("lvalue", self.rng.choice(forms))
        if self.chance(0.4):
            return Node("lvalue", str(self.rng.randrange(size)))
        return Node("lvalue", f"($0) % {size}", [self.integer(scope, 1)])

    def element(self, scope, arrays):
        name, size = self.rng.choice(arrays)
        return Node("lvalue", f"{name}[$0]", [self.index(scope, size)])

    def place(self, scope):
        """Something real that may be assigned."""
        if scope.arrays and (not scope.reals or self.chance(0.5)):
            return self.element(scope, scope.arrays)
        if scope.reals:
            return Node("lvalue", self.rng.choice(scope.reals))
        return None

    def leaf(self, scope):
        choices = [("constant", 1)]
        if scope.reals:
            choices.append(("real", 4))
        if scope.constants:
            choices.append(("read", 3))
        if scope.arrays + scope.fixed:
            choices.append(("element", 4))
        if scope.ints or scope.counters:
            choices.append(("int", 0.6))
        what = weighted(self.rng, choices)
        if what == "constant":
            return Node("real", self.rng.choice(CONSTANTS))
        if what == "real":
            return Node("real", self.rng.choice(scope.reals))
        if what == "read":
            return Node("real", self.rng.choice(scope.constants))
        if what == "element":
            return Node("real", "$0", [self.element(scope, scope.arrays + scope.fixed)])
        return Node("real", "0.2 * $0", [self.integer(scope, 0)])

    def real(self, scope, depth=None):
        depth = self.rng.choice([1, 2, 2, 3]) if depth is None else depth
        if depth <= 0 or self.chance(0.1):
            return self.leaf(scope)
        roll = self.rng.random()
        if roll < 0.35:
            form = weighted(self.rng, UNARY)
            return Node("real", form, [self.real(scope, 0 if form.count("$0") > 1 else depth - 1)])
        if roll < 0.85:
            form = weighted(self.rng, BINARY)
            if self.floats:
                form = form.replace("std::max(", "std::fmax(")  # whose arguments may differ in type
            return Node("real", form, [self.real(scope, depth - 1), self.real(scope, 0 if form.count("$1") > 1 else depth - 1)])
        if roll < 0.92:
            return Node("real", "($0 ? $1 : $2)",
                        [self.condition(scope, 1), self.cast(self.real(scope, depth - 1)), self.cast(self.real(scope, depth - 1))])
        if scope.pure:
            name, arity = self.rng.choice(scope.pure)
            args = ", ".join(f"${k}" for k in range(arity))
            return Node("real", f"{name}({args})", [self.real(scope, depth - 1) for _ in range(arity)])
        readers = [(n, m) for n, r in scope.structs for m in r.readers]
        if readers:
            name, method = self.rng.choice(readers)
            return Node("real", f"{name}.{method}($0)", [self.real(scope, depth - 1)])
        return self.leaf(scope)

    def cast(self, e):
        """The branches of ?: are of one type, also where `double` is a class and `float` isn't."""
        return Node("real", "double($0)", [e]) if self.floats else e

    def tame(self, scope):
        """A real that stays in range however often its own value goes into it again."""
        forms = ["std::sin($0)", "std::tanh($0)", "0.5 * std::cos($0) + 0.3", "std::cos(0.3 + $0)", "0.4 * std::atan($0)"]
        return Node("real", self.rng.choice(forms), [self.real(scope)])

    def value(self, scope):
        return self.tame(scope) if self.chance(0.7 if scope.work > 1 else 0.25) else self.real(scope)

    def integer(self, scope, depth=None):
        """Not negative, at most 9 or so."""
        depth = self.rng.choice([0, 1, 1, 2]) if depth is None else depth
        leaves = [n for n in scope.ints] + [c for c, _ in scope.counters]
        roll = self.rng.random()
        if depth <= 0 or roll < 0.35:
            if leaves and self.chance(0.75):
                return Node("int", self.rng.choice(leaves))
            return Node("int", str(self.rng.randrange(4)))
        if roll < 0.65:
            return Node("int", f"($0 + $1) % {self.rng.randint(2, 7)}",
                        [self.integer(scope, depth - 1), self.integer(scope, depth - 1)])
        if roll < 0.75:
            return Node("int", "($0 * 3 + 1) % 5", [self.integer(scope, depth - 1)])
        if roll < 0.85:
            return Node("int", "($0 ? $1 : $2)",
                        [self.condition(scope, 0), self.integer(scope, depth - 1), self.integer(scope, depth - 1)])
        return Node("int", f"static_cast<int>(std::fabs({self.rng.choice([3, 5])}.0 * std::sin($0)))",
                    [self.real(scope, 1)])

    def condition(self, scope, depth=1):
        roll = self.rng.random()
        if depth > 0 and roll < 0.2:
            return Node("bool", self.rng.choice(["($0 && $1)", "($0 || $1)"]),
                        [self.condition(scope, depth - 1), self.condition(scope, depth - 1)])
        if roll < 0.28 and depth > 0:
            return Node("bool", "!($0)", [self.condition(scope, depth - 1)])
        if roll < 0.6 and (scope.ints or scope.counters):
            return Node("bool", self.rng.choice(["($0 % 2 == 0)", "($0 < $1)", "($0 == $1)", "($0 != 2)"]),
                        [self.integer(scope, 1), self.integer(scope, 1)])
        return Node("bool", self.rng.choice(["($0 < $1)", "($0 > $1)", "($0 >= 0.3)"]),
                    [self.real(scope, 1), self.real(scope, 1)])

    # --- statements -------------------------------------------------------------------------------------------------------

    STATEMENTS = [("assign", 8), ("update", 5), ("scalar", 4), ("array", 1.2), ("integer", 2), ("branch", 3), ("loop", 4),
                  ("while", 1), ("do", 0.5), ("switch", 0.8), ("leave", 1.2), ("reference", 1), ("pointer", 1),
                  ("swap", 1.2), ("record", 1), ("call", 2), ("lambda", 0.5), ("callLambda", 1), ("vector", 0.7),
                  ("rangeFor", 0.7), ("method", 1), ("copy", 0.6), ("exchange", 0.4), ("block", 0.3), ("flag", 0.4),
                  ("chain", 0.3), ("single", 0.5), ("binding", 0.3), ("increment", 0.4), ("result", 2.5)]

    HELPER_KINDS = []  # of parameters, beside those of make_helper

    def statements(self, scope, count, table=None):
        out = []
        for _ in range(count):
            if self.budget <= 0:
                break
            for _ in range(6):  # a choice may not be possible here
                made = getattr(self, "st_" + weighted(self.rng, table or self.STATEMENTS))(scope)
                if made is not None:
                    self.budget -= 1
                    out += made if isinstance(made, list) else [made]
                    break
        return out

    def block(self, scope, **changes):
        return self.statements(scope.inner(**changes), self.rng.randint(1, 4))

    def st_assign(self, scope):
        place = self.place(scope)
        return place and stmt("$0 = $1;", place, self.value(scope))

    def st_update(self, scope):
        place = self.place(scope)
        form = self.rng.choice(["$0 += $1;", "$0 += $1;", "$0 -= 0.5 * $1;", "$0 *= std::sin($1);", "$0 *= 0.9;",
                                "$0 /= 1.5 + std::sin($1);", "$0 = 0.5 * $0 + $1;"])
        return place and stmt(form, place, self.value(scope))

    # Whole right-hand sides whose derivative their value has in it; $0 is the target, $1 and $2 are places, $2 positive.
    RESULTS = ["$0 = std::exp(-$2);", "$0 = std::sqrt($2);", "$0 = std::tanh($1);", "$0 = std::sin($1) / $2;", "$0 = 1.0 / $2;",
               "$0 = -std::tanh($1 + $2);", "$0 = -(0.4 / $2);", "$0 = std::cbrt($2);", "$0 = std::hypot(std::sin($1), $2);",
               "$0 = std::tanh($0);", "$0 = $0 / (1.0 + $2);", "$0 = std::exp(-$0 * $0);", "$0 = $2 / ($2 + 0.5);"]

    def st_result(self, scope):
        place, operand = self.place(scope), self.place(scope)
        if place is None:
            return None
        divisor = self.name("p")
        out = [stmt(f"double {divisor} = 1.5 + std::sin($0);", self.value(scope)),
               stmt(self.rng.choice(self.RESULTS), place, operand, Node("real", divisor))]
        scope.constants.append(divisor)
        then = self.rng.random()
        if then < 0.3:
            out.append(stmt(f"{divisor} = 0.7 + std::cos($0) * std::cos($0);", operand))
        if then < 0.2:
            out.append(stmt(self.rng.choice(["$0 += $1;", "$0 = $1;", "$0 = 0.0;", "$0 *= 0.5 * $0;"]), place, self.value(scope)))
        return out

    def st_increment(self, scope):
        arrays = [a for a in scope.arrays if a[1] >= 3]
        if not arrays:
            return None
        a, k = self.rng.choice(arrays)[0], self.name("k")
        return [stmt(f"int {k} = 0;"), stmt(f"{a}[{k}++] = $0;", self.value(scope)), stmt(f"{a}[++{k}] *= 0.5;")]

    def st_chain(self, scope):
        a, b = self.place(scope), self.place(scope)
        return a and b and stmt("$0 = $1 = $2;", a, b, self.value(scope))

    def st_scalar(self, scope):
        name, e = self.name("t"), self.value(scope)
        if self.chance(0.3):
            made = stmt(f"const double {name} = $0;", e)
            scope.constants.append(name)
        else:
            made = stmt(f"double {name} = $0;", e)
            scope.reals.append(name)
        return made

    def st_single(self, scope):
        if not self.floats:
            return None
        name, made = self.name("s"), self.value(scope)
        self.program.features.add("float")
        scope.reals.append(name)
        return stmt(f"float {name} = static_cast<float>($0);", made)

    def st_array(self, scope):
        name, n = self.name("a"), self.n
        if self.chance(0.5):
            made = stmt(f"double {name}[{n}] = {{{', '.join(f'${k}' for k in range(n))}}};",
                        *[self.real(scope, 1) for _ in range(n)])
        else:
            made = stmt(f"double {name}[{n}] = {{}};")
        scope.arrays.append((name, n))
        return made

    def st_vector(self, scope):
        name = self.name("v")
        made = stmt(f"std::vector<double> {name}({self.n}, $0);", self.value(scope))
        scope.arrays.append((name, self.n))
        self.vectors = getattr(self, "vectors", []) + [name]
        return made

    def st_integer(self, scope):
        if scope.ints and self.chance(0.6):
            name = self.rng.choice(scope.ints)
            form = self.rng.choice(["= ($0) % 10;", "= (%s + 1 + $0) %% 10;" % name, "= ($0 * 7 + 3) % 8;"])
            return stmt(f"{name} {form}", self.integer(scope))
        name = self.name("k")
        made = stmt(f"int {name} = $0;", self.integer(scope))
        scope.ints.append(name)
        return made

    def st_flag(self, scope):
        name = self.name("b")
        made = stmt(f"const bool {name} = $0;", self.condition(scope))
        scope.counters.append((f"({name} ? 1 : 0)", 2))
        return made

    def st_block(self, scope):
        return stmt("$A", blocks=[self.block(scope)])

    def st_branch(self, scope):
        if scope.depth > 4:
            return None
        blocks = [self.block(scope)]
        form = "if ($0) $A"
        if self.chance(0.5):
            blocks.append(self.block(scope))
            form += " else $B"
        return stmt(form, self.condition(scope, 2), blocks=blocks)

    def st_switch(self, scope):
        if scope.depth > 3:
            return None
        form = "switch ($0) {\ncase 0: $A\n" + self.rng.choice(["break;", "[[fallthrough]];"]) + "\ncase 2: $B\nbreak;\n"
        blocks = [self.block(scope, loops=0), self.block(scope, loops=0)]
        if self.chance(0.6):
            form += "default: $C\nbreak;\n"
            blocks.append(self.block(scope, loops=0))
        return stmt(form + "}", self.integer(scope, 1), blocks=blocks)

    def counted(self, scope, counter, limit):
        """The header of a loop of `counter` over 0 to limit - 1 or a part of that."""
        roll = self.rng.random()
        if roll < 0.5:
            return f"for (int {counter} = 0; {counter} < {limit}; ++{counter})", []
        if roll < 0.65:
            return f"for (int {counter} = {limit - 1}; {counter} >= 0; --{counter})", []
        if roll < 0.75:
            return f"for (int {counter} = {self.rng.choice([0, 1])}; {counter} < {limit}; {counter} += 2)", []
        if roll < 0.85:
            return f"for (int {counter} = 0; {counter} < std::min($0, {limit}); {counter}++)", [self.integer(scope)]
        # A start that the body may change, or that is converted.
        return self.rng.choice([f"for (int {counter} = $0; {counter} < {limit}; ++{counter})",
                                f"for (int {counter} = static_cast<std::size_t>($0); {counter} < {limit}; ++{counter})",
                                f"for (int {counter} = static_cast<std::size_t>($0 % {limit}); {counter} >= 0; --{counter})"]), [self.integer(scope)]

    def st_loop(self, scope):
        if scope.depth > 3 or scope.work > 150:
            return None
        counter = self.name("i")
        limit = self.rng.choice([self.n, self.n, self.n - 1, 2, 3])
        head, kids = self.counted(scope, counter, limit)
        inner = scope.inner(loops=scope.loops + 1, work=scope.work * limit)
        inner.counters.append((counter, limit))
        return stmt(head + " $A", *kids, blocks=[self.statements(inner, self.rng.randint(1, 5))])

    def st_while(self, scope):
        if scope.depth > 3 or scope.work > 150:
            return None
        counter, limit = self.name("w"), self.rng.randint(2, 4)
        inner = scope.inner(loops=scope.loops + 1, work=scope.work * limit)
        inner.counters.append((counter, limit + 1))
        body = [Node("fixed", f"++{counter};")] + self.statements(inner, self.rng.randint(1, 4))
        return [stmt(f"int {counter} = 0;\nwhile ({counter} < {limit} && $0) $A", self.condition(scope), blocks=[body])]

    def st_do(self, scope):
        if scope.depth > 3 or scope.work > 150:
            return None
        counter, limit = self.name("w"), self.rng.randint(2, 4)
        inner = scope.inner(loops=scope.loops + 1, work=scope.work * limit)
        body = [Node("fixed", f"++{counter};")] + self.statements(inner, self.rng.randint(1, 4))
        return [stmt(f"int {counter} = 0;\ndo $A while ({counter} < {limit} && $0);", self.condition(scope), blocks=[body])]

    def st_leave(self, scope):
        ways = (["break;", "continue;"] if scope.loops else []) + ([scope.returns] if scope.returns and scope.depth else [])
        if not ways:
            return None
        return stmt(f"if ($0) {self.rng.choice(ways)}", self.condition(scope))

    # --- names for the same memory ----------------------------------------------------------------------------------------

    def st_reference(self, scope):
        place = self.place(scope)
        if place is None:
            return None
        name = self.name("r")
        if self.floats:
            return None
        scope.reals.append(name)
        return stmt(f"double& {name} = $0;", place)

    def data(self, array):
        return array + ".data()" if array in getattr(self, "vectors", []) else array

    def st_pointer(self, scope):
        arrays = [(n, s) for n, s in scope.arrays if s == self.n]
        if not arrays:
            return None
        address = [self.data(n) for n, _ in arrays]
        old = [p for p in scope.pointers if self.chance(0.5)]
        if old:
            pointer, target = self.rng.choice(old)[0], self.rng.choice(address)
            return stmt(f"{pointer} = {target};") if scope.level(target.removesuffix(".data()")) <= scope.level(pointer) else None
        name = self.name("p")
        if len(address) > 1 and self.chance(0.4):
            a, b = self.rng.sample(address, 2)
            made = stmt(f"double* {name} = $0 ? &{a}[0] : &{b}[0];", self.condition(scope))
        else:
            made = stmt(f"double* {name} = {self.rng.choice(address)};")
        scope.arrays.append((name, self.n))
        scope.pointers.append((name, self.n))
        return made

    def st_swap(self, scope):
        if len(scope.pointers) < 2:
            return None
        (a, _), (b, _) = self.rng.sample(scope.pointers, 2)
        if scope.level(a) != scope.level(b):
            return None
        if self.chance(0.5):
            return stmt(f"std::swap({a}, {b});")
        t = self.name("q")
        return [stmt(f"double* {t} = {a};\n{a} = {b};\n{b} = {t};")]

    def st_exchange(self, scope):
        a, b = self.place(scope), self.place(scope)
        return a and b and not self.floats and stmt("std::swap($0, $1);", a, b) or None

    def st_rangeFor(self, scope):
        arrays = [a for a, _ in scope.arrays if a[0] in "av" and "." not in a]
        if not arrays or scope.depth > 3 or scope.work > 150 or self.floats:
            return None
        name, array = self.name("x"), self.rng.choice(arrays)
        inner = scope.inner(loops=scope.loops + 1, work=scope.work * self.n)
        if self.chance(0.5):
            inner.reals.append(name)
            head = f"for (double& {name} : {array})"
        else:
            inner.constants.append(name)
            head = f"for (const double {name} : {array})"
        return stmt(head + " $A", blocks=[self.statements(inner, self.rng.randint(1, 3))])

    # --- structs, calls, lambdas ------------------------------------------------------------------------------------------

    def st_record(self, scope):
        if not self.records or scope.depth > 2:
            return None
        record, name = self.rng.choice(self.records), self.name("o")
        record.add_to(scope, name)
        return stmt(f"{record.name} {name};")

    def st_copy(self, scope):
        if not scope.structs:
            return None
        name, record = self.rng.choice(scope.structs)
        others = [n for n, r in scope.structs if r is record and n != name]
        if others and self.chance(0.6):
            return stmt(f"{name} = {self.rng.choice(others)};")
        copy = self.name("o")
        record.add_to(scope, copy)
        return stmt(f"{record.name} {copy} = {name};")

    def st_binding(self, scope):
        flat = [(n, r) for n, r in scope.structs if r.flat]
        if not flat:
            return None
        name, record = self.rng.choice(flat)
        a, b = self.name("u"), self.name("u")
        scope.reals += [a, b]
        return stmt(f"auto& [{a}, {b}] = {name};")

    def st_method(self, scope):
        writers = [(n, m) for n, r in scope.structs for m in r.writers]
        if not writers:
            return None
        name, method = self.rng.choice(writers)
        return stmt(f"{name}.{method}($0);", self.value(scope))

    def argument(self, scope, kind):
        if kind == "int":
            return self.integer(scope)
        if kind == "ref":
            doubles = [r for r in scope.reals if not r.startswith("s")]
            if scope.arrays and (not doubles or self.chance(0.5)):
                return self.element(scope, scope.arrays)
            return Node("lvalue", self.rng.choice(doubles)) if doubles else None
        if kind == "array":
            arrays = [n for n, s in scope.arrays if s >= self.n]
            if not arrays:
                return None
            name = self.rng.choice(arrays)
            return Node("lvalue", f"&{name}[0]")
        if kind.startswith("struct:"):
            names = [n for n, r in scope.structs if r.name == kind[7:]]
            return Node("lvalue", self.rng.choice(names)) if names else None
        if kind == "vector":
            names = [n for n, _ in scope.arrays if n in getattr(self, "vectors", [])]
            return Node("lvalue", self.rng.choice(names)) if names else None
        return self.value(scope)  # value, cref

    def st_call(self, scope):
        if not scope.calls or scope.work > 60:
            return None
        helper = self.rng.choice(scope.calls)
        args = [self.argument(scope, kind) for kind in helper.params]
        if None in args:
            return None
        call = f"{helper.name}({', '.join(f'${k}' for k in range(len(args)))})"
        if helper.returns and self.chance(0.8):
            name = self.name("t")
            scope.reals.append(name)
            return stmt(f"double {name} = {call};", *args)
        return stmt(call + ";", *args)

    def st_lambda(self, scope):
        if scope.depth > 2 or self.floats:
            return None
        name, x = self.name("lam"), self.name("x")
        inner = scope.inner(loops=0, returns=None, work=scope.work * 4)
        inner.constants.append(x)
        inner.lambdas = []
        inner.reals = [r for r in inner.reals if not r.startswith("u")]  # C++17 captures no structured bindings
        body = self.statements(inner, self.rng.randint(0, 2), [("assign", 2), ("update", 2), ("scalar", 1), ("branch", 1)])
        body.append(Node("fixed", "return $0;", [Node("real", "double($0)", [self.value(inner)])]))
        scope.lambdas.append(name)
        return stmt(f"const auto {name} = [&](double {x}) $A;", blocks=[body])

    def st_callLambda(self, scope):
        if not scope.lambdas or scope.work > 60:
            return None
        name, made = self.name("t"), self.value(scope)
        scope.reals.append(name)
        return stmt(f"double {name} = {self.rng.choice(scope.lambdas)}($0);", made)

    # --- the whole --------------------------------------------------------------------------------------------------------

    def make_record(self, nested):
        name = self.name("S@_")
        flat = self.chance(0.3) and not nested
        record = Record(name, ["x", "y"], [] if flat else [("w", self.n)], [] if flat else ["k"],
                        ("s", nested) if nested else None)
        record.flat = flat
        body = [Node("fixed", f"double x = {self.rng.choice(CONSTANTS)};"), Node("fixed", "double y = 0.4;")]
        if not flat:
            body += [Node("fixed", f"double w[{self.n}] = {{0.3, -0.2}};"), Node("fixed", "int k = 1;")]
        if nested:
            body.append(Node("fixed", f"{nested.name} s;"))
        inside = Scope()
        record.add_to(inside, "THIS", "")
        for field in ("reals", "ints"):
            setattr(inside, field, [n.replace("THIS", "") for n in getattr(inside, field)])
        inside.arrays = [(n.replace("THIS", ""), s) for n, s in inside.arrays]
        inside.structs = [(n.replace("THIS", ""), r) for n, r in inside.structs if n != "THIS"]
        inside.constants.append("p")
        reader, writer = self.name("get"), self.name("set")
        readonly = inside.inner(reals=[], arrays=[], ints=[], constants=inside.reals + ["p"], fixed=inside.arrays,
                                counters=[(k, 10) for k in inside.ints])
        body.append(stmt(f"double {reader}(double p) const {{ return $0; }}", self.tame(readonly)))
        self.budget += 2
        body.append(stmt(f"void {writer}(double p) $A", blocks=[self.statements(inside.inner(work=4), self.rng.randint(1, 3))]))
        record.readers.append(reader)
        record.writers.append(writer)
        self.records.append(record)
        self.program.decls.append(Node("decl", f"struct {name} $A;", blocks=[body]))

    def make_pure(self, scope):
        name, arity = self.name("pure@_"), self.rng.choice([1, 2])
        inner = Scope()
        inner.pure = list(scope.pure)
        inner.reals = ["p", "q"][:arity]
        inner.work = 5
        inner.returns = "return 0.3 * p;"
        self.budget += 3
        body = self.statements(inner, self.rng.randint(0, 3))
        body.append(Node("fixed", "return $0;", [self.tame(inner)]))
        params = ", ".join(f"double {p}" for p in inner.reals[:arity] if p in "pq")
        self.program.decls.append(Node("decl", f"double {name}({params}) $A", blocks=[body]))
        scope.pure.append((name, arity))

    def make_helper(self, scope):
        kinds = ["value", "ref", "array", "int", "cref", "value", "ref", "array"]
        kinds += ["struct:" + r.name for r in self.records] + ["vector"] + self.HELPER_KINDS
        params = [self.rng.choice(kinds) for _ in range(self.rng.randint(1, 4))]
        helper = Helper(self.name("h@_"), params, self.chance(0.6))
        inner = Scope()
        inner.pure, inner.calls = list(scope.pure), list(scope.calls)
        inner.reals, inner.arrays, inner.ints = list(scope.reals), list(scope.arrays), list(scope.ints)  # globals
        inner.work = 5
        inner.returns = "return 0.2;" if helper.returns else "return;"
        texts = []
        for kind in params:
            p = self.name("p")
            if kind in ("value", "ref"):
                inner.reals.append(p)
                texts.append(f"double{'&' if kind == 'ref' else ''} {p}")
            elif kind == "cref":
                inner.constants.append(p)
                texts.append(f"const double& {p}")
            elif kind == "array":
                inner.arrays.append((p, self.n))
                texts.append(f"double* {p}")
            elif kind == "int":
                inner.counters.append((p, 10))  # not to be changed: recursion ends by it
                texts.append(f"int {p}")
            elif kind == "vector":
                inner.arrays.append((p, self.n))
                self.vectors = getattr(self, "vectors", []) + [p]
                texts.append(f"std::vector<double>& {p}")
            elif kind in self.HELPER_KINDS:
                texts.append(self.extra_parameter(kind, p, inner))
            else:
                record = next(r for r in self.records if r.name == kind[7:])
                record.add_to(inner, p)
                texts.append(f"{record.name}& {p}")
        self.budget += 4
        body = self.statements(inner, self.rng.randint(1, 5))
        if "int" in params and self.chance(0.5):  # recursion, on its own parameter
            level = texts[params.index("int")].split()[1]
            args = [f"({level} % 3) - 1" if k == params.index("int") else t.split()[-1] for k, t in enumerate(texts)]
            body.append(stmt(f"if ({level} % 3 > 0) {helper.name}({', '.join(args)});"))
            body += self.statements(inner, 1)
        if helper.returns:
            body.append(Node("fixed", "return $0;", [self.tame(inner)]))
        self.program.decls.append(Node("decl", f"{'double' if helper.returns else 'void'} {helper.name}({', '.join(texts)}) $A",
                                       blocks=[body]))
        scope.calls.append(helper)

    def make_globals(self, scope):
        """Globals that carry state; set at the start, so that each call of the program does the same."""
        g, array, k = self.name("g@_"), self.name("ga@_"), self.name("gk@_")
        self.program.decls.append(Node("decl", f"double {g} = 0.5;\ndouble {array}[{self.n}] = {{}};\nint {k} = 1;"))
        scope.reals.append(g)
        scope.arrays.append((array, self.n))
        scope.ints.append(k)
        return [Node("fixed", f"{g} = 0.3;\n{k} = 2;\nfor (int i = 0; i < {self.n}; ++i) {array}[i] = 0.1 * i;")]

    def declarations(self, scope):
        first = self.make_globals(scope) if self.chance(0.25) else []
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self.make_record(self.records[0] if self.records and self.chance(0.6) else None)
        for _ in range(self.rng.choice([0, 1, 1])):
            self.make_pure(scope)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.make_helper(scope)
        return first

    def start(self):
        """Declarations in front, and the first statements of the body."""
        p, scope = self.program, Scope()
        p.at = [round(self.rng.uniform(-1.2, 1.2), 3) for _ in range(p.inputs)]
        p.start = [round(self.rng.uniform(-1.0, 1.0), 3) for _ in range(p.outputs)]
        first = self.declarations(scope)
        scope.constants += [f"in[{k}]" for k in range(p.inputs)]
        scope.fixed.append(("in", p.inputs))
        if not p.inout:
            first += [Node("fixed", f"out[{j}] = $0;", [self.real(scope, 2)]) for j in range(p.outputs)]
        scope.arrays.append(("out", p.outputs))
        scope.returns = "return;"
        return scope, first

    def finish(self, scope):
        return [stmt("$0 += $1;", Node("lvalue", f"out[{j}]"), self.real(scope, 2)) for j in range(self.program.outputs)]

    def make(self):
        scope, first = self.start()
        body = self.statements(scope, 1 + self.budget // 2)
        self.program.body = first + body + self.finish(scope)
        return self.program

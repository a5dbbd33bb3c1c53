"""Heads with richer signatures than two pointers: scalars by value and reference, vectors, arrays, structs, a result.

The head is `f@_head`; around it stand adapters `f@`, `f@_d`, `f@_b` and `f@_b_d` with the driver's signatures, which say where each
independent and dependent is found in the arguments. A kind of its own, so that the seeds of the others stay what they are.
"""
from language import Language
from scope import Scope
from tree import Node

INDEPENDENTS = 7  # at most; FUZZ_DIRECTIONS is 8



class Parameter:
    """`fmt` declares the parameter, `local` the adapter's object; $ is the name. `reals` are the object's, as suffixes of its name."""

    def __init__(self, name, fmt, local, reals, writable, shadow=None):
        self.name, self.fmt, self.local, self.reals, self.writable = name, fmt, local, reals, writable
        self.shadow = shadow or local  # declares an object of the primal's shape
        self.inputs, self.outputs = {}, {}  # suffix -> number of the independent, of the dependent
        self.by_fields = False  # the head names fields, and not the parameter
        self.role = None  # in, out, inout or None

    @property
    def has_shadow(self):
        return self.role is not None or self.writable

    def named(self, suffixes):
        """What the head names for these independents or dependents."""
        return sorted({self.name + s.split("[")[0] for s in suffixes}) if self.by_fields else [self.name]


def objects(params, values, of=None):
    """Declarations of the arguments; the independents from `values`."""
    lines = []
    for p in params:
        lines.append(p.local.replace("$", p.name))
        lines += [f"{p.name}{s} = {values}[{k}];" for s, k in p.inputs.items()]
    return lines


def zeroed(p, name):
    return [p.shadow.replace("$", name)] + [f"{name}{s} = 0.0;" for s in p.reals]


def shadows(params, ending, values):
    lines = []
    for p in params:
        if p.has_shadow:
            lines += zeroed(p, p.name + ending) + [f"{p.name}{ending}{s} = {values}[{k}];" for s, k in p.inputs.items()]
    return lines


def results(params, ending, to):
    return [f"{to}[{j}] = {p.name}{ending}{s};" for p in params for s, j in p.outputs.items()]


def adjoint_shadows(params, ending, of_in, of_out):
    lines = []
    for p in params:
        if p.has_shadow:
            lines += zeroed(p, p.name + ending)
            if not p.writable:  # otherwise the shadow is the adjoint of what the object holds after the call
                lines += [f"{p.name}{ending}{s} = {of_in}[{k}];" for s, k in p.inputs.items()]
            lines += [f"{p.name}{ending}{s} = {of_out}[{j}];" for s, j in p.outputs.items()]
    return lines


def adjoint_results(params, ending, of_in, of_out, result):
    """What the driver asks for: an independent's adjoint, and zero for what was a dependent only."""
    lines = [f"{of_out}[{result}] = 0.0;"] * (result is not None)
    for p in params:
        for s, k in p.inputs.items():
            lines.append(f"{of_in}[{k}] {'+=' if p.writable else '='} {p.name}{ending}{s};")
        lines += [f"{of_out}[{j}] = 0.0;" for j in p.outputs.values()]
    return lines


def call(f, params, endings, *last):
    args = []
    for p in params:
        args += [p.name + e for e in (endings if p.has_shadow else endings[:1])]
    return f"{f}({', '.join(args + list(last))})"


def function(name, parameters, lines):
    return f"void {name}({parameters}) {{\n" + "".join("  " + x + "\n" for x in lines) + "}\n"


class Signature:
    """Where the independents and dependents of a program are found in its head's arguments."""

    def __init__(self, params, result):
        self.params, self.result = params, result  # result: the dependent's number, or None

    def independents(self):
        return [n for p in self.params if p.inputs for n in p.named(p.inputs)]

    def dependents(self):
        return [n for p in self.params if p.outputs for n in p.named(p.outputs)] + ["return"] * (self.result is not None)

    def head(self, f):
        return f"{f}({', '.join(self.independents())} -> {', '.join(self.dependents())})"

    def second(self, f):
        adjoints = [n.replace(p.name, p.name + "_b", 1) for p in self.params if p.inputs for n in p.named(p.inputs)]
        return f"{f}_b({', '.join(self.independents())} -> {', '.join(adjoints)})"

    def primal(self, name, f):
        result = f"out[{self.result}] = " if self.result is not None else ""
        return function(name, "const double* in, double* out",
                        objects(self.params, "in") + [result + call(f, self.params, [""]) + ";"] + results(self.params, "", "out"))

    def derivatives(self, name, f, second):
        params, r = self.params, self.result
        lines = objects(params, "in") + shadows(params, "_d", "in_d")
        if r is None:
            lines.append(call(f + "_d", params, ["", "_d"]) + ";")
        else:
            lines += [f"const auto [value, derivative] = {call(f + '_d', params, ['', '_d'])};", f"out[{r}] = value;", f"out_d[{r}] = derivative;"]
        lines += results(params, "", "out") + results(params, "_d", "out_d")
        tangent = function(name + "_d", "const double* in, const double* in_d, double* out, double* out_d", lines)
        seed = [f"out_b[{r}]"] if r is not None else []
        lines = objects(params, "in") + adjoint_shadows(params, "_b", "in_b", "out_b")
        lines.append((f"out[{r}] = " if r is not None else "") + call(f + "_b", params, ["", "_b"], *seed) + ";")
        lines += results(params, "", "out") + adjoint_results(params, "_b", "in_b", "out_b", r)
        adjoint = function(name + "_b", "const double* in, double* in_b, double* out, double* out_b", lines)
        return tangent + adjoint + (self.second_derivative(name, f) if second else "")

    def second_derivative(self, name, f):
        """The tangent of the adjoint, of a seed without a tangent."""
        params, r = self.params, self.result
        lines = objects(params, "in") + shadows(params, "_d", "in_d") + adjoint_shadows(params, "_b", "in_b", "out_b")
        lines += [x for p in params if p.has_shadow for x in zeroed(p, p.name + "_b_d")]
        made = call(f + "_b_d", params, ["", "_d", "_b", "_b_d"], *([f"out_b[{r}]"] if r is not None else []))
        lines += [made + ";"] if r is None else [f"const auto [value, derivative] = {made};", f"out[{r}] = value;", f"out_d[{r}] = derivative;"]
        lines += results(params, "", "out") + results(params, "_d", "out_d")
        lines += [f"in_b_d[{k}] += {p.name}_b_d{s};" for p in params for s, k in p.inputs.items()]
        lines.append("static_cast<void>(out_b_d);")
        return function(name + "_b_d", "const double* in, const double* in_d, double* in_b, double* in_b_d, double* out, double* out_d, "
                        "double* out_b, double* out_b_d", ["static_cast<void>(in_b);", "static_cast<void>(out_b);", "static_cast<void>(out_d);"] + lines)


class Heads(Language):
    def start(self):
        """Parameters in place of `in` and `out`."""
        p, scope = self.program, Scope()
        first = self.declarations(scope)
        self.inside = scope
        self.params, self.left_in, self.left_out = [], INDEPENDENTS, 4
        at, start = [], []
        while len(self.params) < self.rng.randint(2, 6) or not at or not start:
            if len(self.params) > 12:
                break
            self.add_parameter(scope, at, start)
        result = None
        if not start or self.chance(0.4):
            result, self.result_fixed = len(start), True
            start.append(0.0)
        p.inputs, p.outputs, p.inout = len(at), len(start), False
        p.at, p.start = at, start
        p.signature = Signature(self.params, result)
        scope.returns = "return 0.1;" if result is not None else "return;"
        # What is a dependent only is overwritten first, mostly.
        for q in self.params:
            if q.role == "out":
                first += [Node("fixed", f"{q.name}{s} = $0;", [self.real(scope, 1)]) for s in q.outputs if self.chance(0.8)]
        return scope, first

    PARAMETERS = [("value", 2), ("cref", 1), ("ref", 3), ("vector", 2), ("constVector", 1.5), ("vectorValue", 0.5), ("growing", 1), ("pointer", 2),
                  ("constPointer", 1.5), ("arrayRef", 1), ("stdArray", 1), ("struct", 2), ("constStruct", 1), ("int", 1), ("intRef", 0.4)]

    def add_parameter(self, scope, at, start):
        kind = self.rng.choices([k for k, _ in self.PARAMETERS], [w for _, w in self.PARAMETERS])[0]
        made = getattr(self, "p_" + kind)(scope, self.name("x"))
        if made is None:
            return
        self.params.append(made)
        if not made.reals:
            return
        roles = [("in", 4)] + [("inout", 3), ("out", 2), (None, 0.7)] * made.writable + [(None, 1)] * (not made.writable)
        made.role = self.rng.choices([r for r, _ in roles], [w for _, w in roles])[0]
        if made.role in ("in", "inout"):
            some = self.rng.sample(made.reals, min(len(made.reals), self.rng.randint(1, 3), INDEPENDENTS - len(at)))
            for s in sorted(some):
                made.inputs[s] = len(at)
                at.append(round(self.rng.uniform(-1.2, 1.2), 3))
        if made.role in ("out", "inout"):
            some = self.rng.sample(made.reals, min(len(made.reals), self.rng.randint(1, 2), 4 - len(start)))
            for s in sorted(some):
                made.outputs[s] = len(start)
                start.append(round(self.rng.uniform(-1.0, 1.0), 3))
        if made.role == "inout" and not (made.inputs and made.outputs) or made.role == "in" and not made.inputs or \
                made.role == "out" and not made.outputs:
            made.role = None if not made.inputs and not made.outputs else "in" if made.inputs else "out"
        made.by_fields = kind in ("struct", "constStruct") and self.chance(0.4)

    def numbers(self, n):
        return "{" + ", ".join(self.rng.choice(["0.3", "-0.2", "0.7", "0.1"]) for _ in range(n)) + "}"

    def p_value(self, scope, x):
        scope.reals.append(x)
        return Parameter(x, "double $", "double $ = 0.4;", [""], False)

    def p_cref(self, scope, x):
        scope.constants.append(x)
        return Parameter(x, "const double& $", "double $ = 0.4;", [""], False)

    def p_ref(self, scope, x):
        scope.reals.append(x)
        return Parameter(x, "double& $", "double $ = 0.4;", [""], True)

    def vector(self, scope, x, fmt, writable):
        (scope.arrays if writable or "&" not in fmt else scope.fixed).append((x, self.n))
        if "&" in fmt and not writable:
            return Parameter(x, fmt, f"std::vector<double> $ = {self.numbers(self.n)};", [f"[{k}]" for k in range(self.n)], writable)
        self.vectors = getattr(self, "vectors", []) + [x]
        return Parameter(x, fmt, f"std::vector<double> $ = {self.numbers(self.n)};", [f"[{k}]" for k in range(self.n)], writable)

    def p_vector(self, scope, x):
        return self.vector(scope, x, "std::vector<double>& $", True)

    def p_constVector(self, scope, x):
        return self.vector(scope, x, "const std::vector<double>& $", False)

    def p_vectorValue(self, scope, x):
        return self.vector(scope, x, "std::vector<double> $", False)

    def p_growing(self, scope, x):
        scope.growing.append(x)
        return Parameter(x, "std::vector<double>& $", f"std::vector<double> $ = {self.numbers(self.n)};", [f"[{k}]" for k in range(self.n)], True)

    def array(self, scope, x, fmt, writable, local="double $[N] = "):
        (scope.arrays if writable else scope.fixed).append((x, self.n))
        return Parameter(x, fmt.replace("N", str(self.n)), local.replace("N", str(self.n)) + self.numbers(self.n) + ";",
                         [f"[{k}]" for k in range(self.n)], writable)

    def p_pointer(self, scope, x):
        return self.array(scope, x, "double* $", True)

    def p_constPointer(self, scope, x):
        return self.array(scope, x, self.rng.choice(["const double* $", "const double* const $"]), False)

    def p_arrayRef(self, scope, x):
        writable = self.chance(0.6)
        return self.array(scope, x, "double (&$)[N]" if writable else "const double (&$)[N]", writable)

    def p_stdArray(self, scope, x):
        writable = self.chance(0.6)
        made = self.array(scope, x, "std::array<double, N>& $" if writable else "const std::array<double, N>& $", writable,
                          "std::array<double, N> $ = ")
        if writable:
            self.std_arrays.append(x)
        return made

    def p_struct(self, scope, x):
        if not self.records:
            return None
        record = self.rng.choice(self.records)
        by_value = self.chance(0.2)
        record.add_to(scope, x)
        return Parameter(x, f"{record.name} $" if by_value else f"{record.name}& $", f"{record.name} $;", self.reals_of(record), not by_value)

    def p_constStruct(self, scope, x):
        if not self.records:
            return None
        record, seen = self.rng.choice(self.records), Scope()
        record.add_to(seen, x)
        scope.constants += seen.reals
        scope.fixed += seen.arrays
        return Parameter(x, f"const {record.name}& $", f"{record.name} $;", self.reals_of(record), False)

    def reals_of(self, record):
        seen = Scope()
        record.add_to(seen, "")
        return seen.reals + [f"{a}[{k}]" for a, size in seen.arrays for k in range(size)]

    def p_int(self, scope, x):
        scope.counters.append((x, 4))
        return Parameter(x, self.rng.choice(["int $", "const int& $"]), f"int $ = {self.rng.randrange(4)};", [], False)

    def p_intRef(self, scope, x):
        scope.ints.append(x)
        return Parameter(x, "int& $", f"int $ = {self.rng.randrange(4)};", [], False)

    def finish(self, scope):
        """The dependents get something at the end, and the result."""
        end = []
        for q in self.params:
            end += [Node("stmt", f"{q.name}{s} += $0;", [self.real(scope, 1)]) for s in q.outputs]
        if self.program.signature.result is not None:
            end.append(Node("fixed", "return $0;", [Node("real", "double($0)", [self.tame(scope)])]))
        return end

    def make(self):
        made = super().make()
        made.parameters = ", ".join(q.fmt.replace("$", q.name) for q in self.params)
        return made

"""Nests of loops over boxes that read around themselves: their adjoints add to elements around an iteration. A kind of its own.

Ends of loops are integers of the run, so that boxes are empty, one wide, or wider than a strip. Without OpenMP anything may overlap:
arrays in one workspace, rows whose distance is smaller than their width, a target that is read beside the own place. In a parallel
loop an iteration writes at its own place alone, and reads other arrays anywhere.
"""
from serial import Serial
from tree import Node, Program, stmt

COUNTERS = "ijk"


class Grid:
    """Axes with their extents, the distances of elements along them, and how an element of an array is written.

    `distances`: (text, number) for each axis. `rows`: the numbers in `[N][M]`, or None if arrays are flat. `parts`: the components of an
    element, `planes`: whether those of one kind lie together.
    """

    def __init__(self, s):
        rng, self.tag = s.rng, s.name("")
        self.axes = rng.choice([1, 1, 2, 2, 2, 2, 3])
        small, wide = [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 5, 9, 33, 34, 36, 38, 41, 67]
        self.extents = [rng.choice(small[4:] if s.chance(0.8) else small) for _ in range(self.axes - 1)]
        self.extents.append(rng.choice(wide[3:] if s.chance(0.8) else wide))
        if self.axes == 3:
            self.extents = [min(e, 6) for e in self.extents[:2]] + [min(self.extents[2], 38)]
        self.names = [f"n{a}_{self.tag}" for a in COUNTERS[:self.axes]]
        self.numbers = dict(zip(self.names, self.extents))
        self.parts = rng.choice([1, 1, 1, 1, 1, 2, 3])
        self.planes = s.chance(0.4)
        self.rows, self.apart = None, True
        if self.axes > 1 and s.chance(0.25):
            self.rows, self.parts = [max(1, e) + rng.choice([0, 0, 1]) for e in self.extents], 1
            self.size = None
            return
        self.distances = [("", 1)]
        for axis in range(self.axes - 2, -1, -1):
            text, number = self.distances[0]
            width, name = self.extents[axis + 1], self.names[axis + 1]
            roll = rng.random()
            if roll < 0.6:
                made = f"{text} * {name}" if text else name
                self.distances.insert(0, (f"({made})" if text else made, number * width))
            else:
                more = roll < 0.8 or not s.overlaps
                number = number * width + (rng.choice([1, 2, 5]) if more else -rng.choice([1, 2, number * width // 2, number * width]))
                number = max(number, 0)
                ld = f"ld{axis}_{self.tag}"
                self.numbers[ld] = number
                self.distances.insert(0, (ld, number))
        if self.axes == 2 and s.chance(0.15):  # columns lie together
            self.distances, self.apart = [("", 1), (self.names[0], self.extents[0])], True
        else:
            self.apart = all(self.distances[a][1] >= self.distances[a + 1][1] * self.extents[a + 1] for a in range(self.axes - 1))
        self.size = 1 + sum(max(0, e - 1) * d for e, (_, d) in zip(self.extents, self.distances))
        if self.parts > 1 and self.planes:
            self.numbers[f"plane{self.tag}"] = self.size
        self.size *= self.parts


def plus(text, number):
    return text if number == 0 else f"{text} {'+' if number > 0 else '-'} {abs(number)}"


class Array:
    def __init__(self, name, kind, number, start=None):
        self.name, self.kind, self.number, self.start = name, kind, number, start  # `start`: in the workspace


class Stencils(Serial):
    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.program = Program(rng.randint(2, 4), rng.randint(1, 2), rng.random() < 0.2)
        self.parallel = rng.random() < 0.3
        self.overlaps = not self.parallel and rng.random() < 0.4
        self.single = rng.random() < 0.12
        self.program.features.add("openmp")
        if self.single:
            self.program.features.add("float")

    # --- arrays -----------------------------------------------------------------------------------------------------------

    def make_arrays(self, grid):
        """Their declarations; all of a grid can be exchanged for each other, if they are of one number type."""
        number = "float" if self.single else "double"
        count, out = self.rng.randint(3, 5), []
        grid.arrays, grid.storage = [], self.rng.choice(["vector", "vector", "local", "workspace", "array"])
        if grid.rows:
            grid.storage = "rows"
        if grid.storage == "workspace":
            starts, at = [], 0
            for _ in range(count):
                starts.append(at)
                row = max(1, grid.distances[0][1])
                at += self.rng.choice([grid.size, grid.size, max(0, grid.size - row), grid.size // 2, row, 1] if self.overlaps
                                      else [grid.size, grid.size, grid.size + 3])
            w = self.name("work")
            out.append(Node("fixed", f"std::vector<{number}> {w}({max(starts) + grid.size});"))
            for start in starts:
                name = self.name("u")
                out.append(Node("fixed", f"{number}* {name} = {self.rng.choice([f'{w}.data() + {start}', f'&{w}[{start}]'])};"))
                grid.arrays.append(Array(name, "pointer", number, start))
        for _ in range(count if grid.storage != "workspace" else 0):
            name, kind = self.name("u"), number
            if self.single and self.chance(0.3):
                kind = "double"
            if grid.storage == "rows":
                out.append(Node("fixed", f"{kind} {name}{''.join(f'[{r}]' for r in grid.rows)};"))
            elif grid.storage == "vector":
                out.append(Node("fixed", f"std::vector<{kind}> {name}({grid.size});"))
            elif grid.storage == "array":
                out.append(Node("fixed", f"std::array<{kind}, {grid.size}> {name};"))
            else:
                out.append(Node("fixed", f"{kind} {name}[{grid.size}];"))
            grid.arrays.append(Array(name, grid.storage, kind))
        for array in grid.arrays:
            array.passive = self.chance(0.15)
            e = "0.4 + 0.05 * (q % 7)" if array.passive else self.rng.choice(
                [f"in[q % {self.program.inputs}] * (0.5 + 0.01 * (q % 9))", "std::sin(in[0] + 0.1 * q) * in[1]",
                 "in[1] * (0.2 + 0.03 * (q % 11)) - 0.3 * in[0]"])
            out.append(Node("fixed", self.over(grid, array, lambda element: f"{element} = {e};")))
        return out

    def over(self, grid, array, statement):
        """A statement for all elements of an array; q counts them."""
        if not grid.rows:
            return f"for (int q = 0; q < {grid.size}; ++q) {statement(array.name + '[q]')}"
        heads = "".join(f"for (int r{k} = 0; r{k} < {r}; ++r{k}) " for k, r in enumerate(grid.rows))
        place = " + ".join([f"r{k}" if k == grid.axes - 1 else f"{3 + 4 * k} * r{k}" for k in range(grid.axes)])
        return f"{heads}{{\nconst int q = {place};\n{statement(array.name + ''.join(f'[r{k}]' for k in range(grid.axes)))}\n}}"

    # --- elements ---------------------------------------------------------------------------------------------------------

    def coordinate(self, nest, axis, offset, scaled):
        c, n = nest.counters[axis], nest.grid.names[axis]
        if scaled:
            return plus(f"2 * {c}", offset)
        return plus(f"{n} - 1 - {c}", offset) if nest.down[axis] else plus(c, offset)

    def element(self, nest, array, offsets, part=None):
        """The element of an array, at offsets from an iteration's own place."""
        grid = nest.grid
        part = self.rng.randrange(grid.parts) if part is None else part
        scaled = [nest.scaled.get((array, axis), False) for axis in range(grid.axes)]
        at = [self.coordinate(nest, axis, offsets[axis], scaled[axis]) for axis in range(grid.axes)]
        if grid.rows:
            return array + "".join(f"[{c}]" for c in at)
        plain = not any(scaled)
        if plain and nest.at and self.chance(0.8):
            index = self.shifted(nest, nest.at, offsets, range(grid.axes))
        elif plain and nest.row and offsets[0] == 0 and self.chance(0.7):
            index = f"{nest.row} + {at[1]}"
        elif plain and nest.row and self.chance(0.7):
            index = self.shifted(nest, nest.row, offsets, [0]) + f" + {at[1]}"
        else:
            index = self.sum_of(grid, at)
        if grid.parts == 1:
            return f"{array}[{index}]"
        if grid.planes:
            plane = f"plane{grid.tag}"
            return f"{array}[{self.rng.choice([index if part == 0 else f'{part} * {plane} + {index}', f'{part} * {plane} + ({index})'])}]"
        index = f"({index})" if " " in index else index
        return f"{array}[{plus(self.rng.choice([f'{grid.parts} * {index}', f'{index} * {grid.parts}']), part)}]"

    def sum_of(self, grid, at):
        factors = []
        for c, (text, _) in zip(at, grid.distances):
            c = f"({c})" if " " in c and text else c
            factors.append(c if not text else self.rng.choice([f"{c} * {text}", f"{text} * {c}"]))
        return " + ".join(factors)

    def shifted(self, nest, name, offsets, axes):
        text = name
        for axis in axes:
            d = offsets[axis]
            if d:
                distance = nest.grid.distances[axis][0]
                size = abs(d)
                shift = str(size) if not distance else distance if size == 1 else f"{size} * {distance}"
                text += f" {'+' if d > 0 else '-'} {shift}"
        return text

    # --- right-hand sides -------------------------------------------------------------------------------------------------

    def offsets(self, nest):
        out = []
        for axis in range(nest.grid.axes):
            low, high = nest.reach[axis]
            out.append(0 if self.chance(0.4) else self.rng.randint(-low, high))
        return out

    def factor(self, nest):
        """At most one or so in magnitude."""
        roll = self.rng.random()
        if roll < 0.4 or not nest.factors:
            return self.rng.choice(["0.3", "0.25", "0.15", "-0.2", "0.1", "-0.35"])
        return self.rng.choice(nest.factors)

    def read(self, nest):
        name = self.rng.choice(nest.sources)
        return Node("real", self.element(nest, name, self.offsets(nest)))

    def term(self, nest):
        roll, read = self.rng.random(), self.read(nest)
        if nest.cheap:
            roll = roll * 0.8 if self.chance(0.2) else 0.15 + 0.45 * roll
        if nest.values and roll < 0.15:
            return Node("real", f"{self.factor(nest)} * {self.rng.choice(nest.values)}")
        if roll < 0.6:
            return Node("real", f"{self.factor(nest)} * $0", [read])
        if roll < 0.72:
            return Node("real", f"{self.rng.choice(['0.2', '-0.15'])} * $0 * $1", [read, self.read(nest)])
        if roll < 0.8:
            return Node("real", f"{self.rng.choice(['0.2', '-0.1'])} * ($0 - $1) * $2", [read, self.read(nest), self.read(nest)])
        if roll < 0.9:
            return Node("real", f"{self.factor(nest)} * ($0 {self.rng.choice('+-')} $1)", [read, self.read(nest)])
        if roll < 0.94:
            return Node("real", "0.2 * std::sin($0)", [read])
        if roll < 0.97:
            return Node("real", "0.3 / (1.5 + $0 * $0)", [read])
        return Node("real", f"0.1 * ({nest.counters[-1]} % 3)")

    def value(self, nest):
        terms = [self.term(nest) for _ in range(self.rng.choice([1, 2, 3, 3, 4, 5]))]
        out = terms[0]
        for t in terms[1:]:
            out = Node("real", f"$0 {self.rng.choice('++-')} $1", [out, Node("real", "($0)", [t])])
        return out

    # --- a nest -----------------------------------------------------------------------------------------------------------

    def head(self, nest, axis, outer):
        """A loop along an axis, whose counter stays where all offsets lead to elements."""
        grid, c, n = nest.grid, nest.counters[axis], nest.grid.names[axis]
        low, high = nest.reach[axis]
        parallel = nest.parallel
        if any(nest.scaled.get((a, axis)) for a in nest.names):
            return f"for (int {c} = {low}; {c} < {n} / 2 - {high}; ++{c})"
        first, end = str(low), plus(n, -high)
        roll = self.rng.random()
        if outer and not parallel and not nest.down[axis] and roll < 0.12:
            o = f"static_cast<int>({self.rng.choice(outer)})"
            return self.rng.choice([f"for (int {c} = {first}; {c} < std::min({end}, {o} + {self.rng.randint(0, 3)}); ++{c})",
                                    f"for (int {c} = std::max({first}, {o} - 1); {c} < {end}; ++{c})"])
        if roll < 0.2:
            first = self.name("first")
            nest.before.append(f"const int {first} = {low};")
        elif roll < 0.3:
            e = self.name("end")
            nest.before.append(f"const int {e} = {end};")
            end = e
        roll = self.rng.random()
        step = self.rng.choice(["2", "2", "3"]) if self.chance(0.08) else None
        if roll < 0.55:
            kind = self.rng.choice(["int", "int", "int", "int", "long"])
            return f"for ({kind} {c} = {first}; {c} < {end}; {c + ' += ' + step if step else '++' + c})"
        if roll < 0.65:
            return f"for (int {c} = {first}; {c} <= {end} - 1; {c + ' += ' + step if step else c + '++'})"
        if roll < 0.72:
            return f"for (int {c} = {first}; {end} > {c}; ++{c})"
        if roll < 0.745 and not parallel:
            return f"for ({self.rng.choice(['std::size_t', 'unsigned'])} {c} = {low}; {plus(c, high)} < static_cast<unsigned>({n}); ++{c})"
        if roll < 0.9:
            return f"for (int {c} = {end} - 1; {c} >= {first}; {c + ' -= ' + step if step else '--' + c})"
        return f"for (int {c} = {end} - 1; {c} > {first} - 1; {c}--)"

    class Nest:
        pass

    def make_nest(self, grid, names, parallel, scalar, rates=False):
        """names: of arrays; the first ones are written. The text of loops, as a statement."""
        nest = self.Nest()
        nest.grid, nest.names, nest.parallel, nest.before = grid, names, parallel, []
        nest.counters = [self.name(c) for c in COUNTERS[:grid.axes]]
        nest.reach = [(self.rng.choice([0, 1, 1, 1, 2]), self.rng.choice([0, 1, 1, 1, 2])) for _ in range(grid.axes)]
        nest.down = [self.chance(0.08) for _ in range(grid.axes)]
        for axis in range(grid.axes):
            if nest.down[axis]:
                nest.reach[axis] = (max(nest.reach[axis]),) * 2
        nest.scaled = {}
        if self.chance(0.1):
            axis = self.rng.randrange(grid.axes)
            nest.down[axis] = False
            if not parallel or axis > 0:
                low, high = nest.reach[axis]
                nest.reach[axis] = (low, max(1, high))
                nest.scaled = {(a, axis): True for a in names if self.chance(0.5)}
        order = list(range(grid.axes))
        if not parallel and self.chance(0.15):
            self.rng.shuffle(order)
        count = 2 if len(names) > 3 and self.chance(0.3) else 1
        targets = names[:count]
        reads = names[count:]
        nest.sources = reads if parallel or self.chance(0.8) else names
        own = [0] * grid.axes
        body, nest.at, nest.row, nest.values = [], None, None, []
        nest.factors = ["r", "r"] if rates else []
        nest.cheap = self.chance(0.75)
        flat = not grid.rows and not nest.scaled
        row = None
        if flat and self.chance(0.4):
            at = self.name("at")
            type_ = self.rng.choice(["int", "int", "int", "long", "auto"])
            body.append(Node("fixed", f"const {type_} {at} = {self.sum_of(grid, [self.coordinate(nest, a, 0, False) for a in range(grid.axes)])};"))
            nest.at = at
        elif flat and grid.axes == 2 and order == [0, 1] and grid.distances[0][0] and self.chance(0.5):
            nest.row = self.name("row")
            row = f"const int {nest.row} = {self.sum_of(grid, [self.coordinate(nest, 0, 0, False), '0']).replace(' + 0', '')};"
        for _ in range(self.rng.choice([0, 0, 0, 0, 1, 2])):
            t = self.name("t")
            body.append(Node("fixed", f"const double {t} = $0;", [self.value(nest)]))
            nest.values.append(t)
        for target in targets:
            for part in range(grid.parts) if self.chance(0.6) else [self.rng.randrange(grid.parts)]:
                where = own if parallel or self.chance(0.85) else self.offsets(nest)
                place = self.element(nest, target, where, part)
                form = self.rng.choice(["$0 = $1;", "$0 = $1;", "$0 = $1;", "$0 += $1;", "$0 -= $1;", "$0 = 0.5 * $0 + $1;", "$0 *= 0.9;"])
                if self.chance(0.05):
                    form = f"if ({nest.counters[0]} % 2 == 0) {form}"
                body.append(stmt(form, Node("lvalue", place), self.value(nest)))
        if scalar:
            body.append(stmt(f"{scalar} += {self.rng.choice(['0.1', '0.05'])} * $0;", self.term(nest)))
        heads, seen = [], []
        for axis in order:
            heads.append(self.head(nest, axis, seen))
            seen.append(nest.counters[axis])
        text = "\n".join(nest.before) + "\n" * bool(nest.before)
        if parallel:
            clauses = self.rng.choice(["", "", "schedule(static)", "schedule(static, 1)", "schedule(dynamic)", "schedule(guided)"])
            if grid.axes > 1 and not row and self.chance(0.25):
                clauses += " collapse(2)"
            if scalar:
                clauses += f" reduction(+ : {scalar})"
            text += f"#pragma omp parallel for {clauses}\n"
        if row:
            return stmt(f"{text}{heads[0]} {{\n{row}\n{heads[1]} $A\n}}", blocks=[body])
        return stmt(text + "\n".join(heads) + " $A", blocks=[body])

    # --- nests in functions and beside each other -----------------------------------------------------------------------------

    def chosen(self, grid, parallel):
        """Arrays for a nest: the targets first."""
        arrays = self.rng.sample(grid.arrays, min(self.rng.choice([2, 2, 2, 3, 3, 4]), len(grid.arrays)))
        if not parallel and self.overlaps and self.chance(0.3):
            arrays[-1] = arrays[0]
        return arrays

    def parameter(self, grid, array, name, constant, restrict):
        const = "const " * constant
        if grid.rows:
            tail = "".join(f"[{r}]" for r in grid.rows[1:])
            return f"{const}{array.number} (*{name}){tail}" if self.chance(0.5) else f"{const}{array.number} {name}[]{tail}"
        if array.kind == "vector" and not restrict and self.chance(0.4):
            return f"{const}std::vector<{array.number}>& {name}"
        return f"{const}{array.number}* {'__restrict__ ' * restrict}{name}"

    def function(self, grid, arrays, parallel):
        """A function with a nest: a call of it, for arrays of the same types."""
        name, names = self.name("h@_"), [self.name("p") for _ in arrays]
        distinct = len({a.name for a in arrays}) == len(arrays) and (grid.storage != "workspace" or not self.overlaps)
        restrict = distinct and not grid.rows and self.chance(0.3)
        scalar = self.rng.choice(["reference", "result"]) if self.chance(0.25) else None
        nest = self.make_nest(grid, names, parallel, "s" if scalar else None, True)
        rates = self.rates if self.chance(0.2) else ["0.2", "-0.25"]  # active ones are added up
        parameters = [f"int {n}" for n in grid.numbers] + ["double r"]
        texts = [self.parameter(grid, a, p, k > 1 and self.chance(0.7), restrict and self.chance(0.9))
                 for k, (a, p) in enumerate(zip(arrays, names))]
        parameters += texts + ["double& s"] * (scalar == "reference")
        block = [nest]
        if scalar == "result":
            block = [Node("fixed", "double s = 0.0;"), nest, Node("fixed", "return s;")]
        self.program.decls.append(Node("decl", f"{'double' if scalar == 'result' else 'void'} {name}({', '.join(parameters)}) $A", blocks=[block]))
        plain = [grid.rows is not None or "vector<" in t for t in texts]

        def call(actual):
            values = [n for n in grid.numbers] + [self.rng.choice(rates)]
            values += [a if p else self.address(grid, arrays[0], a) for a, p in zip(actual, plain)]
            if scalar == "reference":
                values.append("sum")
            return f"{'sum += 0.3 * ' * (scalar == 'result')}{name}({', '.join(values)});"

        return call

    def address(self, grid, like, name):
        return f"{name}.data()" if like.kind in ("vector", "array") else name

    def loop_over_time(self, grid, parallel):
        same = [a for a in grid.arrays if a.number == grid.arrays[0].number]
        if len(same) < 3 or grid.rows:
            return None
        a, b, *others = self.rng.sample(same, 3)
        arrays, step = [a, b] + others, self.name("step")
        call = self.function(grid, arrays, parallel)
        how = self.rng.choice(["pointers", "swap", "both", "copy"])
        if a.kind != "vector" and how != "both":
            how = "pointers"
        if how == "pointers" and a.kind == "vector" and "vector<" in self.program.decls[-1].fmt:
            how = "swap"
        steps = f"for (int {step} = 0; {step} < {self.rng.randint(2, 3)}; ++{step})"
        if how == "both":
            return stmt(f"{steps} {{\n{call([x.name for x in arrays])}\n{call([b.name, a.name] + [o.name for o in others])}\n}}")
        if how == "pointers":
            p, q = self.name("p"), self.name("p")
            make = [self.address(grid, a, x.name) for x in (a, b)]
            plain = call(["PTRA", "PTRB"] + [o.name for o in others])
            for mark, pointer in (("PTRA", p), ("PTRB", q)):
                plain = plain.replace(f"{mark}.data()", pointer).replace(mark, pointer)
            return stmt(f"{{\n{a.number}* {p} = {make[0]};\n{a.number}* {q} = {make[1]};\n{steps} {{\n{plain}\n"
                        f"{self.rng.choice([f'std::swap({p}, {q});', f'{a.number}* t = {p}; {p} = {q}; {q} = t;'])}\n}}\n}}")
        last = f"{a.name} = {b.name};" if how == "copy" else self.rng.choice([f"std::swap({a.name}, {b.name});", f"{a.name}.swap({b.name});"])
        return stmt(f"{steps} {{\n{call([x.name for x in arrays])}\n{last}\n}}")

    def make(self):
        p = self.program
        p.at = [round(self.rng.uniform(-1.2, 1.2), 3) for _ in range(p.inputs)]
        p.start = [round(self.rng.uniform(-1.0, 1.0), 3) for _ in range(p.outputs)]
        first = [Node("fixed", f"out[{j}] = 0.0;") for j in range(p.outputs)] if not p.inout else []
        first += [Node("fixed", "double sum = 0.1;\ndouble r = 0.3 * std::sin(in[0]);")]
        self.rates = ["r", "0.2", "0.3 * in[1]", "-0.25"]
        body, end = [], []
        for _ in range(self.rng.choice([1, 1, 2])):
            grid = Grid(self)
            for name, number in grid.numbers.items():
                first.append(Node("fixed", f"{self.rng.choice(['int', 'int', 'const int'])} {name} = {number};"))
            first += self.make_arrays(grid)
            for _ in range(self.rng.randint(2, 4)):
                parallel = self.parallel and grid.apart and self.chance(0.8)
                made = self.loop_over_time(grid, parallel) if self.chance(0.3) else None
                if made is None:
                    arrays = self.chosen(grid, parallel)
                    if self.chance(0.6):
                        made = stmt(self.function(grid, arrays, parallel)([a.name for a in arrays]))
                    else:
                        nest = self.make_nest(grid, [a.name for a in arrays], parallel, self.rng.choice([None, None, None, "sum"]))
                        made = stmt("$A", blocks=[[nest]])
                body.append(made)
            for array in grid.arrays:
                j = self.rng.randrange(p.outputs)
                form = self.rng.choice(["0.3 * $", "(0.1 + 0.02 * (q % 9)) * $", "0.2 * $ * $"])
                end.append(stmt(self.over(grid, array, lambda element: f"out[{j}] += {form.replace('$', element)};")))
        end.append(stmt(f"out[{self.rng.randrange(p.outputs)}] += sum;"))
        p.body = first + body + end
        return p

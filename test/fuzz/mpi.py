"""Random MPI programs, free of deadlocks by construction.

Communication stands at the top or in loops with fixed bounds, in the same order on each rank; each statement has both of its
sides. What a rank computes in between depends on its number and its data.
"""
from serial import Serial
from tree import Node, stmt

WORLD = "MPI_COMM_WORLD"
IGNORE = "MPI_STATUS_IGNORE"


class Mpi(Serial):
    LOCAL = [("assign", 6), ("update", 5), ("scalar", 3), ("array", 1.5), ("integer", 1.5), ("branch", 2.5), ("loop", 3),
             ("while", 0.5), ("switch", 0.5), ("reference", 0.6), ("pointer", 0.6), ("swap", 0.5), ("record", 0.5), ("call", 2),
             ("vector", 0.7), ("method", 0.5), ("leave", 0.5)]
    TALK = [("shift", 4), ("halo", 4), ("pipeline", 2), ("toRoot", 1.5), ("bcast", 2), ("reduce", 2), ("allreduce", 3),
            ("gather", 1), ("allgather", 1.5), ("scatter", 1), ("barrier", 0.4), ("exchange2", 2), ("integers", 0.5)]

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.floats = False
        self.n = rng.choice([4, 5, 6])
        self.program.inputs, self.program.outputs = rng.randint(2, 3), rng.randint(1, 2)
        self.program.features.add("mpi")
        self.tags = 0

    def tag(self):
        self.tags += 1
        return self.tags

    def neighbours(self):
        return self.rng.choice([("left", "right"), ("left", "right"), ("(rank + size - 1) % size", "(rank + 1) % size")])

    def buffers(self, scope, count):
        names = [a for a, s in scope.arrays if s == self.n and not a.startswith(("p", "out")) and "." not in a]
        names = sorted(set(names))
        return self.rng.sample(names, count) if len(names) >= count else None

    def address(self, a, offset):
        return f"&{a}[{offset}]"

    # --- point to point ---------------------------------------------------------------------------------------------------

    def st_shift(self, scope):
        found = self.buffers(scope, 2)
        if not found:
            return None
        (a, b), (left, right), tag = found, self.neighbours(), self.tag()
        count = self.rng.randint(1, 2)
        return stmt(f"MPI_Sendrecv({self.address(a, self.rng.randrange(self.n - count))}, {count}, MPI_DOUBLE, {right}, {tag}, "
                    f"{self.address(b, self.rng.randrange(self.n - count))}, {count}, MPI_DOUBLE, {left}, {tag}, {WORLD}, {IGNORE});")

    def st_halo(self, scope):
        """The ends of one array from the neighbours, nonblocking, waits in some order."""
        found = self.buffers(scope, 1)
        if not found:
            return None
        u, requests, (left, right) = found[0], self.name("req"), self.neighbours()
        t1, t2 = self.tag(), self.tag()
        calls = [f"MPI_Irecv(&{u}[0], 1, MPI_DOUBLE, {left}, {t1}, {WORLD}, &{requests}[0]);",
                 f"MPI_Irecv(&{u}[{self.n - 1}], 1, MPI_DOUBLE, {right}, {t2}, {WORLD}, &{requests}[1]);",
                 f"MPI_Isend(&{u}[{self.n - 2}], 1, MPI_DOUBLE, {right}, {t1}, {WORLD}, &{requests}[2]);",
                 f"MPI_Isend(&{u}[1], 1, MPI_DOUBLE, {left}, {t2}, {WORLD}, &{requests}[3]);"]
        self.rng.shuffle(calls)
        between = scope.inner(loops=0)
        between.arrays = [(a, s) for a, s in scope.arrays if a.startswith("a") and a != u]
        between.reals = [r for r in scope.reals if r.startswith("t")]
        between.fixed = self.inputs_of(scope)
        between.constants = [c for c in scope.constants if c.startswith("in[")]
        between.structs, between.pointers, between.lambdas, between.calls = [], [], [], []
        middle = self.statements(between, self.rng.randint(0, 2), [("assign", 2), ("update", 2)])
        if self.chance(0.6):
            wait = f"MPI_Waitall(4, {requests}, MPI_STATUSES_IGNORE);"
        else:
            order = [0, 1, 2, 3]
            self.rng.shuffle(order)
            wait = "\n".join(f"MPI_Wait(&{requests}[{k}], {IGNORE});" for k in order)
        return stmt("$A", blocks=[[Node("fixed", f"MPI_Request {requests}[4];\n" + "\n".join(calls)), *middle,
                                   Node("fixed", wait)]])

    def st_exchange2(self, scope):
        """Nonblocking one way, blocking the other."""
        found = self.buffers(scope, 2)
        if not found:
            return None
        (a, b), (left, right), tag, request = found, self.neighbours(), self.tag(), self.name("req")
        count = self.rng.randint(1, self.n)
        forms = [f"MPI_Isend({a}, {count}, MPI_DOUBLE, {right}, {tag}, {WORLD}, &{request});\n"
                 f"MPI_Recv({b}, {count}, MPI_DOUBLE, {left}, {tag}, {WORLD}, {IGNORE});",
                 f"MPI_Irecv({b}, {count}, MPI_DOUBLE, {left}, {tag}, {WORLD}, &{request});\n"
                 f"MPI_Send({a}, {count}, MPI_DOUBLE, {right}, {tag}, {WORLD});"]
        text = self.rng.choice(forms).replace(f"({a},", f"(&{a}[0],").replace(f"({b},", f"(&{b}[0],")
        return stmt(f"{{\nMPI_Request {request};\n{text}\nMPI_Wait(&{request}, {IGNORE});\n}}")

    def st_pipeline(self, scope):
        found = self.buffers(scope, 1)
        if not found:
            return None
        a, tag, count = found[0], self.tag(), self.rng.randint(1, self.n)
        self.budget += 2
        middle = self.statements(scope.inner(loops=0, returns=None), self.rng.randint(1, 2), self.LOCAL[:2])
        source = "MPI_ANY_SOURCE" if self.chance(0.15) else "left"
        receive = f"MPI_Recv(&{a}[0], {count}, MPI_DOUBLE, {source}, {tag}, {WORLD}, {IGNORE});"
        if source != "left":
            receive = f"if (rank > 0) {receive}"
        return stmt("$A", blocks=[[Node("fixed", receive), *middle,
                                   Node("fixed", f"MPI_Send(&{a}[0], {count}, MPI_DOUBLE, right, {tag}, {WORLD});")]])

    def st_toRoot(self, scope):
        found = self.buffers(scope, 2)
        if not found or not scope.reals:
            return None
        (a, b), tag, r = found, self.tag(), self.name("r")
        send = self.rng.choice(["MPI_Send", "MPI_Ssend"])
        inner = scope.inner(loops=0, returns=None)
        inner.constants += [f"{b}[0]", f"{b}[1]"]
        self.budget += 2
        body = [Node("fixed", f"MPI_Recv(&{b}[0], 2, MPI_DOUBLE, {r}, {tag}, {WORLD}, {IGNORE});")]
        body += self.statements(inner, self.rng.randint(1, 2), self.LOCAL[:2])
        return stmt(f"if (rank == 0)\nfor (int {r} = 1; {r} < size; ++{r}) $A\nelse {{ {send}(&{a}[0], 2, MPI_DOUBLE, 0, {tag}, {WORLD}); }}",
                    blocks=[body])

    # --- collectives ------------------------------------------------------------------------------------------------------

    def root(self):
        return self.rng.choice(["0", "0", "size - 1", "1 % size"])

    def operation(self):
        return self.rng.choice(["REAL_SUM", "REAL_SUM", "REAL_SUM", "REAL_MAX", "REAL_MIN"])

    def st_bcast(self, scope):
        found = self.buffers(scope, 1)
        return found and stmt(f"MPI_Bcast(&{found[0]}[0], {self.rng.randint(1, self.n)}, MPI_DOUBLE, {self.root()}, {WORLD});")

    def st_reduce(self, scope):
        found = self.buffers(scope, 2)
        return found and stmt(f"MPI_Reduce(&{found[0]}[0], &{found[1]}[0], {self.rng.randint(1, self.n)}, MPI_DOUBLE, "
                              f"{self.operation()}, {self.root()}, {WORLD});")

    def st_allreduce(self, scope):
        found = self.buffers(scope, 2)
        if not found:
            return None
        source = "MPI_IN_PLACE" if self.chance(0.3) else f"&{found[0]}[0]"
        return stmt(f"MPI_Allreduce({source}, &{found[1]}[0], {self.rng.randint(1, self.n)}, MPI_DOUBLE, {self.operation()}, {WORLD});")

    def wide(self, scope, form):
        """A collective with a buffer for all ranks, of which something is used afterwards."""
        found = self.buffers(scope, 1)
        place = self.place(scope)
        if not found or place is None:
            return None
        w, count = self.name("wide"), self.rng.randint(1, 2)
        fill = self.name("i")
        inner = scope.inner()
        inner.counters.append((fill, 8))
        text = form.replace("WIDE", w).replace("BUFFER", f"&{found[0]}[0]").replace("COUNT", str(count)).replace("ROOT", self.root())
        return [stmt(f"double {w}[8];\nfor (int {fill} = 0; {fill} < 8; ++{fill}) {w}[{fill}] = $0;", self.tame(inner)),
                Node("fixed", text), stmt(f"$0 += {w}[$1] * {w}[(rank + 1) % size];", place, Node("int", str(self.rng.randrange(4))))]

    def st_gather(self, scope):
        return self.wide(scope, f"MPI_Gather(BUFFER, COUNT, MPI_DOUBLE, WIDE, COUNT, MPI_DOUBLE, ROOT, {WORLD});")

    def st_allgather(self, scope):
        return self.wide(scope, f"MPI_Allgather(BUFFER, COUNT, MPI_DOUBLE, WIDE, COUNT, MPI_DOUBLE, {WORLD});")

    def st_scatter(self, scope):
        return self.wide(scope, f"MPI_Scatter(WIDE, COUNT, MPI_DOUBLE, BUFFER, COUNT, MPI_DOUBLE, ROOT, {WORLD});")

    def st_barrier(self, scope):
        return stmt(f"MPI_Barrier({WORLD});")

    def st_integers(self, scope):
        if not scope.ints:
            return None
        return stmt(f"MPI_Bcast(&{self.rng.choice(scope.ints)}, 1, MPI_INT, {self.root()}, {WORLD});")

    # --- the whole --------------------------------------------------------------------------------------------------------

    def inputs_of(self, scope):
        """Arrays that no message and no statement writes."""
        return [("in", self.program.inputs)]

    def tail(self, scope):
        return [stmt(f"out[0] += 0.3 * {a}[0] - 0.2 * {a}[{s - 1}];") for a, s in scope.arrays
                if a.startswith("a") and "." not in a and s == self.n][:3]

    def st_local(self, scope):
        self.budget += 3
        return self.statements(scope, self.rng.randint(1, 3), self.LOCAL)

    def st_steps(self, scope):
        counter = self.name("step")
        inner = scope.inner(loops=0, returns=None, work=scope.work * 3)
        self.budget += 4
        body = self.statements(inner, self.rng.randint(2, 4), self.TALK + [("local", 14)])
        return stmt(f"for (int {counter} = 0; {counter} < {self.rng.randint(2, 4)}; ++{counter}) $A", blocks=[body])

    def make(self):
        scope, first = self.start()
        scope.returns = None
        first.append(Node("fixed", f"int rank = 0, size = 1;\nMPI_Comm_rank({WORLD}, &rank);\nMPI_Comm_size({WORLD}, &size);\n"
                                   "const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;\n"
                                   "const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;"))
        first.append(Node("fixed", "static_cast<void>(left);\nstatic_cast<void>(right);"))
        scope.counters.append(("rank", 4))
        for _ in range(self.rng.randint(2, 3)):
            first.append(self.st_array(scope))
        first.append(self.st_scalar(scope))
        self.budget = 30
        body = self.statements(scope, self.rng.randint(3, 8), self.TALK + [("local", 14), ("steps", 6)])
        self.program.body = first + body + self.finish(scope) + self.tail(scope)
        return self.program

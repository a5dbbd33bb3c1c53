"""Random OpenMP programs, free of races by construction, whose results don't depend on the number of threads.

In a worksharing loop over i, a shared array is either written at [i] only (*owned*), or only read at any index, or only
updated atomically. Between two barriers of a region these roles stay. Private variables get a value in each iteration
before they are read, or are the same in each thread. Sums over threads are sums.
"""
import re

from scope import Scope
from serial import Serial
from tree import Node, stmt


class OpenMP(Serial):
    INSIDE = [("assign", 8), ("update", 5), ("scalar", 4), ("array", 1), ("integer", 2), ("branch", 3), ("loop", 3),
              ("while", 0.7), ("leave", 1), ("reference", 1), ("vector", 0.4), ("switch", 0.5), ("call", 2), ("lambda", 0.3),
              ("callLambda", 0.5), ("record", 0.7), ("method", 0.7), ("pointer", 0.7), ("chain", 0.3), ("block", 0.3)]

    CLAUSES = ("private", "lastprivate", "reduction", "firstprivate")  # that a loop may have, of one variable each
    SCALARS = (1, 3)  # shared ones, at least and at most

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.floats = False
        self.length = rng.choice([7, 8, 12, 16])  # of shared arrays
        self.program.features.add("openmp")

    def make_globals(self, scope):
        return []  # a helper would write them from several threads

    def schedule(self):
        kinds = ["", "schedule(static)", "schedule(static, 2)", "schedule(dynamic)", "schedule(dynamic, 3)",
                 "schedule(guided)", "schedule(runtime)", "schedule(auto)"]
        return Node("optional", self.rng.choice(kinds))

    def private_scope(self, scope, constants, fixed):
        inner = Scope()
        inner.pure, inner.calls = list(scope.pure), list(scope.calls)
        inner.constants, inner.fixed = list(constants), list(fixed)
        inner.depth, inner.work = 2, 10
        return inner

    def shared(self, scope):
        """Scalars and arrays that a construct may read."""
        constants = [r for r in scope.reals if r[0] == "t"] + scope.constants
        fixed = scope.fixed + [(n, s) for n, s in scope.arrays if n.startswith(("sh", "a", "out")) and "." not in n]
        return constants, fixed

    def body(self, scope, i, limit, owned, constants, fixed, first=(), last=(), names=()):
        inner = self.private_scope(scope, constants, fixed)
        inner.reals += [f"{a}[{i}]" for a in owned] + list(names)
        inner.counters.append((i, limit))
        self.budget += 5
        statements = list(first) + self.statements(inner, self.rng.randint(1, 5), self.INSIDE)
        for made in last:
            statements.append(made(inner))
        return statements

    # --- a worksharing loop -----------------------------------------------------------------------------------------------

    def loop(self, scope, roles, directive, barrier=True):
        """`roles`: what each shared variable is used for since the last barrier; changed."""
        i, region = self.name("i"), "region" in roles
        constants, fixed = self.shared(scope)
        owned = [a for a, _ in self.arrays if a not in roles and self.chance(0.5)][:2]
        updated = [a for a, _ in self.arrays if a not in owned and roles.get(a) in (None, "atomic") and self.chance(0.25)][:1]
        clauses, names, copies, summed = [self.schedule()], [], [], []
        free = [t for t in scope.reals if t[0] == "t" and t not in roles]
        for clause in self.CLAUSES:
            if not free or not self.chance(0.35):
                continue
            t = free.pop(self.rng.randrange(len(free)))
            if region and t not in scope.shared_reals and clause != "private":
                continue
            clauses.append(Node("clause", f"{clause}({'+ : ' if clause == 'reduction' else ''}{t})"))
            if clause in ("private", "lastprivate"):
                names.append(t)
            if clause == "private":
                copies.append(t)
            else:
                roles[t] = {"reduction": "reduced", "lastprivate": "written", "firstprivate": "read"}[clause]
            if clause == "reduction":
                summed.append(t)
        written = [t for t, role in roles.items() if role in ("reduced", "written")] + names
        constants = [c for c in constants if c not in written]
        fixed = [(a, s) for a, s in fixed if a not in owned + updated and roles.get(a) in (None, "read")]
        for c in constants + [a for a, _ in fixed]:
            roles.setdefault(c, "read")
        roles.update({a: "owned" for a in owned}, **{a: "atomic" for a in updated})
        before = self.private_scope(scope, constants, fixed)
        before.counters.append((i, self.length))
        first = [Node("fixed", f"{t} = $0;", [self.value(before)]) for t in names]
        last = [lambda inner, t=t: stmt(f"{t} += $0;", self.value(inner)) for t in summed]
        for a in updated:
            index = self.rng.choice([f"{i}", f"({i} + 1) % {self.length}", f"({i} * 3) % {self.length}", f"{i} / 2"])
            form = f"#pragma omp atomic\n{a}[{index}] {self.rng.choice('+-')}= $0;"
            last.append(lambda inner, form=form: stmt(form, self.value(inner)))
        head = self.rng.choice([f"for (int {i} = 0; {i} < {self.length}; ++{i})"] * 4 +
                               [f"for (int {i} = {self.length - 1}; {i} >= 0; --{i})",
                                f"for (int {i} = 1; {i} < {self.length - 1}; {i}++)",
                                f"for (int {i} = 0; {i} < {self.length}; {i} += 2)"])
        if "written" in [roles[t] for t in names if t in roles] and re.search("dynamic|guided|runtime|auto", clauses[0].fmt):
            clauses[0].fmt = "schedule(static, 2)"  # libomp now and then takes another chunk for the last one
        if self.chance(0.15):
            statements, head = self.collapsed(scope, i, owned, constants, fixed, first, last, names)
            clauses.append(Node("clause", "collapse(2)"))
        else:
            statements = self.body(scope, i, self.length, owned, constants, fixed, first, last, names)
        if not barrier:
            clauses.append(Node("optional", "nowait"))
        text = " ".join(f"${k}" for k in range(len(clauses)))
        save, restore = " ".join(f"SAVE({t})" for t in copies), " ".join(f"RESTORE({t})" for t in reversed(copies))
        return stmt(f"{save}\n#pragma omp {directive} {text}\n{head} $A\n{restore}", *clauses, blocks=[statements])

    def collapsed(self, scope, i, owned, constants, fixed, first, last, names):
        """Two loops of which the inner one runs over 2: the element is i * 2 + j."""
        j, k, half = self.name("j"), self.name("k"), self.length // 2
        inner = self.body(scope, k, half * 2, owned, constants, fixed, first, last, names)
        inner.insert(0, Node("fixed", f"const int {k} = {i} * 2 + {j};"))
        return inner, (f"for (int {i} = 0; {i} < {half}; ++{i})\nfor (int {j} = 0; {j} < 2; ++{j})")

    def st_parallelFor(self, scope):
        return self.loop(scope, {}, "parallel for")

    # --- a region ---------------------------------------------------------------------------------------------------------

    def st_region(self, scope):
        roles, statements = {"region": True}, []
        constants, fixed = self.shared(scope)
        clauses, own = [], []
        scope = scope.inner()
        scope.shared_reals = [t for t in scope.reals if t[0] == "t"]
        if self.chance(0.2):
            clauses.append(Node("optional", f"num_threads({self.rng.randint(1, 4)})"))
        if scope.shared_reals and self.chance(0.3):
            t = self.rng.choice(scope.shared_reals)
            clauses.append(Node("clause", f"firstprivate({t})"))
            scope.shared_reals.remove(t)
            own.append(t)
            replicated = self.private_scope(scope, [c for c in constants if c != t], scope.fixed)
            replicated.reals = [t]
            statements += self.statements(replicated, 1, [("assign", 1), ("update", 1)])
            statements.append(Node("fixed", "#pragma omp barrier"))  # a loop's `lastprivate` may write what these read
        slots = None
        if self.slots and self.chance(0.4):
            slots = self.rng.choice(self.slots)
            thread = self.name("me")
            statements.append(Node("fixed", f"const int {thread} = omp_get_thread_num();"))
        for _ in range(self.rng.randint(1, 4)):
            roll = self.rng.random()
            if roll < 0.6:
                barrier = self.chance(0.7)
                made = self.loop(scope, roles, "for", barrier)
                if slots and self.chance(0.6):
                    inner = self.private_scope(scope, scope.constants, scope.fixed)
                    made.blocks[0].append(stmt(f"{slots}[{thread}] += $0;", self.value(inner)))
                statements.append(made)
                if not barrier and self.chance(0.7):
                    statements.append(Node("fixed", "#pragma omp barrier"))
                    barrier = True
                if barrier:
                    roles = {"region": True}
            elif roll < 0.85:
                kind = self.rng.choice(["single", "single", "master", "masked"]) if roles == {"region": True} else None
                writable = [a for a, _ in self.arrays] if kind else []
                if not writable:
                    continue
                a = self.rng.choice(writable)
                inner = self.private_scope(scope, [c for c in constants if c not in own], [(x, s) for x, s in scope.fixed])
                inner.arrays = [(a, self.length)]
                inner.reals = list(scope.shared_reals)
                inner.constants = [c for c in inner.constants if c not in inner.reals]
                self.budget += 3
                block = self.statements(inner, self.rng.randint(1, 3), self.INSIDE)
                statements.append(stmt(f"#pragma omp {kind}\n$A", blocks=[block]))
                if kind != "single":
                    statements.append(Node("fixed", "#pragma omp barrier"))
                roles = {"region": True}
            else:
                statements.append(Node("fixed", "#pragma omp barrier"))
                roles = {"region": True}
        text = " ".join(f"${k}" for k in range(len(clauses)))
        save, restore = " ".join(f"SAVE({t})" for t in own), " ".join(f"RESTORE({t})" for t in own)
        return stmt(f"{save}\n#pragma omp parallel {text}\n$A\n{restore}", *clauses, blocks=[statements])

    OUTSIDE = [("parallelFor", 6), ("region", 5), ("scalar", 2), ("assign", 1), ("update", 1), ("timeLoop", 1.5), ("branch", 0.3),
               ("loop", 0.4)]

    def st_timeLoop(self, scope):
        if scope.loops:
            return None
        counter = self.name("step")
        inner = scope.inner(loops=0, returns=None, work=20)
        body = self.statements(inner, self.rng.randint(1, 2), [("parallelFor", 3), ("region", 2)])
        return stmt(f"for (int {counter} = 0; {counter} < {self.rng.randint(2, 3)}; ++{counter}) $A", blocks=[body])

    def make(self):
        scope, first = self.start()
        scope.returns = None
        self.arrays = []
        for _ in range(self.rng.randint(2, 4)):
            a, i = self.name("sh"), self.name("i")
            inner = scope.inner()
            inner.counters.append((i, self.length))
            first.append(Node("fixed", f"double {a}[{self.length}];\nfor (int {i} = 0; {i} < {self.length}; ++{i}) {a}[{i}] = $0;",
                              [self.tame(inner)]))
            self.arrays.append((a, self.length))
            scope.arrays.append((a, self.length))
        self.slots = []
        if self.chance(0.4):
            slot = self.name("part")
            first.append(Node("fixed", f"double {slot}[8] = {{}};"))
            self.slots.append(slot)
        for _ in range(self.rng.randint(*self.SCALARS)):
            first.append(self.st_scalar(scope))
        self.budget = 8
        body = self.statements(scope, self.rng.randint(2, 5), self.OUTSIDE)
        end = []
        for a, size in self.arrays + [(s, 8) for s in self.slots]:
            i, j = self.name("i"), self.rng.randrange(self.program.outputs)
            weight = "0.3" if a in self.slots else self.rng.choice(["0.3", f"(0.1 * {i})", "in[0]"])  # not by thread
            end.append(stmt(f"for (int {i} = 0; {i} < {size}; ++{i}) out[{j}] += $0 * {a}[{i}];", Node("real", weight)))
        self.program.body = first + body + end + self.finish(scope)
        return self.program

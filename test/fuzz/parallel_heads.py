"""Heads with richer signatures than two pointers, of functions with OpenMP loops (`openmpHeads`) and with messages (`mpiHeads`). Kinds of
their own, so that the seeds of the others stay what they are.
"""
from heads import Heads
from mpi import Mpi
from scope import Scope
from tree import Node, stmt


class OpenMPHeads(Heads):
    STATEMENTS = Heads.STATEMENTS + [("threads", 9), ("region", 3)]
    INSIDE = [("assign", 4), ("update", 4), ("scalar", 2), ("branch", 1.5), ("loop", 1.5), ("integer", 1)]

    def __init__(self, rng, size=1.0):
        super().__init__(rng, size)
        self.program.features.add("openmp")
        self.params = []  # helpers and methods, which are made before, have such loops too

    def make_globals(self, scope):
        return []  # a helper would write them from several threads

    def own_memory(self, scope, arrays):
        """Arrays of n elements that no two names lead to: parameters, members of parameters, locals."""
        return sorted({a for a, s in arrays if s == self.n and a[0] in "axvo"})

    def worksharing(self, scope, directive, barred):
        names = [a for a in self.own_memory(scope, scope.arrays) if a not in barred]
        if not names:
            return None
        own, i = self.rng.choice(names), self.name("i")
        inner = Scope()
        inner.pure = [f for f in scope.pure if f[0] not in scope.stated]
        inner.depth, inner.work = 2, 10
        arguments = {p.name for p in self.params}  # the name of a range-for may lead to the array that is written
        scalars = [r for r in scope.reals + scope.constants if r[0] == "t" and r.isidentifier() or r in arguments]
        inner.constants, inner.reals, inner.counters = scalars, [f"{own}[{i}]"], [(i, self.n)]
        inner.fixed = [(a, self.n) for a in names + self.own_memory(scope, scope.fixed) if a != own]
        clauses = self.rng.choice(["", "schedule(dynamic)", "schedule(static, 1)", "schedule(guided)", "schedule(runtime)"])
        last, sums = [], [r for r in scope.reals if r in scalars and r[0] == "t"]
        if sums and directive == "parallel for" and self.chance(0.5):
            t = self.rng.choice(sums)
            inner.constants = [c for c in scalars if c != t]
            clauses += f" reduction(+ : {t})"
            last.append(stmt(f"{t} += $0;", self.value(inner)))
        scattered = [a for a in names if a != own]
        if scattered and self.chance(0.3):
            a = self.rng.choice(scattered)
            inner.fixed = [(x, s) for x, s in inner.fixed if x != a]
            barred.add(a)
            last.append(stmt(f"#pragma omp atomic\n{a}[({i} * 2 + 1) % {self.n}] += $0;", self.value(inner)))
        self.budget += 2
        body = self.statements(inner, self.rng.randint(1, 3), self.INSIDE)
        return stmt(f"#pragma omp {directive} {clauses}\nfor (int {i} = 0; {i} < {self.n}; ++{i}) $A", blocks=[body + last])

    def st_threads(self, scope):
        return None if scope.work > 60 or scope.depth > 2 else self.worksharing(scope, "parallel for", set())

    def st_region(self, scope):
        if scope.work > 60 or scope.depth > 1:
            return None
        loops = [self.worksharing(scope, "for", set()) for _ in range(self.rng.randint(1, 3))]
        return None if None in loops else stmt(f"#pragma omp parallel {self.rng.choice(['', 'num_threads(2)'])}\n$A", blocks=[loops])


class MpiHeads(Heads, Mpi):
    """What stands around and between the messages is mpi.py's; arguments may be their buffers."""

    LOCAL = Mpi.LOCAL + [("growWrite", 1), ("push", 1), ("grow", 0.7), ("pair", 0.5), ("bulk", 1), ("stdArray", 0.5)]

    def inputs_of(self, scope):
        return []

    def tail(self, scope):
        return []

    def finish(self, scope):
        places = [f"{q.name}{s}" for q in self.params for s in q.outputs]
        arrays = [(a, s) for a, s in scope.arrays if a.startswith("a") and "." not in a and s == self.n][:3]
        return [stmt(f"{places[0]} += 0.3 * {a}[0] - 0.2 * {a}[{s - 1}];") for a, s in arrays if places] + super().finish(scope)

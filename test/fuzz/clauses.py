"""More of OpenMP than openmp.py has (`simd`, `if`, `default`, `reduction(-)`), and MPI programs whose ranks have threads."""
from mpi import Mpi
from openmp import OpenMP
from scope import Scope
from tree import Node, stmt


class Clauses(OpenMP):
    OUTSIDE = OpenMP.OUTSIDE + [("simd", 3)]

    def st_parallelFor(self, scope):
        directive = self.rng.choice(["parallel for", "parallel for simd"])
        made = self.loop(scope, {}, directive)
        self.add_clauses(made, scope, "simd" in directive)
        return made

    def st_region(self, scope):
        made = super().st_region(scope)
        self.add_clauses(made, scope, False)
        return made

    def add_clauses(self, made, scope, simd):
        words = ["default(shared)"] * self.chance(0.3)
        if self.chance(0.4):
            words.append(self.rng.choice(["if(true)", "if(in[0] > 0.2)", "if(in[1] < in[0])", "if(parallel : in[0] < 0.9)"]))
        made.fmt = made.fmt.replace("\n#pragma omp parallel for simd ", "\n#pragma omp parallel for simd " + " ".join(words) + " ", 1) if simd \
            else made.fmt.replace("\n#pragma omp parallel for ", "\n#pragma omp parallel for " + " ".join(words) + " ", 1) \
            if "\n#pragma omp parallel for " in made.fmt else made.fmt.replace("\n#pragma omp parallel ", "\n#pragma omp parallel " + " ".join(words) + " ", 1)

    def st_simd(self, scope):
        """A loop whose iterations may run together: each writes its own element."""
        i = self.name("i")
        constants, fixed = self.shared(scope)
        owned = [a for a, _ in self.arrays if self.chance(0.5)][:2]
        free = [t for t in scope.reals if t[0] == "t"]
        clauses, summed, names = [], [], []
        for clause in ("reduction(+ : {})", "reduction(- : {})", "private({})", "lastprivate({})"):
            if free and self.chance(0.35):
                t = free.pop(self.rng.randrange(len(free)))
                clauses.append(clause.format(t))
                (summed if "reduction" in clause else names).append((t, clause[10:11]))
        taken = [t for t, _ in summed + names]
        constants = [c for c in constants if c not in taken]
        fixed = [(a, s) for a, s in fixed if a not in owned]
        before = self.private_scope(scope, constants, fixed)
        before.counters.append((i, self.length))
        first = [Node("fixed", f"{t} = $0;", [self.value(before)]) for t, _ in names]
        last = [lambda inner, t=t, op=op: stmt(f"{t} {op}= $0;", self.value(inner)) for t, op in summed]
        statements = self.body(scope, i, self.length, owned, constants, fixed, first, last, [t for t, _ in names])
        copies = [c[8:-1] for c in clauses if c.startswith("private")]
        save, restore = " ".join(f"SAVE({t})" for t in copies), " ".join(f"RESTORE({t})" for t in copies)
        return stmt(f"{save}\n#pragma omp simd {' '.join(clauses)}\nfor (int {i} = 0; {i} < {self.length}; ++{i}) $A\n{restore}",
                    blocks=[statements])


class MoreClauses(Clauses):
    """Several clauses of a kind on one construct."""

    CLAUSES = ("reduction", "private", "lastprivate", "reduction", "firstprivate", "lastprivate", "reduction", "private")
    SCALARS = (5, 8)


class Hybrid(Mpi):
    LOCAL = Mpi.LOCAL + [("threads", 4)]

    def make_globals(self, scope):
        return []  # a helper would write them from several threads

    def st_threads(self, scope):
        """A worksharing loop over an array, each element by its own iteration; sums over threads."""
        names = sorted({a for a, s in scope.arrays if s == self.n and a[0] == "a" and "." not in a})
        if not names or scope.work > 60:
            return None
        own, i = self.rng.choice(names), self.name("i")
        inner = Scope()
        inner.pure, inner.depth, inner.work = list(scope.pure), 2, 10
        inner.constants = ["in[0]", "in[1]"] + [t for t in scope.reals if t[0] == "t"]
        inner.fixed = [("in", 2)] + [(a, self.n) for a in names if a != own]
        inner.reals, inner.counters = [f"{own}[{i}]"], [(i, self.n)]
        clauses, last = self.rng.choice(["", "schedule(dynamic)", "schedule(static, 1)", "num_threads(2)"]), []
        sums = [t for t in inner.constants if t[0] == "t"]
        if sums and self.chance(0.5):
            t = self.rng.choice(sums)
            inner.constants.remove(t)
            clauses += f" reduction(+ : {t})"
            last = [stmt(f"{t} += $0;", self.value(inner))]
        self.budget += 2
        body = self.statements(inner, self.rng.randint(1, 3), [("assign", 4), ("update", 3), ("scalar", 2), ("branch", 1), ("loop", 1)])
        return stmt(f"#pragma omp parallel for {clauses}\nfor (int {i} = 0; {i} < {self.n}; ++{i}) $A", blocks=[body + last])

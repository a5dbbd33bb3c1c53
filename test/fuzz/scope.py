"""What the generator knows at a point of a program: which variables there are, and how they may be used."""
import copy


class Scope:
    """Lists of C++ expressions, by what they may stand for.

    reals      scalars that may be assigned        constants   scalars that may be read only
    arrays     (name, size) of reals, assignable   fixed       (name, size), read only
    ints       variables with values 0 to 9        counters    (name, limit): 0 <= name < limit
    structs    (name, Record)                      pointers    (name, size): a double* that may be set anew
    pure       functions of reals, by arity        calls       Helper functions with effects
    lambdas    names of [](double) -> double with effects
    growing    names of vectors that change their size      pairs, statics   see language.py
    dynamic    (name, base class)       complexes   names           stated   functions that are no names of functions; see objects.py
    """

    FIELDS = ("reals", "constants", "arrays", "fixed", "ints", "counters", "structs", "pointers", "pure", "calls",
              "lambdas", "growing", "pairs", "statics", "dynamic", "stated", "complexes")

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, [])
        self.depth = 0  # of blocks
        self.around = []  # for each block around this point: the names of arrays that it found
        self.loops = 0  # around this point, that break and continue may leave
        self.work = 1  # how often this point is run, at most
        self.returns = None  # what an early return says, or None if there is none

    def inner(self, **changes):
        new = copy.copy(self)
        for field in self.FIELDS:
            setattr(new, field, list(getattr(self, field)))
        new.depth += 1
        new.around = self.around + [frozenset(name for name, _ in self.arrays)]
        for name, value in changes.items():
            setattr(new, name, value)
        return new

    def level(self, array):
        """How many blocks deep the array or pointer is declared. A pointer is only set to what lives as long as it does."""
        return next((k for k, names in enumerate(self.around) if array in names), len(self.around))


class Record:
    """A struct: its type's name, real fields, array fields, method names, and a nested record's field or None."""

    def __init__(self, name, reals, arrays, ints, nested=None):
        self.name, self.reals, self.arrays, self.ints, self.nested = name, reals, arrays, ints, nested
        self.readers, self.writers = [], []  # methods: `double r(double) const` and `void w(double)`

    def add_to(self, scope, name, arrow="."):
        scope.reals += [f"{name}{arrow}{f}" for f in self.reals]
        scope.arrays += [(f"{name}{arrow}{f}", size) for f, size in self.arrays]
        scope.ints += [f"{name}{arrow}{f}" for f in self.ints]
        scope.structs.append((name, self))
        if self.nested:
            field, record = self.nested
            record.add_to(scope, f"{name}{arrow}{field}")


class Helper:
    """A function with effects: parameter kinds among `value`, `ref`, `array`, `int`, `cref`, `struct:NAME`, `vector`."""

    def __init__(self, name, params, returns):
        self.name, self.params, self.returns = name, params, returns

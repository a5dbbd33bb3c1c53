"""Makes a failing program small: many cuts are tried at once, in one batch, and those that keep the fault are made together."""
import harness
import tree

WIDTH = 48  # candidates in a batch


def reduce(contraflow, program, config, key, work, rounds=25, patch=None):
    """The smallest program found that has a fault of this key under `config`."""
    current = tree.number(program)

    def failing(candidates):
        outcomes = harness.Batch(contraflow, dict(enumerate(candidates)), config, work, patch).run()
        return [n for n in range(len(candidates)) if outcomes[n].key() == key]

    untried = None
    for _ in range(rounds):
        size = current.size()
        possible = tree.edits(current)
        if untried is not None:
            possible = [e for e in possible if e in untried] or possible
        batch = possible[:WIDTH]
        found = [batch[n] for n in failing([tree.apply(current, [e]) for e in batch])]
        if found:
            # Together, or as many as go together: each prefix of the list, and each edit alone.
            groups = [found[:k] for k in range(1, len(found) + 1)] + [found[k:] for k in range(1, len(found))]
            groups += [found[k::2] for k in (0, 1)] + [found[k::3] for k in (0, 1, 2)]
            programs = [tree.apply(current, g) for g in groups]
            good = failing(programs)
            current = min((programs[n] for n in good), key=lambda p: p.size(), default=current)
        rest = possible[WIDTH:]
        if current.size() < size:
            untried = None if len(found) > 3 else set(rest) or None
        elif rest:
            untried = set(rest)
        else:
            break
    return current

"""Datapipes, run with torch by tools/record_overrides.py and with ours by the tests: values, errors and rows."""

from __future__ import annotations


def double(item):
    return 2 * item


def is_even(item) -> bool:
    return item % 2 == 0


def cases(torch, data, tree) -> dict:
    """What each pipe gives, and the rows of the profile."""
    iter_pipes, map_pipes = data.datapipes.iter, data.datapipes.map
    wrap, sequence = iter_pipes.IterableWrapper, map_pipes.SequenceWrapper

    class Counting(data.IterDataPipe):
        def __init__(self, stop, *, name="n"):
            self.stop = stop
            self.name = name
            self.unnamed = 3

        def __iter__(self):
            yield from range(self.stop)

    class Failing(data.IterDataPipe):
        def __iter__(self):
            yield 1
            raise KeyError("no more")

    def loader(pipe, **options):
        return lambda: [b if isinstance(b, int) else b.tolist() for b in data.DataLoader(pipe, **options)]

    def seeded(case):
        def run():
            torch.manual_seed(5)
            return case()

        return run

    def stale():
        pipe = wrap(range(3))
        first = iter(pipe)
        next(first)
        next(iter(pipe))
        return next(first)

    def n(stop=4):
        return wrap(range(stop))

    named = {
        "wrap": lambda: list(n()),
        "map": lambda: list(n().map(double)),
        "filter": lambda: list(n().filter(is_even)),
        "zip": lambda: list(n().zip(n(2))),
        "concat": lambda: list(n(1).concat(n(2))),
        "mux": lambda: list(n(2).mux(n(3))),
        "unbatch": lambda: list(wrap([[1, 2], [3]]).unbatch()),
        "own": lambda: list(Counting(2)),
        "own inside": lambda: list(Counting(2).map(double)),
        "failing": lambda: list(Failing()),
        "stale": stale,
        "shuffle": lambda: list(n(10).shuffle(buffer_size=4).set_seed(3)),
        "unshuffled": lambda: list(n().shuffle().set_shuffle(False)),
        "shuffle, drawn": seeded(lambda: list(n(10).shuffle())),
        "fork": lambda: [list(p) for p in n().fork(2)],
        "fork too far": lambda: list(n().fork(2, buffer_size=2)[0]),
        "demux": lambda: [list(p) for p in n().demux(2, double_mod)],
        "demux, wrong": lambda: list(wrap([7]).demux(2, int)[0]),
        "group": lambda: list(wrap(["a1", "b1", "a2"]).groupby(first_letter)),
        "columns": lambda: list(wrap([(1, 2)]).map(double, input_col=1)),
        "column added": lambda: list(wrap([(1, 2)]).map(double, input_col=1, output_col=-1)),
        "sharded": lambda: (lambda s: (s.apply_sharding(2, 1), list(s))[1])(n(5).sharding_filter()),
        "lengths": lambda: [len(n(5).batch(2)), len(n().map(double)), len(n(2).zip(n())), len(n(5).sharding_filter())],
        "no length": lambda: len(n().filter(is_even)),
        "no such": lambda: n().nothing,
        "batch of 0": lambda: n().batch(0),
        "filter says 3": lambda: list(n().filter(double)),
        "concat of nothing": lambda: iter_pipes.Concater(),
        "batches": lambda: [list(b) for b in n(5).batch(2)],
        "dropped": lambda: [list(b) for b in n(5).batch(2, drop_last=True)],
        "map pipe": lambda: list(sequence([1, 2]).map(double)),
        "map pipe zip": lambda: list(sequence([1]).zip(sequence([2]))),
        "map pipe concat": lambda: sequence([1]).concat(sequence([2, 3]))[2],
        "map pipe batch": lambda: [list(b) for b in sequence([1, 2, 3]).batch(2)],
        "map pipe shuffle": lambda: list(sequence(range(6)).shuffle().set_seed(1)),
        "map pipe, out": lambda: sequence([1]).batch(2)[4],
        "loader": loader(n(), batch_size=2),
        "loader, shuffled": seeded(loader(n(6).shuffle(), batch_size=None, shuffle=True)),
        "loader, not shuffled": loader(n(3).shuffle(), batch_size=None, shuffle=False),
    }
    facts = {}
    for label, case in named.items():
        rows, made = tree(case)
        told = [type(made).__name__, str(made)] if isinstance(made, BaseException) else made
        facts[label] = [told, rows]
    return facts


def double_mod(item):
    return item % 2


def first_letter(item):
    return item[0]

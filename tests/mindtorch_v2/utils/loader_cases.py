"""Loaders with workers, run with torch by tools/record_loader.py and with ours by the tests: values, order, rows."""

from __future__ import annotations

import collections
import random

import numpy as np

SEED = 5
Pair = collections.namedtuple("Pair", "first second", module="collections")
collections.Pair = Pair  # where other processes find it, however this file was run


def cases(torch, data, profile) -> dict:
    """By name, a function that gives what can be written as JSON."""
    loader = data.DataLoader

    class Draws(data.Dataset):
        """What a worker knows and what it would draw."""

        def __len__(self):
            return 6

        def __getitem__(self, i):
            info = data.get_worker_info()
            return [i, info.id, info.seed, torch.initial_seed(), random.random(), np.random.randint(2**31),
                    torch.randint(2**31, ()).item(), torch.get_num_threads()]

    class Numbers(data.Dataset):
        def __len__(self):
            return 11

        def __getitem__(self, i):
            return torch.full((2,), float(i))

    class Shares(data.IterableDataset):
        """A stream that its workers share, each of another length."""

        def __iter__(self):
            info = data.get_worker_info()
            return iter(range(info.id, 13, info.num_workers + info.id))

    class Mixed(data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return {"tensor": torch.tensor([i, i + 1]), "array": np.arange(i, i + 3, dtype=np.float32), "int": i,
                    "float": i / 2, "bool": i % 2 == 0, "str": str(i), "bytes": bytes([i]), "list": [i, [i, 2.5]],
                    "pair": Pair(i, torch.ones(2, dtype=torch.float16)), "scalar": np.int16(i), "tuple": (i, "x")}

    class Eager(data.Sampler):
        """Draws its order as soon as it is asked for."""

        def __iter__(self):
            return iter(torch.randperm(11).tolist())

    def shuffled_pipe():
        return data.datapipes.iter.IterableWrapper(range(12)).shuffle().sharding_filter()

    class Failing(Numbers):
        def __init__(self, error):
            self.error = error

        def __getitem__(self, i):
            if i == 3:
                raise self.error
            return i

    def raw(batch):
        return batch

    def seeded(function):
        def run():
            torch.manual_seed(SEED)
            random.seed(SEED)
            np.random.seed(SEED)
            return function()
        return run

    def draws(**options):
        return lambda: [batch for batch in loader(Draws(), collate_fn=raw, num_workers=2, **options)]

    def order(dataset=None, epochs=1, **options):
        def run():
            chosen = loader(Numbers() if dataset is None else dataset, **{"num_workers": 2, **options})
            return [[batch.tolist() for batch in chosen] for _ in range(epochs)] + [torch.randint(2**31, ()).item()]
        return run

    def generator():
        source = torch.Generator()
        source.manual_seed(SEED)
        given = loader(Numbers(), 4, shuffle=True, num_workers=2, generator=source)
        return [[batch[:, 0].tolist() for batch in given], torch.randint(2**31, (), generator=source).item()]

    def collated():
        return [told(torch, batch) for batch in loader(Mixed(), 2, num_workers=1)]

    def failure(error):
        def run():
            received = []
            try:
                for batch in loader(Failing(error), 2, num_workers=2):
                    received.append(batch.tolist())
            except Exception as raised:
                lines = str(raised).splitlines()
                return [received, type(raised).__name__, lines[:2], lines[-1]]
        return run

    def rows(memory):
        def run():
            chosen = loader(Numbers(), 4, num_workers=1)
            iterator = iter(chosen)
            with profile(profile_memory=memory) as prof:
                for batch in iterator:
                    del batch
            return [[event.name, event.cpu_memory_usage] for event in prof.events()]
        return run

    found = {
        "seeds of workers": draws(), "seeds in two epochs of persistent workers": lambda: [
            list(chosen) for chosen in [loader(Draws(), collate_fn=raw, num_workers=2, persistent_workers=True)]
            for _ in range(2)],
        "order": order(batch_size=2), "shuffled": order(batch_size=3, shuffle=True, epochs=2),
        "shuffled by persistent workers": order(batch_size=3, shuffle=True, epochs=2, persistent_workers=True),
        "one by one": order(batch_size=None), "drop_last": order(batch_size=4, drop_last=True),
        "three workers, much ahead": order(batch_size=2, num_workers=3, prefetch_factor=4),
        "a shared stream": order(Shares(), batch_size=2), "a shared stream by persistent workers":
            order(Shares(), batch_size=2, persistent_workers=True, epochs=2),
        "a shared stream, drop_last": order(Shares(), batch_size=2, drop_last=True, num_workers=3),
        "an eager sampler": order(batch_size=4, sampler=Eager(), epochs=2), "an eager sampler without workers":
            order(batch_size=4, sampler=Eager(), num_workers=0),
        "a shuffled pipe": order(shuffled_pipe(), batch_size=2, shuffle=True, epochs=2),
        "a shuffled pipe by persistent workers":
            order(shuffled_pipe(), batch_size=2, shuffle=True, epochs=2, persistent_workers=True),
        "a generator": generator, "collated": collated, "rows": rows(False), "rows with memory": rows(True),
        "KeyError": failure(KeyError("a key\nwith lines")), "ValueError": failure(ValueError("a value")),
        "an error whose constructor takes no text": failure(UnicodeDecodeError("ascii", b"x", 0, 1, "a reason")),
    }
    return {name: seeded(function) for name, function in found.items()}


def told(torch, value):
    """A batch as JSON, with the types of what is in it."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype).removeprefix("torch."), value.tolist()]
    if isinstance(value, dict):
        return {key: told(torch, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(told(torch, item) for item in value)]
    return repr(value)

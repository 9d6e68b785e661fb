"""Values that no op expects: what hostile calls are made of. Each is made anew, because a call may change it."""

from __future__ import annotations

import random

import numpy as np

import mindtorch_v2 as torch

INTS = (0, 1, -1, 2, 3, -2, 5, 63, 64, 65, 2**31 - 1, 2**31, -2**31, 2**32, 2**40, 2**62, 2**63 - 1, -2**63, 2**63,
        2**100)
DTYPES = tuple(torch.core.dtype.ALL)
SHAPES = ((), (0,), (1,), (2,), (3,), (2, 3), (3, 2), (3, 3), (0, 3), (2, 0), (1, 3), (2, 3, 4), (1, 2, 3, 4),
          (2, 1, 3, 3, 2))
EXTREME_INDICES = (-1, 7, 2**31, 2**62, -2**62, 2**63 - 1, -2**63)


class LyingList(list):
    """Says that it is longer than it is."""

    def __len__(self):
        return 1000


class Stubborn:
    """Refuses every question."""

    def __getattr__(self, name):
        raise RuntimeError(f"asked for {name}")

    def __len__(self):
        raise ValueError("no length")

    def __index__(self):
        raise ValueError("no index")

    def __bool__(self):
        raise ValueError("neither true nor false")

    def __eq__(self, other):
        raise ValueError("not comparable")

    __hash__ = None

    def __repr__(self):
        return "Stubborn()"


class Shrinking(list):
    """A list that loses its items while somebody goes through it."""

    def __iter__(self):
        for item in tuple(self):
            self.clear()
            yield item


class Number(int):
    """An int of a class of its own."""


class PlainSubclass(torch.Tensor):
    """A subclass of Tensor that changes nothing."""


class RefusingSubclass(torch.Tensor):
    """A subclass that answers no function."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


def deep(levels: int):
    value = 1.0
    for _ in range(levels):
        value = [value]
    return value


def tensor(rng: random.Random) -> torch.Tensor:
    """A tensor of some shape, type and layout."""
    shape = rng.choice(SHAPES)
    dtype = rng.choice(DTYPES) if rng.random() < 0.4 else torch.float32
    numbers = (torch.arange(int(np.prod(shape))) - 2).reshape(shape)
    try:
        made = numbers.to(dtype)
    except NotImplementedError:  # nothing can be cast to types that are only names
        made = numbers.to(torch.float32)
    kind = rng.random()
    if kind < 0.15 and made.dim() > 1:
        made = made.transpose(0, -1)
    elif kind < 0.25 and made.dim():
        made = made[::2]
    elif kind < 0.35 and made.dim():
        made = made[:1].expand(3, *made.shape[1:]) if made.shape[0] else made
    elif kind < 0.45 and (made.is_floating_point() or made.is_complex()):
        made.requires_grad_()
    return made


def index(rng: random.Random) -> torch.Tensor:
    """A tensor of indices, some of them far outside."""
    shape = rng.choice(SHAPES)
    made = torch.zeros(shape, dtype=rng.choice((torch.int64, torch.int64, torch.int32, torch.bool)))
    if made.numel() and made.dtype is not torch.bool:
        extreme = rng.choice(EXTREME_INDICES)
        made.view(-1)[rng.randrange(made.numel())] = extreme % 2**31 if made.dtype is torch.int32 else extreme
    return made


ARRAYS = (
    lambda: np.arange(6.0)[::-1], lambda: np.zeros(()), lambda: np.zeros((0, 3)), lambda: np.array([None, 1]),
    lambda: np.array(["a", "b"]), lambda: np.zeros(3, ">f4"), lambda: np.zeros(3, [("x", "f4")]),
    lambda: np.broadcast_to(np.ones(1), (4, 4)), lambda: np.frombuffer(b"12345678", "f4"),
    lambda: np.zeros(9, "u1")[1:].view("f4"), lambda: np.float32(3), lambda: np.zeros([1] * 40),
    lambda: np.array("2020", "M8[Y]"), lambda: np.zeros((3, 4), "f2").T)


def array(rng: random.Random):
    """A NumPy array that is hard to take."""
    return rng.choice(ARRAYS)()


def number(rng: random.Random):
    return rng.choice((*INTS, 0.5, float("nan"), float("inf"), -float("inf"), -0.0, 1e308, 1j, True, Number(2)))


def numbers(rng: random.Random) -> list:
    return [number(rng) for _ in range(rng.randrange(4))]


SIZES = ((), [], (1,), (0,), (-1,), (2, 3), (3, -1), (-1, -1), (0, 1), (1, 0), (0, 0), (2**31,), (2**62,),
         (2**62, 2**62), (2**63 - 1, 2), (2**31, 2**31, 2), (2**40, 0), (-2**63,), (1,) * 64, (1,) * 65,
         [1] * 100, [2] * 70, (2**100,), (1, None), (1.5,), ("a",), (5, 5, 5))


def ints(rng: random.Random):
    """A list of sizes, dimensions or strides."""
    return rng.choice((*SIZES, (rng.choice(INTS), rng.choice(INTS))))


ODDITIES = (
    lambda: None, lambda: "", lambda: "mean", lambda: "\0é", lambda: b"", lambda: b"1234567", lambda: [[]],
    lambda: [None], dict, lambda: {"dim": 0}, lambda: {1, 2}, lambda: range(3), lambda: slice(None),
    lambda: slice(2**62, None, -1), lambda: Ellipsis, object, lambda: int, lambda: len, lambda: LyingList([1, 2]),
    Stubborn, lambda: Shrinking([1, 2]), lambda: deep(70), lambda: deep(3000), lambda: torch.float16,
    lambda: torch.device("cpu"), lambda: torch.Size([2, 3]), lambda: torch.strided, lambda: torch.channels_last,
    lambda: torch.Generator(), lambda: torch.UntypedStorage(5), lambda: torch.ones(3).untyped_storage(),
    lambda: memoryview(bytearray(8)), lambda: (x for x in ()), lambda: LyingList([torch.ones(2)]),
    lambda: Shrinking([torch.ones(2), torch.ones(2)]), lambda: torch.Tensor.__new__(torch.Tensor),
    lambda: torch.Tensor.__new__(PlainSubclass), lambda: torch.nn.Parameter(torch.ones(2)),
    lambda: torch.ones(2, 2).as_subclass(PlainSubclass), lambda: torch.ones(2).as_subclass(RefusingSubclass),
    lambda: torch.ones([1] * 64))


def odd(rng: random.Random):
    """What is no argument of any op."""
    return rng.choice(ODDITIES)()


def tensors(rng: random.Random):
    """A list of tensors, or of what is none."""
    one = tensor(rng)
    return rng.choice(([], (), [one], [one, one], [one, tensor(rng)], (one,) * 3, [None], [one, None], [one, 1],
                       [torch.ones([1] * 64)] * 2))


def anything(rng: random.Random):
    """One hostile value of any kind."""
    return rng.choices((tensor, index, array, number, ints, odd, tensors), (6, 3, 2, 5, 4, 6, 2))[0](rng)

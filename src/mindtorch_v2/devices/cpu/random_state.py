"""What both builds of the random kernels share: torch's state, its integer ranges, storing in any dtype."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from .array_facts import is_half

WORD_BYTES = 8  # types of this size are drawn and rounded in double precision
# Integers that a floating dtype holds without a gap: -2^digits .. 2^digits.
DIGITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}

# From this many different values on, an integer is drawn from 64 bits instead of 32.
WIDE_RANGE = 2**28

# From this length on, a permutation is drawn from 64 bits, and inside out: a twentieth of what 32 bits can count.
WIDE_PERMUTATION = (2**32 - 1) // 20

# The bytes of torch.get_rng_state(). Torch leaves the `unused` ones zero, and never draws a float spare on the CPU.
WORDS = 624  # of a Mersenne Twister
STATE = np.dtype([
    ("initial_seed", "<u8"), ("left", "<i4"), ("seeded", "<i4"), ("next", "<u8"), ("words", "<u8", WORDS),
    ("unused_x", "<f8"), ("spare", "<f8"), ("unused_rho", "<f8"), ("has_spare", "<i4"), ("unused_pad", "<i4"),
    ("float_spare", "<f4"), ("has_float_spare", "?"), ("unused_end", "u1", 3),
])


def read_state(state: np.ndarray) -> np.void:
    """The state's fields; refuses, as torch does, what is no state of this generator."""
    raw = np.ascontiguousarray(state, np.uint8)
    if raw.size != STATE.itemsize:
        raise RuntimeError(f"Expected a CPUGeneratorImplState of size {STATE.itemsize} but found the input RNG state"
                           f" size to be {raw.size}")
    fields = raw.reshape(-1).view(STATE)[0]
    left, following = int(fields["left"]), int(fields["next"])
    # Torch would read past the last word where the two counters disagree.
    if not fields["seeded"] or not 1 <= left <= WORDS or left + following > WORDS + 1:
        raise RuntimeError("Invalid mt19937 state")
    return fields


def store(out: np.ndarray, drawn: np.ndarray) -> None:
    """Writes drawn numbers with C++'s conversions: halves by way of float, small integers by way of 32 bits."""
    if is_half(out):
        drawn = drawn.astype(np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        if out.dtype.kind in "iu" and out.dtype.itemsize < 4 and drawn.dtype.kind == "f":
            drawn = drawn.astype(np.int32)
        out[...] = drawn.reshape(out.shape)


def store_uniform(out: np.ndarray, drawn: np.ndarray, low: float, high: float) -> None:
    """Stores floats as halves; where rounding reached the excluded end torch gives the included one."""
    store(out, drawn)
    ends = np.array([low, high], np.float32).astype(out.dtype)
    out[out == ends[1]] = ends[0]


@lru_cache(maxsize=256)
def integer_range(dtype: np.dtype, low: int | None, high: int | None) -> tuple[int, int, bool]:
    """First value, number of values (0: all 2^64) and whether 64 bits are drawn, for `random_` with these bounds."""
    digits = DIGITS.get(dtype.name)
    last = 2**digits if digits else 1 if dtype.kind == "b" else int(np.iinfo(dtype).max)
    if low is None and high is None:
        return 0, last + 1, dtype.itemsize == WORD_BYTES
    low = 0 if low is None else low
    if high is not None and digits:
        low, high = _first_held(dtype, digits, low), _end_held(dtype, digits, high)
    elif high is None:
        if low == -2**63:
            return low, 0, True
        high = last + 1
    return low, high - low, high - low >= WIDE_RANGE


def _rounded(dtype: np.dtype, value: int) -> int:
    as_float = np.array(value, np.int64).astype(np.float64 if dtype.itemsize == WORD_BYTES else np.float32)
    return int(as_float.astype(dtype).astype(np.float64))


def _first_held(dtype: np.dtype, digits: int, low: int) -> int:
    """Where the number after the bound rounds below it, torch begins one step of the dtype above that."""
    after = _rounded(dtype, low + 1)
    return low if after >= low else after + (1 << abs(low + 1).bit_length() - digits)


def _end_held(dtype: np.dtype, digits: int, high: int) -> int:
    """Where the number before the bound does not round below it, torch ends one step of the dtype below that."""
    before = _rounded(dtype, high - 1)
    return high if before < high else before - (1 << abs(high - 1).bit_length() - digits)


def choose(out: np.ndarray, p: np.ndarray, replacement: bool, uniform: Any, exponential: Any) -> None:
    """Multinomial: `out` (rows, samples) gets indices into the rows of `p`, drawn by the two functions given."""
    # Without replacement, equals (which only halves have) come in their order; torch's sort leaves that open.
    if replacement and out.shape[1] > 1:
        real = np.float64 if p.dtype == np.float64 else np.float32
        upto = np.cumsum(p.astype(real), axis=1, dtype=real)
        upto /= upto[:, -1:].copy()
        drawn = np.empty(out.shape, np.float64)
        uniform(drawn)
        for row, steps, values in zip(out, upto, drawn):
            row[...] = np.searchsorted(steps, values)
        return
    race = np.empty(p.shape, p.dtype)
    exponential(race)
    with np.errstate(divide="ignore", invalid="ignore"):
        race = (p / race).astype(np.float64)
    if out.shape[1] == 1:
        out[...] = race.argmax(axis=1)[:, None]
    else:
        out[...] = np.argsort(-race, axis=1, kind="stable")[:, : out.shape[1]]

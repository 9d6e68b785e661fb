"""PyTorch's CPU random numbers, bit for bit, written into C-contiguous arrays of any dtype."""
from __future__ import annotations

import math

import numpy as np

from ..array_facts import is_half
from ..random_state import WIDE_PERMUTATION, choose, integer_range, store, store_uniform
from .boxmuller import BLOCK, libm, normal_blocks, normal_one_by_one, unit_f32, unit_f64
from .fused import fma_f32, fma_f64
from .mersenne import Engine
from .rejection import binomial_one, gamma_one, poisson_one

OVERFLOWS = 710  # e to this power is beyond a double


def uniform_(engine: Engine, out: np.ndarray, low: float = 0.0, high: float = 1.0) -> None:
    """Uniform in [low, high): 24 random bits a number, 53 for float64."""
    if out.dtype == np.float64:
        drawn = fma_f64(unit_f64(engine.words64(out.size)), np.float64(high) - np.float64(low), low)
        store(out, np.where(drawn == high, low, drawn))
        return
    low, high = np.float32(low), np.float32(high)
    drawn = fma_f32(unit_f32(engine.words(out.size)), high - low, low)
    drawn = np.where(drawn == high, low, drawn)
    if is_half(out):
        store_uniform(out, drawn, low, high)
    else:
        store(out, drawn)


def normal_(engine: Engine, out: np.ndarray, mean: float = 0.0, std: float = 1.0, strided: bool = False) -> None:
    """Normal numbers; `strided` says that the tensor to be filled is not contiguous, for which torch has no blocks."""
    if out.size < BLOCK or strided:
        store(out, normal_one_by_one(engine, out.size, mean, std))
    else:
        store(out, normal_blocks(engine, out.size, mean, std, out.dtype))


def log_normal_(engine: Engine, out: np.ndarray, mean: float = 1.0, std: float = 2.0) -> None:
    """e to the power of normal numbers, drawn one by one whatever the size."""
    def exp(x: float) -> float:
        return math.exp(x) if x < OVERFLOWS else math.inf
    store(out, libm(exp, normal_one_by_one(engine, out.size, mean, std)))


def random_(engine: Engine, out: np.ndarray, low: int | None = None, high: int | None = None) -> None:
    """Integers in [low, high); without bounds, all from 0 that the dtype holds without a gap."""
    first, count, wide = integer_range(out.dtype, low, high)
    drawn = engine.words64(out.size) if wide else engine.words(out.size).astype(np.uint64)
    if count:
        drawn = drawn % np.uint64(count) + np.array(first, np.int64).view(np.uint64)
    store(out, drawn.view(np.int64))


def randperm(engine: Engine, n: int, out: np.ndarray, wide_from: int = WIDE_PERMUTATION) -> None:
    """A permutation of 0 .. n-1 (Fisher and Yates): from the front, or inside out where it is long."""
    order = list(range(n))
    if n < wide_from:
        for i, word in enumerate(engine.words(max(n - 1, 0)).tolist()):
            z = i + word % (n - i)
            order[i], order[z] = order[z], order[i]
    else:
        for i, word in enumerate(engine.words64(n).tolist()):
            z = word % (i + 1)
            order[i], order[z] = order[z], i
    store(out, np.array(order, np.int64))


def bernoulli_scalar_(engine: Engine, out: np.ndarray, p: float) -> None:
    """1 with probability p, else 0: a 53-bit number below p, whatever the dtype."""
    store(out, unit_f64(engine.words64(out.size)) < p)


def bernoulli_tensor_(engine: Engine, out: np.ndarray, p: np.ndarray) -> None:
    """1 with each element's own probability: 24 bits a number, 53 where p is float64."""
    p = p.reshape(-1)
    if p.dtype == np.float64:
        store(out, unit_f64(engine.words64(out.size)) < p)
    else:
        store(out, unit_f32(engine.words(out.size)) < p.astype(np.float32))


def exponential_(engine: Engine, out: np.ndarray, lambd: float = 1.0) -> None:
    """Waiting times at rate lambd, computed in double."""
    store(out, -1.0 / lambd * libm(math.log1p, -unit_f64(engine.words64(out.size))))


def cauchy_(engine: Engine, out: np.ndarray, median: float = 0.0, sigma: float = 1.0) -> None:
    """Cauchy's distribution, computed in double."""
    tangent = libm(math.tan, math.pi * (unit_f64(engine.words64(out.size)) - 0.5))
    store(out, fma_f64(tangent, sigma, median))


def geometric_(engine: Engine, out: np.ndarray, p: float) -> None:
    """The number of trials up to the first success, computed in double."""
    def log(x: float) -> float:
        return math.log(x) if x else -math.inf
    store(out, np.ceil(libm(log, unit_f64(engine.words64(out.size))) / math.log1p(-p)))


def standard_gamma(engine: Engine, out: np.ndarray, shape: np.ndarray) -> None:
    """Gamma numbers of scale 1, each with a shape of its own, which is float32 or float64."""
    store(out, np.array([gamma_one(engine, s) for s in shape.reshape(-1)], np.float64))


def poisson(engine: Engine, out: np.ndarray, mean: np.ndarray) -> None:
    """Counts of events, each with a mean of its own, computed in double."""
    store(out, np.array([poisson_one(engine, m) for m in mean.reshape(-1).tolist()], np.float64))


def binomial(engine: Engine, out: np.ndarray, count: np.ndarray, p: np.ndarray) -> None:
    """Successes, each in a number of trials and with a probability of its own."""
    pairs = zip(count.reshape(-1).tolist(), p.reshape(-1).tolist())
    store(out, np.array([binomial_one(engine, *pair) for pair in pairs], np.float64))


def multinomial(engine: Engine, out: np.ndarray, p: np.ndarray, replacement: bool = False) -> None:
    """`out` (rows, samples) gets indices into the rows of `p`, as likely as their weights."""
    choose(out, p, replacement, lambda drawn: uniform_(engine, drawn), lambda drawn: exponential_(engine, drawn))

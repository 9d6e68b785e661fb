# cython: annotation_typing=False
"""Arrays filled with random numbers, in the order in which their elements lie in memory, as torch does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import random
from ...array_facts import is_compact

BAD_PROBABILITY = ("Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
                   "improved?  If so, please report an enhancement request to PyTorch.)")


def _draw(loop: Callable, out: np.ndarray, engine: random.Engine, *params) -> None:
    """Fill an array that is not in C order by a loop over one that is."""
    if not out.size:
        return
    lying = out.transpose(_memory_order(out))
    if is_compact(lying):
        loop(engine, lying, *params)
    else:
        drawn = np.empty(lying.shape, lying.dtype)
        loop(engine, drawn, *params)
        lying[...] = drawn


def _memory_order(array: np.ndarray) -> list[int]:
    """An array's dimensions from the outermost to the innermost in memory."""
    return sorted(range(array.ndim), key=lambda dim: -array.strides[dim])


def _filling(loop: Callable) -> Callable:
    """The kernel ``(out, engine, *params)`` of a distribution whose loop wants an array in C order."""
    def fill(out: np.ndarray, engine: random.Engine, *params) -> None:
        if is_compact(out) and out.size:
            loop(engine, out, *params)
        else:
            _draw(loop, out, engine, *params)
    fill.__doc__ = loop.__doc__
    return fill


integers = _filling(random.random_)
bernoulli = _filling(random.bernoulli_scalar_)
exponential = _filling(random.exponential_)
log_normal = _filling(random.log_normal_)
cauchy = _filling(random.cauchy_)
geometric = _filling(random.geometric_)


def uniform(out: np.ndarray, engine: random.Engine, low: float, high: float) -> None:
    """Numbers in [low, high)."""
    if is_compact(out) and out.size:
        random.uniform_(engine, out, low, high)
    else:
        _draw(random.uniform_, out, engine, low, high)


def normal(out: np.ndarray, engine: random.Engine, mean: float, std: float) -> None:
    """Normal numbers; torch has blocks of them for contiguous tensors only."""
    if is_compact(out) and out.size:
        random.normal_(engine, out, mean, std)
    else:
        _draw(random.normal_, out, engine, mean, std, True)


def bernoulli_each(out: np.ndarray, engine: random.Engine, p: np.ndarray) -> None:
    """1 with each element's own probability, else 0."""
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(BAD_PROBABILITY)
    order = _memory_order(out)
    _draw(random.bernoulli_tensor_, out.transpose(order), engine, np.ascontiguousarray(p.transpose(order)))

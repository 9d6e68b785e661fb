"""Which function works out the divergence of two kinds of distributions, and how the nearest one is found."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable

from ..api.functions import torch
from ..core.tensor import Tensor
from .distribution import Distribution

_KL_REGISTRY: dict[tuple[type, type], Callable] = {}
_KL_MEMOIZE: dict[tuple[type, type], Callable] = {}


def register_kl(type_p, type_q):
    """A decorator: this function works out ``KL(p || q)`` where p and q are of these classes."""
    if not isinstance(type_p, type) and issubclass(type_p, Distribution):
        raise TypeError(f"Expected type_p to be a Distribution subclass but got {type_p}")
    if not isinstance(type_q, type) and issubclass(type_q, Distribution):
        raise TypeError(f"Expected type_q to be a Distribution subclass but got {type_q}")

    def decorator(fun):
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()  # what was nearest may not be any more
        return fun

    return decorator


@functools.total_ordering
class _Match:
    """Classes in the order of how near they are: a subclass comes before its base, the first of a pair decides."""

    __slots__ = ["types"]

    def __init__(self, *types):
        self.types = types

    def __eq__(self, other):
        return self.types == other.types

    def __le__(self, other):
        for mine, theirs in zip(self.types, other.types):
            if not issubclass(mine, theirs):
                return False
            if mine is not theirs:
                break
        return True

    __hash__ = None


def _dispatch_kl(type_p, type_q):
    """The function of the nearest registered pair."""
    matches = [(super_p, super_q) for super_p, super_q in _KL_REGISTRY
               if issubclass(type_p, super_p) and issubclass(type_q, super_q)]
    if not matches:
        return NotImplemented
    # Once by the first class, once by the second: they should agree.
    left_p, left_q = min(_Match(*match) for match in matches).types
    right_q, right_p = min(_Match(*reversed(match)) for match in matches).types
    left, right = _KL_REGISTRY[left_p, left_q], _KL_REGISTRY[right_p, right_q]
    if left is not right:
        warnings.warn(f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please "
                      f"register_kl({left_p.__name__}, {right_q.__name__})", RuntimeWarning, stacklevel=2)
    return left


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """``KL(p || q)``, the expectation under p of ``log p - log q``, for each of the batch."""
    key = type(p), type(q)
    if key not in _KL_MEMOIZE:
        _KL_MEMOIZE[key] = _dispatch_kl(*key)
    function = _KL_MEMOIZE[key]
    if function is NotImplemented:
        raise NotImplementedError(f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type "
                                  f"{q.__class__.__name__}")
    return function(p, q)


def _infinite_like(tensor):
    return torch.full_like(tensor, math.inf)


def _x_log_x(tensor):
    """x log x, which is 0 at 0."""
    return torch.special_xlogy(tensor, tensor)

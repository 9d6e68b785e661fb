"""Sums, means, products and extremes of jagged tensors, along any dimensions that lead to tensors again."""

from __future__ import annotations

from math import inf

from ...core.geometry import wrap_dim
from ...core.tensor import Tensor, ndim_of
from ...dispatch.aten import aten
from .jagged import NestedTensor, jagged_view, with_values

# By reduction, what padding is filled with along the ragged dimension so that it changes nothing.
NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "amax": -inf, "amin": inf}


def reduced(name: str, tensor: NestedTensor, dim, keepdim: bool, dtype=None) -> Tensor:
    """A jagged tensor where its ragged dimension stays, else a plain one."""
    options = {} if dtype is None else {"dtype": dtype}
    dims = () if dim is None else tuple([wrap_dim(d, ndim_of(tensor)) for d in ((dim,) if type(dim) is int else dim)])
    ragged, values = tensor._ragged_idx, values_of(tensor)
    if not dims:
        return getattr(aten, name)(values, **options)
    if ragged not in dims:
        if 0 in dims:
            raise RuntimeError(f"{name}(): reducing along the batch dimension but not the ragged dimension is not "
                               "supported for nested tensors")
        result = _along(name, values, [d - 1 for d in dims], keepdim, options)
        return again(tensor, result, ragged if keepdim else ragged - len([d for d in dims if d < ragged]))
    if 0 in dims:  # all tensors together, and so what is in the values
        result = _along(name, values, [d - 1 for d in dims if d], keepdim, options)
        return aten.unsqueeze(result, 0) if keepdim else result
    if name == "mean":
        return _mean(tensor, dims, keepdim, options)
    return _along(name, _padded(tensor, NEUTRAL[name]), dims, keepdim, options)


def _along(name: str, values: Tensor, dims, keepdim: bool, options: dict) -> Tensor:
    if name != "prod":
        return getattr(aten, name)(values, tuple(dims), keepdim, **options)
    for d in sorted(dims, reverse=True):  # which takes one dimension at a time
        values = aten.prod(values, d, keepdim, **options)
    return values


def _mean(tensor: NestedTensor, dims, keepdim: bool, options: dict) -> Tensor:
    """The sums of each tensor by its number of elements along the reduced dimensions."""
    total = _along("sum", _padded(tensor, NEUTRAL["mean"]), dims, keepdim, options)
    others = 1
    for d in dims:
        others *= 1 if d == tensor._ragged_idx else tensor.shape[d]
    counts = aten.to(aten.diff(tensor._offsets) if tensor._lengths is None else tensor._lengths, total.dtype)
    return aten.div(total, aten.view(aten.mul(counts, others), (-1, *[1] * (ndim_of(total) - 1))))


def _padded(tensor: NestedTensor, padding: float) -> Tensor:
    """The tensors filled up to the longest, with the ragged dimension where it is."""
    ragged = tensor._ragged_idx
    if ragged == 1:
        return aten.to_padded_tensor(tensor, padding)
    turned = again(tensor, aten.transpose(values_of(tensor), 0, ragged - 1), 1)
    return aten.transpose(aten.to_padded_tensor(turned, padding), 1, ragged)


def values_of(tensor: NestedTensor) -> Tensor:
    """The values as autograd follows them, where it does."""
    return aten._nested_get_values(tensor) if tensor._mt_requires else tensor._values


def again(tensor: NestedTensor, values: Tensor, ragged: int | None = None) -> Tensor:
    """Other values at the offsets of a jagged tensor, with the history they have."""
    if not values._mt_requires:
        return with_values(tensor, values, ragged)
    kind = tensor._mt_kind
    return jagged_view(values, kind.offsets, kind.lengths, kind.ragged if ragged is None else ragged)


def work(name: str):
    """The reduction as an op that a jagged tensor answers for."""
    def reduce(func, self, dim=None, keepdim=False, *, dtype=None):
        return reduced(name, self, dim, keepdim, dtype)
    return reduce


WORKS = {name: work(name) for name in NEUTRAL}

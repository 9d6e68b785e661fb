"""Distinct values, places among sorted ones, and counts by value."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.promotion import result_type
from ...core.tensor import foreign_tensor
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes, not_implemented
from ..shared.not_differentiable import unknown_derivative
from .minmax_reduce import comparable

UNIQUE, UNIQUE_DIM = KernelTypes("unique: bool integral floating"), KernelTypes("unique_dim: bool integral floating")
SEARCHSORTED, HISTOGRAM = KernelTypes("searchsorted_out_cpu: integral floating"), KernelTypes("histogram_cpu: floating")


class Unique2(Op):
    """The distinct elements in order, where each element is among them, and how often each occurs."""

    schema = ("_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
              "-> (Tensor, Tensor, Tensor)")
    node = "Unique2Backward0"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("_unique2")

    def body(self, sorted, return_inverse, return_counts):
        UNIQUE.check(self.dtype)
        values = aten.empty((0,), dtype=self.dtype)
        inverse, counts = aten.empty((0,), dtype=dtypes.int64), aten.empty((0,), dtype=dtypes.int64)
        if self.dtype is dtypes.bool_:
            ranked = np.sort(self._mt_array, axis=None)
        else:
            starts = aten.empty((0,), dtype=dtypes.int64)
            ranked, order = [t._mt_array for t in aten.sort(aten.flatten(self))]
        new = _changes(ranked)
        _write(values, ranked[new])
        if return_inverse:
            _write(inverse, np.searchsorted(ranked[new], self._mt_array) if self.dtype is dtypes.bool_
                   else _scattered(order, np.cumsum(new) - 1, self._mt_array.shape))
        if return_counts:
            edges = np.append(np.flatnonzero(new), ranked.size)
            aten.resize_(counts, (edges.size - 1,))
            if self.dtype is not dtypes.bool_:
                _write(starts, edges)
            np.copyto(counts._mt_array, np.diff(edges))
        return values, inverse, counts


def _changes(ranked):
    """Which elements differ from the one before."""
    new = np.ones(ranked.shape, bool)
    new[1:] = ranked[1:] != ranked[:-1]
    return new


def _scattered(order, numbers, shape):
    """Numbers given in sorted order, put back to where their elements stood."""
    made = np.empty(order.shape, np.int64)
    made[order] = numbers
    return made.reshape(shape)


def _write(out, array) -> None:
    aten.resize_(out, array.shape)
    np.copyto(out._mt_array, array)


class UniqueDim(Op):
    """The distinct slices along a dimension."""

    schema = ("unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
              "-> (Tensor, Tensor, Tensor)")
    internal = "torch.unique returns what was asked for"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("unique_dim")

    def body(self, dim, sorted, return_inverse, return_counts):
        dim = _checked_dim(self, dim)
        moved = aten.moveaxis(self, dim, 0)
        if not self._mt_array.size:
            return _slices(self, moved, (), dim), _counted(np.empty(0)), _counted(np.empty(0))
        rows = np.ascontiguousarray(comparable(moved._mt_array)).reshape(moved._mt_array.shape[0], -1)
        _, first, inverse, counts = np.unique(rows, axis=0, return_index=True, return_inverse=True, return_counts=True)
        return (_slices(self, moved, first, dim), _counted(inverse.reshape(-1)), _counted(counts))


def _checked_dim(self, dim: int) -> int:
    """The dimension along which there are slices with elements, or no slices at all."""
    UNIQUE_DIM.check(self.dtype)
    if not self.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, self.dim())
    if 0 in [n for d, n in enumerate(self._mt_array.shape) if d != dim]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    return dim


def _slices(self, moved, places, dim: int):
    made = aten.empty((len(places), *moved._mt_array.shape[1:]), dtype=self.dtype)
    if len(places):
        np.copyto(made._mt_array, moved._mt_array[places])
    return aten.moveaxis(made, 0, dim)


def _counted(array):
    made = aten.empty(array.shape, dtype=dtypes.int64)
    np.copyto(made._mt_array, array, casting="unsafe")
    return made


class UniqueConsecutive(Op):
    """The elements without immediate repetitions."""

    schema = ("unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) "
              "-> (Tensor, Tensor, Tensor)")
    internal = "torch.unique_consecutive returns what was asked for"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("unique_consecutive")

    def body(self, return_inverse, return_counts, dim):
        if dim is not None and (self.dim() != 1 or wrap_dim(dim, 1)):
            return _consecutive_slices(self, _checked_dim(self, dim))
        UNIQUE.check(self.dtype)
        flat = self._mt_array.reshape(-1)
        values = aten.empty(flat.shape, dtype=self.dtype)
        inverse, counts = aten.empty((0,), dtype=dtypes.int64), aten.empty((0,), dtype=dtypes.int64)
        new = _changes(flat)
        kept = flat[new]
        if return_inverse:
            _write(inverse, (np.cumsum(new) - 1).reshape(self._mt_array.shape))
        if return_counts:
            aten.resize_(counts, flat.shape)
        _write(values, kept)
        if return_counts:
            _write(counts, np.diff(np.append(np.flatnonzero(new), flat.size)))
        return values, inverse, counts


def _consecutive_slices(self, dim: int):
    moved = aten.moveaxis(self, dim, 0)
    if not self._mt_array.size:
        return _slices(self, moved, (), dim), _counted(np.empty(0)), _counted(np.empty(0))
    rows = np.ascontiguousarray(moved._mt_array).reshape(moved._mt_array.shape[0], -1)
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    places = np.flatnonzero(new)
    counts = np.diff(np.append(places, len(rows)))
    return _slices(self, moved, places, dim), _counted(np.cumsum(new) - 1), _counted(counts)


def _search(boundaries, values, out_int32: bool, right: bool):
    """Where values would be put among sorted boundaries."""
    out = aten.empty((0,), dtype=dtypes.int32 if out_int32 else dtypes.int64)
    resize_output(out, values._mt_array.shape)
    common = result_type(boundaries, values)
    boundaries, values = [t if t.dtype is common else aten.to(t, common) for t in (boundaries, values)]
    if values._mt_array.size:
        SEARCHSORTED.check(common)
    a, v = comparable(boundaries._mt_array), comparable(values._mt_array)
    if a.ndim == 1:
        np.copyto(out._mt_array, np.searchsorted(a, v, "right" if right else "left"), casting="unsafe")
    else:  # one sequence per row: count those that come first
        before = (a[..., None, :] <= v[..., :, None]) if right else (a[..., None, :] < v[..., :, None])
        np.copyto(out._mt_array, before.sum(axis=-1), casting="unsafe")
    return out


def _not_a_sequence(boundaries) -> RuntimeError:
    return RuntimeError("torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, "
                        f"but we got boundaries tensor dim({boundaries.dim()}) and input value's dim(0) numel(1)")


def _check_side(right: bool, side: str | None) -> None:
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        raise RuntimeError("torch.searchsorted(): side and right can't be set to opposites, got side of left while "
                           "right was True")


class Searchsorted(Op):
    """Where values would be put into sorted sequences."""

    schema = ("searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, "
              "str? side=None, Tensor? sorter=None) -> Tensor")
    below = "a place has no gradient"

    def body(sorted_sequence, self, out_int32, right, side, sorter):
        sequence, values = sorted_sequence._mt_array, self._mt_array
        _check_side(right, side)
        if not sequence.ndim or not values.ndim and sequence.ndim != 1:
            raise _not_a_sequence(sorted_sequence)
        if sequence.ndim != 1 and sequence.shape[:-1] != values.shape[:-1]:
            raise RuntimeError("torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
                               "dimensions of boundaries tensor and input value tensor must match, but we got "
                               f"boundaries tensor {list(sequence.shape)} and input value tensor {list(values.shape)}")
        if sorter is not None:
            sorted_sequence = foreign_tensor(np.take_along_axis(sequence, sorter._mt_array, -1), sorted_sequence.dtype)
        return _search(sorted_sequence, self, out_int32, right or side == "right")


class SearchsortedScalar(Op):
    """Where a number would be put into a sorted sequence."""

    schema = ("searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, "
              "str? side=None, Tensor? sorter=None) -> Tensor")
    below = "a place has no gradient"

    def body(sorted_sequence, self, out_int32, right, side, sorter):
        if sorted_sequence.dim() != 1:
            raise _not_a_sequence(sorted_sequence)
        _check_side(right, side)
        if sorter is not None:
            sorted_sequence = foreign_tensor(sorted_sequence._mt_array[sorter._mt_array], sorted_sequence.dtype)
        return _search(sorted_sequence, wrap_number(self), out_int32, right or side == "right")


class Bucketize(Op):
    """Between which boundaries values lie."""

    schema = "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"
    below = "a place has no gradient"

    def body(self, boundaries, out_int32, right):
        if boundaries.dim() != 1:
            raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})")
        return _search(boundaries, self, out_int32, right)


class BucketizeScalar(Op):
    """Between which boundaries a number lies."""

    schema = "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"
    below = "a place has no gradient"

    def body(self, boundaries, out_int32, right):
        return aten.bucketize(wrap_number(self), boundaries, out_int32=out_int32, right=right)


class Histc(Op):
    """How many elements fall into each of some bins of equal width."""

    schema = "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"
    variants = "method"
    below = "a count has no gradient"

    def body(self, bins, min, max):
        if bins <= 0:
            raise RuntimeError("bins must be > 0")
        hist, edges = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=self.dtype)
        column = aten.reshape(self, (-1, 1))
        resize_output(edges, (bins + 1,))
        resize_output(hist, (bins,))
        if min == max and self._mt_array.size:
            low, high = aten.aminmax(self)
            min, max = aten.item(low), aten.item(high)
        if min == max:
            min, max = min - 1, max + 1
        if not (math.isfinite(min) and math.isfinite(max)):
            raise RuntimeError(f"torch.histc: range of [{min:g}, {max:g}] is not finite")
        if min > max:
            raise RuntimeError("torch.histc: max must be larger than min")
        if self.dtype is dtypes.bool_:
            raise not_implemented("linspace_cpu", self.dtype)
        aten.linspace(min, max, bins + 1, out=edges)
        HISTOGRAM.check(self.dtype)
        aten.fill_(hist, 0)
        column = aten.reshape(column, (self._mt_array.size, 1))
        counted = aten.zeros((1, bins), dtype=self.dtype)
        counts = np.histogram(comparable(column._mt_array), bins, (min, max))[0]
        np.copyto(counted._mt_array[0], counts, casting="unsafe")
        return aten.sum(counted, (0,), out=hist)


class Bincount(Op):
    """How often each number from zero on occurs, or the sum of its weights."""

    schema = "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"
    variants = "method"
    below = "a count has no gradient"

    def body(self, weights, minlength):
        if self.dtype.category != dtypes.INTEGRAL:
            raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{self.dtype.short}'")
        if self.dim() == 1 and self._mt_array.size == 0:
            return aten.zeros((minlength,), dtype=dtypes.int64)
        if weights is not None and weights.dtype is not dtypes.float32:
            weights = aten.to(weights, dtypes.float64)
        dtype = dtypes.int64 if weights is None else weights.dtype
        if self.dim() != 1 or aten.min(self)._mt_array.item() < 0:
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        if weights is not None and weights._mt_array.shape != self._mt_array.shape:
            raise RuntimeError("weights should be 1-d and have the same length as input")
        size = max(aten.max(self)._mt_array.item() + 1, minlength)
        out = aten.zeros((size,), dtype=dtype)
        found = np.bincount(self._mt_array, None if weights is None else weights._mt_array, size)
        np.copyto(out._mt_array, found, casting="unsafe")
        return out

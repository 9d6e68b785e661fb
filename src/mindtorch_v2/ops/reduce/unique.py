"""Distinct values, places among sorted ones, and counts by value."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.promotion import result_type
from ...core.tensor import ndim_of, numel_of, same_shape, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec, c_name
from ..shared.layout import in_order
from ..shared.not_differentiable import unknown_derivative
from ..shared.values import require_values
from .reduction import in_type

UNIQUE, UNIQUE_DIM = KernelTypes("unique: bool integral floating"), KernelTypes("unique_dim: bool integral floating")
SEARCHSORTED, HISTOGRAM = KernelTypes("searchsorted_out_cpu: integral floating"), KernelTypes("histogram_cpu: floating")


class Unique(Op):
    """The distinct elements in order, and where each element is among them."""

    schema = "_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)"
    no_grad_for = "result1"
    node = "UniqueBackward0"
    grad_self = unknown_derivative("_unique")

    def body(self, sorted, return_inverse):
        UNIQUE.check(self.dtype)
        values, inverse = _unsized(self.dtype), _unsized(dtypes.int64)
        _unsized(dtypes.int64)  # room for counts, which nobody asks for here
        if self.dtype is dtypes.bool_:
            distinct, _ = ask.unique_bools(self)
            order = None
        else:
            _unsized(dtypes.int64)
            ranked, order = aten.sort(aten.flatten(self))
            distinct, _ = ask.unique_values(ranked)
        _write(values, distinct)
        if return_inverse:
            aten.resize_(inverse, shape_of(self))
            if order is None:
                run.bool_inverse(inverse, self, values)
            else:
                run.unique_inverse(inverse, ranked, order)
        return values, inverse


class Unique2(Op):
    """The distinct elements in order, where each element is among them, and how often each occurs."""

    schema = ("_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
              "-> (Tensor, Tensor, Tensor)")
    node = "Unique2Backward0"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("_unique2")

    def body(self, sorted, return_inverse, return_counts):
        UNIQUE.check(self.dtype)
        values, inverse, counts = _unsized(self.dtype), _unsized(dtypes.int64), _unsized(dtypes.int64)
        is_bool = self.dtype is dtypes.bool_
        if is_bool:
            distinct, edges = ask.unique_bools(self)
        else:
            starts = _unsized(dtypes.int64)
            ranked, order = aten.sort(aten.flatten(self))
            distinct, edges = ask.unique_values(ranked)
        _write(values, distinct)
        if return_inverse:
            aten.resize_(inverse, shape_of(self))
            if is_bool:
                run.bool_inverse(inverse, self, values)
            else:
                run.unique_inverse(inverse, ranked, order)
        if return_counts:
            aten.resize_(counts, (len(edges) - 1,))
            if not is_bool:
                _write(starts, edges)
            run.lengths(counts, edges)
        return values, inverse, counts


def _unsized(dtype):
    return aten.empty((0,), dtype=dtype)


def _write(out, array) -> None:
    """Give a result the shape and the values of what a kernel returned."""
    aten.resize_(out, array.shape)
    run.copy(out, array)


class UniqueDim(Op):
    """The distinct slices along a dimension."""

    schema = ("unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
              "-> (Tensor, Tensor, Tensor)")
    internal = "torch.unique returns what was asked for"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("unique_dim")

    def body(self, dim, sorted, return_inverse, return_counts):
        return _distinct_slices(self, dim, False)


class UniqueDimConsecutive(Op):
    """The slices along a dimension without immediate repetitions."""

    schema = ("unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) "
              "-> (Tensor, Tensor, Tensor)")
    internal = "torch.unique_consecutive returns what was asked for"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("unique_dim_consecutive")

    def body(self, dim, return_inverse, return_counts):
        return _distinct_slices(self, dim, True)


def _distinct_slices(self, dim: int, consecutive: bool):
    """The slices that differ from the one before, for each slice its number among them, and how often each occurs."""
    dim = _checked_dim(self, dim)
    if not shape_of(self)[dim]:
        return aten.empty(shape_of(self), dtype=self.dtype), _unsized(dtypes.int64), _unsized(dtypes.int64)
    moved = aten.moveaxis(self, dim, 0)
    shape = shape_of(moved)
    rows = aten.view(in_order(moved), (shape[0], -1))
    order = ask.identity_order(rows) if consecutive else ask.order_of_slices(rows)
    if dispatcher.is_unobserved():
        return _distinct_at_once(rows, order, shape, dim)
    if not consecutive:
        rows = _in_this_order(rows, order)
    inverse, counts = aten.empty((shape[0],), dtype=dtypes.int64), aten.zeros((shape[0],), dtype=dtypes.int64)
    slices = aten.unbind(rows)
    new = [True] + [not aten.equal(slices[i], slices[i - 1]) for i in range(1, shape[0])]
    run.number_slices(inverse, counts, new, order)
    kept = [t for t, is_new in zip(slices, new) if is_new]
    counts = aten.narrow(counts, 0, 0, len(kept))
    distinct = aten.view(aten.stack(kept), (len(kept), *shape[1:]))
    return aten.moveaxis(distinct, 0, dim), inverse, counts


def _distinct_at_once(rows, order, shape, dim: int):
    """The same by a single kernel, where nobody sees which slices are compared."""
    inverse, counts = aten.empty((shape[0],), dtype=dtypes.int64), aten.zeros((shape[0],), dtype=dtypes.int64)
    new, kept = ask.distinct_rows(rows, order)
    run.number_slices(inverse, counts, new, order)
    distinct = aten.empty((len(kept), *shape[1:]), dtype=rows.dtype)
    run.copy(distinct, kept.reshape(len(kept), *shape[1:]))
    return aten.moveaxis(distinct, 0, dim), inverse, aten.narrow(counts, 0, 0, len(kept))


def _in_this_order(rows, order):
    ranked = aten.empty(shape_of(rows), dtype=rows.dtype)
    for i, place in enumerate(order):
        aten.copy_(aten.select(ranked, 0, i), aten.select(rows, 0, int(place)))
    return ranked


def _checked_dim(self, dim: int) -> int:
    """The dimension along which there are slices with elements, or no slices at all."""
    UNIQUE_DIM.check(self.dtype)
    if not self.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, self.dim())
    if 0 in [n for d, n in enumerate(shape_of(self)) if d != dim]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    return dim


class UniqueConsecutive(Op):
    """The elements without immediate repetitions."""

    schema = ("unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) "
              "-> (Tensor, Tensor, Tensor)")
    internal = "torch.unique_consecutive returns what was asked for"
    no_grad_for = "result1 result2"
    grad_self = unknown_derivative("unique_consecutive")

    def body(self, return_inverse, return_counts, dim):
        if dim is not None and (self.dim() != 1 or wrap_dim(dim, 1)):
            return _distinct_slices(self, dim, True)
        UNIQUE.check(self.dtype)
        values = aten.empty((numel_of(self),), dtype=self.dtype)
        inverse, counts = _unsized(dtypes.int64), _unsized(dtypes.int64)
        kept, numbers, lengths = ask.unique_runs(self, return_inverse)
        if return_inverse:
            _write(inverse, numbers)
        if return_counts:
            aten.resize_(counts, (numel_of(self),))
        _write(values, kept)
        if return_counts:
            _write(counts, lengths)
        return values, inverse, counts


def _search_rule(boundaries, values, out_int32: bool) -> Spec:
    if numel_of(values):
        SEARCHSORTED.check(result_type(boundaries, values))
    return Spec(shape_of(values), dtypes.int32 if out_int32 else dtypes.int64)


def _search(boundaries, values, out_int32: bool, right: bool, sorter=None, out=None):
    """Where values would be put among sorted boundaries."""
    spec = _search_rule(boundaries, values, out_int32)
    out = resize_output(_unsized(spec.dtype) if out is None else out, spec.shape)
    common = result_type(boundaries, values)
    boundaries, values, places = in_order(in_type(boundaries, common)), in_order(in_type(values, common)), in_order(out)
    run.searchsorted(places, boundaries, values, sorter, right)
    return out if places is out else aten.copy_(out, places)


def _check_places(out, out_int32: bool) -> None:
    if out is not None and out.dtype is not (dtypes.int32 if out_int32 else dtypes.int64):
        raise RuntimeError("torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
                           "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype "
                           f"{out.dtype.short} and out_int32 flag is {out_int32}")


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
    variants = "Tensor_out"
    below = "a place has no gradient"

    def meta(sorted_sequence, self, out_int32, right, side, sorter, out=None):
        sequence, values = shape_of(sorted_sequence), shape_of(self)
        _check_side(right, side)
        if not sequence or not values and len(sequence) != 1:
            raise _not_a_sequence(sorted_sequence)
        if len(sequence) != 1 and sequence[:-1] != values[:-1]:
            raise RuntimeError("torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
                               "dimensions of boundaries tensor and input value tensor must match, but we got "
                               f"boundaries tensor {list(sequence)} and input value tensor {list(values)}")
        _check_places(out, out_int32)
        return _search_rule(sorted_sequence, self, out_int32)

    def body(sorted_sequence, self, out_int32, right, side, sorter, out=None):
        return _search(sorted_sequence, self, out_int32, right or side == "right", sorter, out)


class SearchsortedScalar(Op):
    """Where a number would be put into a sorted sequence."""

    schema = ("searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, "
              "str? side=None, Tensor? sorter=None) -> Tensor")
    variants = "Scalar_out"
    below = "a place has no gradient"

    def meta(sorted_sequence, self, out_int32, right, side, sorter, out=None):
        if ndim_of(sorted_sequence) != 1:
            raise _not_a_sequence(sorted_sequence)
        _check_side(right, side)
        _check_places(out, out_int32)
        return _search_rule(sorted_sequence, wrap_number(self), out_int32)

    def body(sorted_sequence, self, out_int32, right, side, sorter, out=None):
        return _search(sorted_sequence, wrap_number(self), out_int32, right or side == "right", sorter, out)


class Bucketize(Op):
    """Between which boundaries values lie."""

    schema = "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"
    variants = "Tensor_out"
    below = "a place has no gradient"

    def meta(self, boundaries, out_int32, right, out=None):
        if ndim_of(boundaries) != 1:
            raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({ndim_of(boundaries)})")
        _check_places(out, out_int32)
        return _search_rule(boundaries, self, out_int32)

    def body(self, boundaries, out_int32, right, out=None):
        return _search(boundaries, self, out_int32, right, out=out)


class BucketizeScalar(Op):
    """Between which boundaries a number lies."""

    schema = "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"
    below = "a place has no gradient"

    def body(self, boundaries, out_int32, right):
        return aten.bucketize(wrap_number(self), boundaries, out_int32=out_int32, right=right)


class Histc(Op):
    """How many elements fall into each of some bins of equal width."""

    schema = "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"
    variants = "method out"
    overlap = "expanded_out shares_inputs"
    below = "a count has no gradient"

    def meta(self, bins, min, max, out=None):
        if bins <= 0:
            raise RuntimeError("bins must be > 0")
        if out is not None and out.dtype is not self.dtype:
            raise RuntimeError("torch.histogram: input tensor and hist tensor should have the same dtype, but got "
                               f"input {c_name(self.dtype)} and hist {c_name(out.dtype)}")
        return Spec((bins,), self.dtype)

    def body(self, bins, min, max, out=None):
        hist = _unsized(self.dtype) if out is None else out
        edges = _unsized(self.dtype)
        column = aten.reshape(self, (-1, 1))
        resize_output(edges, (bins + 1,))
        resize_output(hist, (bins,))
        if min == max and numel_of(self) and has_values(self):  # without values there is no range to look for
            low, high = aten.aminmax(self)
            min, max = aten.item(low), aten.item(high)
        if min == max:
            min, max = min - 1, max + 1
        if not (math.isfinite(min) and math.isfinite(max)):
            raise RuntimeError(f"torch.histc: range of [{min:g}, {max:g}] is not finite")
        if min > max:
            raise RuntimeError("torch.histc: max must be larger than min")
        aten.linspace(min, max, bins + 1, out=edges)
        HISTOGRAM.check(self.dtype)
        aten.fill_(hist, 0)
        column = aten.reshape(column, (numel_of(self), 1))
        counted = aten.zeros((1, bins), dtype=self.dtype)
        run.histogram(counted, column, min, max)
        return aten.sum(counted, (0,), out=hist)


class Bincount(Op):
    """How often each number from zero on occurs, or the sum of its weights."""

    schema = "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"
    variants = "method"
    below = "a count has no gradient"

    def body(self, weights, minlength):
        if self.dtype.category != dtypes.INTEGRAL:
            raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{self.dtype.short}'")
        if ndim_of(self) == 1 and numel_of(self) == 0:
            return aten.zeros((minlength,), dtype=dtypes.int64)
        if weights is not None and weights.dtype is not dtypes.float32:
            weights = aten.to(weights, dtypes.float64)
        dtype = dtypes.int64 if weights is None else weights.dtype
        require_values("bincount", self)
        if ndim_of(self) != 1 or ask.item(aten.min(self)) < 0:
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        if weights is not None and not same_shape(weights, self):
            raise RuntimeError("weights should be 1-d and have the same length as input")
        size = max(ask.item(aten.max(self)) + 1, minlength)
        out = aten.zeros((size,), dtype=dtype)
        run.bincount(out, self, weights)
        return out

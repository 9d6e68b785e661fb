"""Order: sorting, the k largest, and values picked by rank."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core import geometry
from ...core.geometry import wrap_dim
from ...core.tensor import blank
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import reduced_shape
from ..create.factories import EmptyStrided
from .minmax_reduce import all_equal_gradient, check_not_empty, comparable

MEDIAN, MEDIAN_DIM = KernelTypes("median_cpu: integral floating"), KernelTypes("median_out: integral floating")
KTHVALUE, MODE = KernelTypes("kthvalue_cpu: integral floating"), KernelTypes("mode_cpu: bool integral floating")


def order_of(array, dim: int, descending: bool):
    """The places of the elements in order; equal ones keep theirs, NaN is the largest."""
    array = comparable(array)
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    turned = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return np.flip(array.shape[dim] - 1 - turned, dim)


def _no_complex(name: str, self) -> None:
    if self.dtype.is_complex:
        raise RuntimeError(f"{name} does not support complex dtypes on CPU")


def _like(self, dtype):
    """Memory for a result that lies as another tensor does."""
    shape, strides = self._mt_array.shape, self.stride()
    if not geometry.is_non_overlapping_and_dense(shape, strides):
        return blank(shape, dtype)
    return EmptyStrided.body(shape, strides, dtype, None, None, None)


class Sort(Op):
    """The elements in order along a dimension, and where they stood."""

    schema = "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    results = "values indices"

    def body(self, dim, descending):
        return aten.sort(self, stable=False, dim=dim, descending=descending)

    def grad_self(grad, self_shape, dim, indices):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, True)


class SortStable(Op):
    """The elements in order, equal ones in the order they had."""

    schema = ("sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) "
              "-> (Tensor values, Tensor indices)")
    variants = "method"
    node = "SortBackward1"
    results = "values indices"

    def body(self, stable, dim, descending):
        shape = self._mt_array.shape
        dim = wrap_dim(dim, len(shape))
        _no_complex(" Sort", self)
        values, indices = _like(self, self.dtype), _like(self, dtypes.int64)
        aten.copy_(values, self)
        if not shape:
            return values, aten.zero_(indices)
        places = aten.arange(0, shape[dim])
        row = tuple(shape[dim] if d == dim else 1 for d in range(len(shape)))
        steps = tuple(1 if d == dim else 0 for d in range(len(shape)))
        aten.copy_(indices, aten.as_strided(places, row, steps))
        if values._mt_array.size:
            order = order_of(self._mt_array, dim, descending)
            np.copyto(indices._mt_array, order)
            np.copyto(values._mt_array, np.take_along_axis(self._mt_array, order, dim))
        return values, indices

    def grad_self(grad, self_shape, dim, indices):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, True)


class Argsort(Op):
    """The places that put a dimension in order."""

    schema = "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"
    variants = "method"

    def body(self, dim, descending):
        return aten.sort(self, dim, descending)[1]


class ArgsortStable(Op):
    """The places that put a dimension in order, equal elements in the order they had."""

    schema = "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"
    variants = "method"

    def body(self, stable, dim, descending):
        return aten.sort(self, stable=stable, dim=dim, descending=descending)[1]


class Msort(Op):
    """Sorted along the first dimension."""

    schema = "msort(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.sort(self, 0, False)[0]


class Topk(Op):
    """The k largest (or smallest) elements along a dimension, and where they stand."""

    schema = ("topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) "
              "-> (Tensor values, Tensor indices)")
    variants = "method"
    results = "values indices"

    def body(self, k, dim, largest, sorted):
        shape = self._mt_array.shape
        dim = wrap_dim(dim, len(shape))
        if not 0 <= k <= (shape[dim] if shape else 1):
            raise RuntimeError("selected index k out of range")
        _no_complex(" topk", self)
        if self.dtype is dtypes.bool_:
            raise RuntimeError("topk does not support bool dtypes on CPU")
        kept = tuple(k if d == dim else n for d, n in enumerate(shape))
        values, indices = blank(kept, self.dtype), blank(kept, dtypes.int64)
        if not shape:
            return aten.copy_(values, self), aten.zero_(indices)
        if values._mt_array.size:
            at = first_of(self._mt_array, k, dim, largest)
            np.copyto(indices._mt_array, at)
            np.copyto(values._mt_array, np.take_along_axis(self._mt_array, at, dim))
        return values, indices

    def grad_self(grad, self_shape, dim, indices):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, True)


def first_of(array, k: int, dim: int, largest: bool):
    """The places of the first k in order; where few of many are wanted, the rest is left unsorted."""
    size = array.shape[dim]
    plain = comparable(array)
    if size < 1024 or k * 8 > size or (plain.dtype.kind == "f" and np.isnan(plain).any()):
        return np.take(order_of(array, dim, largest), range(k), axis=dim)
    near = np.argpartition(plain, size - k if largest else k - 1, axis=dim)
    near = np.take(near, range(size - k, size) if largest else range(k), axis=dim)
    near.sort(axis=dim)
    return np.take_along_axis(near, order_of(np.take_along_axis(plain, near, dim), dim, largest), dim)


def _ranked(self, rank, dim: int):
    """The element of a rank along a dimension and its place, with that dimension kept."""
    at = np.take(order_of(self._mt_array, dim, False), [rank], axis=dim)
    return np.take_along_axis(self._mt_array, at, dim), at


class Median(Op):
    """The element in the middle, the lower one of two; NaN if there is any."""

    schema = "median(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if self._mt_array.size == 0:
            return _middle_of_nothing(self.dtype)
        MEDIAN.check(self.dtype)
        flat = np.sort(comparable(aten.clone(self)._mt_array), axis=None)
        out = aten.empty((), dtype=self.dtype)
        middle = -1 if flat.dtype.kind == "f" and np.isnan(flat[-1]) else (flat.size - 1) // 2
        out._mt_array[()] = flat[middle]
        return out

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


def _middle_of_nothing(dtype):
    """NaN, which torch casts to integers as the processor does."""
    if dtype.category != dtypes.INTEGRAL:
        return aten.full((), float("nan"), dtype=dtype)
    return aten.full((), np.iinfo(dtype.numpy).min if dtype.itemsize >= 4 else 0, dtype=dtype)


class MedianDim(Op):
    """The middle elements along a dimension, and where they stand."""

    schema = "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    node = "MedianBackward1"
    results = "values indices"

    def body(self, dim, keepdim):
        values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        return aten.median(self, dim, keepdim, values=values, indices=indices)

    def grad_self(grad, self_shape, dim, indices, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class MedianDimValues(Op):
    """The middle elements along a dimension, into given tensors."""

    schema = ("median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) "
              "-> (Tensor(a!) values, Tensor(b!) indices)")
    below = "writes into tensors"
    internal = "the form that fills given tensors, inside the one that makes them"

    def body(self, dim, keepdim, values, indices):
        shape = self._mt_array.shape
        dim = wrap_dim(dim, len(shape))
        check_not_empty("median", shape, (dim,))
        MEDIAN_DIM.check(self.dtype)
        kept = reduced_shape(shape, dim, keepdim)
        resize_output(values, kept)
        resize_output(indices, kept)
        outs = (values, indices)
        if not shape:
            self = aten.unsqueeze(self, 0)
        if not keepdim or not shape:
            outs = tuple([aten.unsqueeze(out, dim) for out in outs])
        if shape and self.stride()[dim] != 1:
            self = _moved_last(self, dim)
            self = self if self.is_contiguous() else aten.contiguous(self)
            outs, dim = [_moved_last(out, dim) for out in outs], -1
        if values._mt_array.size:
            found, at = _middle(self, dim)
            np.copyto(outs[0]._mt_array, found)
            np.copyto(outs[1]._mt_array, at)
        return values, indices


def _moved_last(t, dim: int):
    """A tensor with one dimension behind all others."""
    return aten.squeeze_(aten.transpose_(aten.unsqueeze(t, -1), dim, -1), dim)


def _middle(self, dim: int):
    """The median along a dimension, or the first NaN there."""
    found, at = _ranked(self, (self._mt_array.shape[dim] - 1) // 2, dim)
    plain = comparable(self._mt_array)
    if plain.dtype.kind == "f" and np.isnan(plain).any():
        bad = np.isnan(plain)
        at = np.where(bad.any(axis=dim, keepdims=True), np.expand_dims(bad.argmax(axis=dim), dim), at)
        found = np.take_along_axis(self._mt_array, at, dim)
    return found, at


class Kthvalue(Op):
    """The k-th smallest elements along a dimension, and where they stand."""

    schema = "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    results = "values indices"

    def body(self, k, dim, keepdim):
        values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        return aten.kthvalue(self, k, dim, keepdim, values=values, indices=indices)

    def grad_self(grad, self_shape, dim, indices, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class KthvalueValues(Op):
    """The k-th smallest elements along a dimension, into given tensors."""

    schema = ("kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
              "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")
    below = "writes into tensors"
    internal = "the form that fills given tensors, inside the one that makes them"

    def body(self, k, dim, keepdim, values, indices):
        shape = self._mt_array.shape
        dim = wrap_dim(dim, len(shape))
        check_not_empty("kthvalue", shape, (dim,))
        if not 1 <= k <= (shape[dim] if shape else 1):
            raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
        whole = reduced_shape(shape, dim, True)
        for out in (values, indices):
            if not keepdim and out._mt_array.ndim == len(shape) - 1:
                aten.unsqueeze_(out, dim)
            resize_output(out, whole)
        if not shape:
            return aten.copy_(values, self), aten.zero_(indices)
        KTHVALUE.check(self.dtype)
        scratch = aten.clone(self, memory_format=_contiguous()), aten.empty(shape, dtype=dtypes.int64)
        np.copyto(scratch[1]._mt_array, order_of(scratch[0]._mt_array, dim, False))
        np.copyto(indices._mt_array, np.take(scratch[1]._mt_array, [k - 1], axis=dim))
        np.copyto(values._mt_array, np.take_along_axis(self._mt_array, indices._mt_array, dim))
        if not keepdim:
            values, indices = aten.squeeze_(values, dim), aten.squeeze_(indices, dim)
        return values, indices


def _contiguous():
    from ...core.device import contiguous_format
    return contiguous_format


class Mode(Op):
    """The most frequent elements along a dimension (of several the smallest), and where the last of them stands."""

    schema = "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    results = "values indices"

    def body(self, dim, keepdim):
        shape = self._mt_array.shape
        dim = wrap_dim(dim, len(shape))
        check_not_empty("mode", shape, (dim,))
        outs = [aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)]
        if not shape:
            for out in outs:
                resize_output(out, ())
            return aten.copy_(outs[0], self), aten.zero_(outs[1])
        if self._mt_array.size:
            MODE.check(self.dtype)
        if not keepdim and dim <= 1:
            outs = [aten.unsqueeze_(out, dim) for out in outs]
        for out in outs:
            resize_output(out, reduced_shape(shape, dim, True))
        if outs[0]._mt_array.size:
            at = np.expand_dims(_most_frequent(np.moveaxis(comparable(self._mt_array), dim, -1)), dim)
            np.copyto(outs[1]._mt_array, at)
            np.copyto(outs[0]._mt_array, np.take_along_axis(self._mt_array, at, dim))
        return tuple(outs if keepdim else [aten.squeeze_(out, dim) for out in outs])

    def grad_self(grad, self_shape, dim, indices, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


def _most_frequent(array):
    """Along the last dimension: the place of the last of the most frequent, smallest elements."""
    order = np.argsort(array, axis=-1, kind="stable")
    ranked = np.take_along_axis(array, order, -1)
    places = np.arange(array.shape[-1])
    starts = np.ones(ranked.shape, bool)
    starts[..., 1:] = ranked[..., 1:] != ranked[..., :-1]
    run = places - np.maximum.accumulate(np.where(starts, places, 0), axis=-1)  # how many equal ones come before
    last = np.argmax(run, axis=-1)
    return np.take_along_axis(order, last[..., None], -1)[..., 0]



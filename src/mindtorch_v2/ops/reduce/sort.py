# cython: annotation_typing=False
"""Order: sorting, the k largest, and values picked by rank."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core import geometry
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.memory_overlap import is_dense
from ...core.tensor import ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec
from ..shared.layout import unsized
from .minmax_reduce import all_equal_gradient
from .reduction import check_not_empty, reduced

MEDIAN, MEDIAN_DIM = KernelTypes("median_cpu: integral floating"), KernelTypes("median_out: integral floating")
KTHVALUE, MODE = KernelTypes("kthvalue_cpu: integral floating"), KernelTypes("mode_cpu: bool integral floating")
MEDIAN_VALUES = ("Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type "
                 "{given_tensor} does not equal {wanted_tensor} (while checking arguments for median)")
MEDIAN_INDICES = ("Expected tensor for argument #1 'indices' to have scalar type Long; but got {given_tensor} instead "
                  "(while checking arguments for median)")
SHARES = "shares_inputs"
_INT_BYTES = 4  # NaN cast to a narrower integer is zero


def _no_complex(name: str, self) -> None:
    if self.dtype.is_complex:
        raise RuntimeError(f"{name} does not support complex dtypes on CPU")


def ranked_rule(self, dim: int, keepdim: bool) -> tuple[Spec, Spec]:
    """Values picked along a dimension, and their places."""
    return reduced(self, dim, keepdim, self.dtype), reduced(self, dim, keepdim, dtypes.int64)


def selected_gradient(grad, self_shape, dim, indices, keepdim):
    """Each gradient goes back to where its value stood."""
    return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


def sorted_gradient(grad, self_shape, dim, indices):
    """The same for results that have the dimension."""
    return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, True)


def _sort_rule(self, stable, dim, descending) -> tuple[Spec, Spec]:
    wrap_dim(dim, ndim_of(self))
    _no_complex(" Sort", self)
    shape, strides = shape_of(self), strides_of(self)
    if not geometry.is_non_overlapping_and_dense(shape, strides):
        strides = geometry.contiguous_strides(shape)
    return Spec(shape, self.dtype, strides or None), Spec(shape, dtypes.int64, strides or None)


def _sort_into(values, indices, self, stable, dim, descending) -> None:
    shape = shape_of(self)
    if shape and is_unobserved() and is_dense(values) and is_dense(indices):  # the long way refuses expanded ones
        run.sort(values, indices, self, wrap_dim(dim, len(shape)), descending)
        return
    aten.copy_(values, self)
    if not shape:
        aten.zero_(indices)
        return
    dim = wrap_dim(dim, len(shape))
    places = aten.arange(0, shape[dim])
    row = tuple(shape[dim] if d == dim else 1 for d in range(len(shape)))
    steps = tuple(1 if d == dim else 0 for d in range(len(shape)))
    aten.copy_(indices, aten.as_strided(places, row, steps))
    run.sort(values, indices, self, dim, descending)


class Sort(Op):
    """The elements in order along a dimension, and where they stood."""

    schema = "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"
    variants = "method values"
    results = "values indices"
    overlap = SHARES

    def meta(self, dim, descending):
        return _sort_rule(self, False, dim, descending)

    def body(self, dim, descending):
        return aten.sort(self, stable=False, dim=dim, descending=descending)

    def into(values, indices, self, dim, descending):
        _sort_into(values, indices, self, False, dim, descending)

    grad_self = sorted_gradient


class SortStable(Op):
    """The elements in order, equal ones in the order they had."""

    schema = ("sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) "
              "-> (Tensor values, Tensor indices)")
    variants = "method values_stable"
    node = "SortBackward1"
    results = "values indices"
    overlap = SHARES
    meta, into = _sort_rule, _sort_into
    grad_self = sorted_gradient


class Argsort(Op):
    """The places that put a dimension in order."""

    schema = "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"
    variants = "method"

    def body(self, dim, descending):
        return aten.sort(self, dim, descending)[1]


class ArgsortStable(Op):
    """The places that put a dimension in order, equal elements in the order they had."""

    schema = "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"
    variants = "method out"

    def body(self, stable, dim, descending):
        return aten.sort(self, stable=stable, dim=dim, descending=descending)[1]

    def out(self, stable, dim, descending, out):
        values = unsized(self.dtype)
        return aten.sort(self, stable=stable, dim=dim, descending=descending, values=values, indices=out)[1]


class Msort(Op):
    """Sorted along the first dimension."""

    schema = "msort(Tensor self) -> Tensor"
    variants = "method out"

    def body(self):
        return aten.sort(self, 0, False)[0]

    def out(self, out):
        return aten.sort(self, 0, False, values=out, indices=unsized(dtypes.int64))[0]


class Topk(Op):
    """The k largest (or smallest) elements along a dimension, and where they stand."""

    schema = ("topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) "
              "-> (Tensor values, Tensor indices)")
    variants = "method values"
    results = "values indices"
    overlap = SHARES

    def meta(self, k, dim, largest, sorted):
        shape = shape_of(self)
        dim = wrap_dim(dim, len(shape))
        if not 0 <= k <= (shape[dim] if shape else 1):
            raise RuntimeError("selected index k out of range")
        _no_complex(" topk", self)
        if self.dtype is dtypes.bool_:
            raise RuntimeError("topk does not support bool dtypes on CPU")
        kept = tuple(k if d == dim else n for d, n in enumerate(shape))
        return Spec(kept, self.dtype), Spec(kept, dtypes.int64)

    def into(values, indices, self, k, dim, largest, sorted):
        if ndim_of(self):
            run.topk(values, indices, self, k, wrap_dim(dim, ndim_of(self)), largest)
        else:
            aten.copy_(values, self)
            aten.zero_(indices)

    grad_self = sorted_gradient


class Median(Op):
    """The element in the middle, the lower one of two; NaN if there is any."""

    schema = "median(Tensor self) -> Tensor"
    variants = "method"

    def meta(self):
        if numel_of(self):
            MEDIAN.check(self.dtype)
        return Spec((), self.dtype)

    def body(self):
        if numel_of(self) == 0:
            return middle_of_nothing(self.dtype)
        copied = aten.clone(self)
        out = aten.empty((), dtype=self.dtype)
        run.median(out, copied)
        return out

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


def middle_of_nothing(dtype):
    """NaN, which torch casts to integers as the processor does."""
    if dtype.category != dtypes.INTEGRAL:
        return aten.full((), float("nan"), dtype=dtype)
    return aten.full((), dtypes.iinfo(dtype).min if dtype.itemsize >= _INT_BYTES else 0, dtype=dtype)


class MedianDim(Op):
    """The middle elements along a dimension, and where they stand."""

    schema = "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    node = "MedianBackward1"
    results = "values indices"

    def body(self, dim, keepdim):
        values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        return aten.median(self, dim, keepdim, values=values, indices=indices)

    grad_self = selected_gradient


class MedianDimValues(Op):
    """The middle elements along a dimension, into given tensors."""

    schema = ("median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) indices) "
              "-> (Tensor(a!) values, Tensor(b!) indices)")
    below = "writes into tensors"
    results = "values indices"
    out_words = (MEDIAN_VALUES, MEDIAN_INDICES)

    def meta(self, dim, keepdim):
        check_not_empty("median()", self, dim)
        MEDIAN_DIM.check(self.dtype)
        return ranked_rule(self, dim, keepdim)

    def into(values, indices, self, dim, keepdim):
        middle_along(run.median_along, values, indices, self, dim, keepdim)


def middle_along(kernel, values, indices, self, dim: int, keepdim: bool) -> None:
    """Run a kernel on lines that lie one after the other, as torch looks at them."""
    shape = shape_of(self)
    dim = wrap_dim(dim, len(shape))
    if not shape:
        self = aten.unsqueeze(self, 0)
    if not keepdim or not shape:
        values, indices = aten.unsqueeze(values, dim), aten.unsqueeze(indices, dim)
    if shape and strides_of(self)[dim] != 1:
        self = _moved_last(self, dim)
        self = self if self.is_contiguous() else aten.contiguous(self)
        values, indices, dim = _moved_last(values, dim), _moved_last(indices, dim), -1
    kernel(values, indices, self, dim)


def _moved_last(t, dim: int):
    """A tensor with one dimension behind all others."""
    return aten.squeeze_(aten.transpose_(aten.unsqueeze(t, -1), dim, -1), dim)


class Kthvalue(Op):
    """The k-th smallest elements along a dimension, and where they stand."""

    schema = "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    results = "values indices"

    def body(self, k, dim, keepdim):
        values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        return aten.kthvalue(self, k, dim, keepdim, values=values, indices=indices)

    grad_self = selected_gradient


class KthvalueValues(Op):
    """The k-th smallest elements along a dimension, into given tensors."""

    schema = ("kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
              "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")
    below = "writes into tensors"
    results = "values indices"

    def meta(self, k, dim, keepdim, values, indices):
        shape = shape_of(self)
        dim = wrap_dim(dim, len(shape))
        check_not_empty("kthvalue()", self, dim)
        if not 1 <= k <= (shape[dim] if shape else 1):
            raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
        if values.dtype is not self.dtype:
            raise RuntimeError("output values must be of same type as input")
        if indices.dtype is not dtypes.int64:
            raise RuntimeError("output indices must be of scalar type Long")
        if shape:
            KTHVALUE.check(self.dtype)
        return ranked_rule(self, dim, keepdim)

    def body(self, k, dim, keepdim, values, indices):
        shape = shape_of(self)
        dim = wrap_dim(dim, len(shape))
        whole = reduced(self, dim, True, self.dtype).shape
        for out in (values, indices):
            if not keepdim and ndim_of(out) == len(shape) - 1:
                aten.unsqueeze_(out, dim)
            resize_output(out, whole)
        if not shape:
            return aten.copy_(values, self), aten.zero_(indices)
        copied, order = aten.clone(self, memory_format=contiguous_format), aten.empty(shape, dtype=dtypes.int64)
        run.kthvalue(values, indices, order, copied, k, dim)
        if not keepdim:
            values, indices = aten.squeeze_(values, dim), aten.squeeze_(indices, dim)
        return values, indices


class Mode(Op):
    """The most frequent elements along a dimension (of several the smallest), and where the last of them stands."""

    schema = "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method values"
    results = "values indices"
    overlap = SHARES

    def meta(self, dim, keepdim, values=None, indices=None):
        specs = ranked_rule(self, dim, keepdim)
        for name, out, spec in zip(("values", "indices"), (values, indices), specs):
            if out is not None and out.dtype is not spec.dtype:
                raise RuntimeError(f"expected scalar type '{spec.dtype.short}' but got '{out.dtype.short}' for {name} "
                                   "output")
        check_not_empty("mode()", self, dim)
        if ndim_of(self) and numel_of(self):
            MODE.check(self.dtype)
        return specs

    def body(self, dim, keepdim, values=None, indices=None):
        if values is None:
            values, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=dtypes.int64)
        if not ndim_of(self):
            return aten.fill_(aten.resize_(values, ()), self), aten.fill_(aten.resize_(indices, ()), 0)
        dim, outs = wrap_dim(dim, ndim_of(self)), (values, indices)
        for out in outs:
            if not keepdim and ndim_of(out) >= dim:
                aten.unsqueeze_(out, dim)
        for out in outs:
            resize_output(out, reduced(self, dim, True, self.dtype).shape)
        run.mode(values, indices, self, dim)
        if not keepdim:
            for out in outs:
                aten.squeeze_(out, dim)
        return outs

    grad_self = selected_gradient

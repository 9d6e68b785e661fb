# cython: annotation_typing=False
"""gather and scatter: one position along one dimension for every element."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.dtype import FLOATING
from ...core.geometry import wrap_dim
from ...core.tensor import Tensor, is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import into
from ..shared.not_differentiable import UNKNOWN, unknown

NO_FORMULA = "torch has no derivative for it"
WIDE_ROW = 16  # elements from which on torch adds whole rows


def _checked_index(index, name: str) -> None:
    if numel_of(index) and index.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def places_of(index):
    """Positions as int64; torch shows the cast even where there is none to do."""
    if index.dtype is dtypes.int64 and dispatcher.is_unobserved():
        return index
    return aten.to(index, dtypes.int64)


class Gather(Op):
    """From each line along a dimension, the elements at given positions."""

    schema = "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"
    overlap = "spares_inputs"
    variants = "method out"

    def meta(self, dim, index, sparse_grad):
        _gatherable(self, wrap_dim(dim, ndim_of(self)), index)
        return Spec(shape_of(index), self.dtype)

    def into(out, self, dim, index, sparse_grad):
        if numel_of(index):
            run.gather(out, self, places_of(index), wrap_dim(dim, ndim_of(self)))

    def grad_self(grad, self, dim, index, sparse_grad):
        return aten.gather_backward(grad, self, dim, index, sparse_grad)


def _gatherable(self, dim: int, index) -> None:
    _checked_index(index, "gather")
    if not numel_of(index):
        return
    have, want = shape_of(self) or (1,), shape_of(index) or (1,)
    if len(have) != len(want):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for d, (n, m) in enumerate(zip(have, want)):
        if d != dim and m > n:
            raise RuntimeError(f"Size does not match at dimension {d} expected index {list(want)} to be no larger "
                               f"than self {list(have)} apart from dimension {dim}")


class GatherBackward(Op):
    """The gradient of gather(): every element back to where it came from."""

    schema = "gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor"
    internal = "a derivative"

    def body(grad, self, dim, index, sparse_grad):
        if sparse_grad:
            return aten._gather_sparse_backward(self, dim, index, grad)
        return aten.scatter_add_(aten.new_zeros(grad, shape_of(self)), dim, index, grad)


def scatterable(self, dim, index, src, *_) -> Spec:
    at = wrap_dim(dim, ndim_of(self))
    _checked_index(index, "scatter")
    if isinstance(src, Tensor) and src.dtype is not self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if numel_of(index):
        _same_rank(self, at, index, src if isinstance(src, Tensor) else None)
    return Spec(shape_of(self), self.dtype)


def _same_rank(self, dim: int, index, src) -> None:
    have, want = shape_of(self) or (1,), shape_of(index) or (1,)
    if len(have) != len(want):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    too_large = any([m > n for d, (n, m) in enumerate(zip(have, want)) if d != dim])
    if src is None:
        if too_large:
            raise RuntimeError(f"Expected index {list(want)} to be no larger than self {list(have)} apart from "
                               f"dimension {dim}")
        return
    given = shape_of(src) or (1,)
    if len(given) != len(want):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if too_large or any([m > n for n, m in zip(given, want)]):
        raise RuntimeError(f"Expected index {list(want)} to be no larger than self {list(have)} apart from dimension "
                           f"{dim} and to be no larger size than src {list(given)}")


def _written(kernel, out, self, dim: int, index, src) -> None:
    """A copy of self, or self in its place, with values at given positions along a dimension."""
    if out is not self:
        aten.copy_(out, self)
    if numel_of(index):
        places = index if kernel is run.scatter_add and _is_wide(out, dim, index, src) else places_of(index)
        kernel(out, places, src, wrap_dim(dim, ndim_of(out)))


def _is_wide(out, dim: int, index, src) -> bool:
    """Whether torch adds whole rows: they share a position, lie dense, and have at least 16 elements."""
    width = shape_of(index)[1:]
    return (isinstance(src, Tensor) and ndim_of(out) > 1 and wrap_dim(dim, ndim_of(out)) == 0
            and math.prod(width) >= WIDE_ROW and out.dtype.category == FLOATING
            and shape_of(out)[1:] == width and shape_of(src)[1:] == width
            and strides_of(index) == (1, *[0] * len(width)) and is_in_order(out) and is_in_order(src))


def _all_but_written(grad, dim, index):
    return aten.scatter(grad, dim, index, 0)


def _picked(grad, dim, index):
    return aten.gather(grad, dim, index)


class ScatterSrc(Op):
    """Elements of a source at given positions along a dimension."""

    schema = "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"
    overlap = "spares_others"
    variants = "method inplace out"
    meta = scatterable
    grad_self, grad_src = _all_but_written, _picked

    def into(out, self, dim, index, src):
        _written(run.scatter, out, self, dim, index, src)


class ScatterValue(Op):
    """A number at given positions along a dimension."""

    schema = "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"
    overlap = "spares_others"
    scalars = "same: value"
    variants = "method inplace out"
    node = "ScatterBackward1"
    meta = scatterable
    grad_self = _all_but_written

    def into(out, self, dim, index, value):
        _written(run.scatter, out, self, dim, index, value)


_REDUCTIONS = {"add": run.scatter_add, "multiply": run.scatter_multiply}


def _combinable(self, dim, index, src, reduce) -> Spec:
    spec = scatterable(self, dim, index, src)
    if reduce not in _REDUCTIONS:
        raise RuntimeError("reduce argument must be either add or multiply.")
    return spec


class ScatterReduce(Op):
    """Elements of a source added to, or multiplied into, given positions."""

    schema = "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"
    overlap = "spares_others"
    variants = "method inplace out"
    no_formula = NO_FORMULA
    meta = _combinable
    node, grads_of, grads = UNKNOWN, "self src", unknown("scatter")

    def into(out, self, dim, index, src, reduce):
        _written(_REDUCTIONS[reduce], out, self, dim, index, src)


class ScatterValueReduce(Op):
    """A number added to, or multiplied into, given positions."""

    schema = "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"
    overlap = "spares_others"
    scalars = "same: value"
    variants = "method inplace out"
    no_formula = NO_FORMULA
    meta = _combinable
    node, grads_of, grads = UNKNOWN, "self", unknown("scatter")

    def into(out, self, dim, index, value, reduce):
        _written(_REDUCTIONS[reduce], out, self, dim, index, value)


class ScatterAdd(Op):
    """Elements of a source added at given positions along a dimension."""

    schema = "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"
    overlap = "spares_others"
    variants = "method inplace out"
    meta = scatterable
    grad_src = _picked

    def into(out, self, dim, index, src):
        _written(run.scatter_add, out, self, dim, index, src)

    def grad_self(grad):
        return grad


class TakeAlongDim(Op):
    """gather() that broadcasts, and counts all elements where no dimension is given."""

    schema = "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"
    variants = "method out"

    def body(self, indices, dim, out=None):
        if indices.dtype is not dtypes.int64:
            raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got " + indices.dtype.short)
        if dim is None:
            return aten.gather(aten.view(self, (-1,)), 0, aten.view(indices, (-1,)), **into(out))
        if ndim_of(self) != ndim_of(indices):
            raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of "
                               f"dimensions, but got {ndim_of(self)} dimensions for input, and {ndim_of(indices)} "
                               "dimensions for indices")
        dim = wrap_dim(dim, ndim_of(self))
        places = aten.broadcast_to(indices, _except(shape_of(self), dim, shape_of(indices)))
        wide = aten.broadcast_to(self, _except(shape_of(places), dim, shape_of(self)))
        return aten.gather(wide, dim, aten.remainder(places, shape_of(wide)[dim]), **into(out))


def _except(shape, dim: int, other) -> tuple[int, ...]:
    """Two shapes broadcast, but for one dimension that stays the other's."""
    return tuple([m if d == dim else max(n, m) if n and m else 0 for d, (n, m) in enumerate(zip(shape, other))])


class OneHot(Op):
    """F.one_hot: a one at each class, zeros elsewhere."""

    schema = "one_hot(Tensor self, int num_classes=-1) -> Tensor"
    internal = "F.one_hot"

    def body(self, num_classes):
        if self.dtype is not dtypes.int64:
            raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
        shape = shape_of(self)
        if not numel_of(self):
            if num_classes <= 0:
                raise RuntimeError("Can not infer total number of classes from empty tensor.")
            return aten.empty((*shape, num_classes), dtype=self.dtype)
        num_classes = _classes(self, num_classes)
        zeros = aten.zeros((*shape, num_classes), dtype=self.dtype, layout=strided)
        return aten.scatter_(zeros, -1, aten.unsqueeze(self, -1), 1)


def _classes(self, num_classes: int) -> int:
    """How many classes there are, where every class is one of them."""
    if num_classes > 0 and not has_values(self):
        return num_classes
    least, largest = aten.aminmax(self)
    if aten.item(least) < 0:
        raise RuntimeError("Class values must be non-negative.")
    top = aten.item(largest)
    if num_classes == -1:
        return top + 1
    if num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    if top >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return num_classes

"""gather and scatter: one position along one dimension for every element."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.dtype import FLOATING
from ...core.geometry import wrap_dim
from ...core.tensor import blank
from ...devices import cpu as kernels
from ...devices.cpu.errstate import silent
from ...dispatch.aten import aten
from ...opdef.form import Op


def _checked_index(index, name: str) -> None:
    if index.numel() and index.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def _positions(index, size: int, dim: int):
    """Positions as int64; torch shows the cast even where there is none to do."""
    return _check_places(aten.to(index, dtypes.int64)._mt_array, size, dim)


def _check_places(places, size: int, dim: int):
    if places.size:
        bad = (places < 0) | (places >= size)
        if bad.any():
            raise RuntimeError(f"index {places[bad].flat[0]} is out of bounds for dimension {dim} with size {size}")
    return places


def _part(array, shape, dim: int):
    """The corner of an array that an index of a smaller shape speaks of."""
    if all([n == m for d, (n, m) in enumerate(zip(array.shape, shape)) if d != dim]):
        return array
    return array[tuple([slice(None) if d == dim else slice(n) for d, n in enumerate(shape)])]


class Gather(Op):
    """From each line along a dimension, the elements at given positions."""

    schema = "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"
    variants = "method"

    def body(self, dim, index, sparse_grad):
        at = wrap_dim(dim, self.dim())
        out = blank(index._mt_array.shape, self.dtype)
        _gatherable(self, at, index)
        if not index.numel():
            return out
        places = _positions(index, self._mt_array.shape[at] if self.dim() else 1, at)
        if not self.dim():
            out._mt_array[...] = self._mt_array
        else:
            np.copyto(out._mt_array, np.take_along_axis(_part(self._mt_array, places.shape, at), places, at))
        return out

    def grad_self(grad, self, dim, index, sparse_grad):
        return aten.gather_backward(grad, self, dim, index, sparse_grad)


def _gatherable(self, dim: int, index) -> None:
    _checked_index(index, "gather")
    if not index.numel():
        return
    have, want = self._mt_array.shape or (1,), index._mt_array.shape or (1,)
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
        return aten.scatter_add_(aten.new_zeros(grad, self._mt_array.shape), dim, index, grad)


def _scatterable(self, dim, index, src, *_) -> None:
    at = wrap_dim(dim, self.dim())
    _checked_index(index, "scatter")
    if hasattr(src, "_mt_array") and src.dtype is not self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if index.numel():
        _same_rank(self, at, index, src if hasattr(src, "_mt_array") else None)


def _same_rank(self, dim: int, index, src) -> None:
    have, want = self._mt_array.shape or (1,), index._mt_array.shape or (1,)
    if len(have) != len(want):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    too_large = any([m > n for d, (n, m) in enumerate(zip(have, want)) if d != dim])
    if src is None:
        if too_large:
            raise RuntimeError(f"Expected index {list(want)} to be no larger than self {list(have)} apart from "
                               f"dimension {dim}")
        return
    given = src._mt_array.shape or (1,)
    if len(given) != len(want):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if too_large or any([m > n for n, m in zip(given, want)]):
        raise RuntimeError(f"Expected index {list(want)} to be no larger than self {list(have)} apart from dimension "
                           f"{dim} and to be no larger size than src {list(given)}")


def _lines(out, dim: int, index):
    """The array written to, the dimension, and where along it; a scalar counts as one line of one element."""
    at = wrap_dim(dim, out.dim())
    places = _positions(index, out._mt_array.shape[at] if out.dim() else 1, at)
    if out.dim():
        return out._mt_array, at, places
    return out._mt_array.reshape(1), 0, places.reshape(1)


def _corner(src, shape):
    """As much of a source as an index has positions; a number serves for all."""
    if not hasattr(src, "_mt_array"):
        return src
    return src._mt_array.reshape(src._mt_array.shape or (1,))[tuple([slice(n) for n in shape])]


def _write(out, dim: int, index, src):
    """Each value to its position; where positions repeat, the last stays."""
    if index.numel():
        array, at, places = _lines(out, dim, index)
        np.put_along_axis(_part(array, places.shape, at), places, _corner(src, places.shape), at)
    return out


@silent
def _combine(out, dim: int, index, src, ufunc):
    """Each value into its position; where positions repeat, one after the other."""
    if not index.numel():
        return out
    if ufunc is np.add and _is_wide(out, dim, index, src):
        array, at, places = out._mt_array, 0, _check_places(index._mt_array, len(out._mt_array), 0)
    else:
        array, at, places = _lines(out, dim, index)
    values = _corner(src, places.shape)
    if ufunc is np.add and _is_rows(array, at, places):
        rows = array.reshape(len(array), -1)
        kernels.embedding.index_add(rows, np.ascontiguousarray(places.reshape(len(places), -1)[:, 0]),
                                    np.ascontiguousarray(values).reshape(len(places), -1), 1.0)
        return out
    grid = list(np.ogrid[tuple([slice(n) for n in places.shape])])
    grid[at] = places
    ufunc.at(array, tuple(grid), values)
    return out


def _is_rows(array, dim: int, places) -> bool:
    """Whether whole rows share a position, as index_add() asks for."""
    return (dim == 0 and array.ndim > 1 and array.flags.c_contiguous and array.dtype.char in "fd"
            and places.shape[1:] == array.shape[1:] and not any(places.strides[1:]))


def _is_wide(out, dim: int, index, src) -> bool:
    """Whether torch adds whole rows: they share a position, lie dense, and have at least 16 elements."""
    width = index._mt_array.shape[1:]
    return (out.dim() > 1 and wrap_dim(dim, out.dim()) == 0 and math.prod(width) >= 16
            and out.dtype.category == FLOATING and out._mt_array.shape[1:] == width and src._mt_array.shape[1:] == width
            and index.stride() == (1, *[0] * len(width)) and out.is_contiguous() and src.is_contiguous())


def _copy_of(self):
    return aten.copy_(blank(self._mt_array.shape, self.dtype), self)


def _all_but_written(grad, dim, index):
    return aten.scatter(grad, dim, index, 0)


def _picked(grad, dim, index):
    return aten.gather(grad, dim, index)


class ScatterSrc(Op):
    """Elements of a source at given positions along a dimension."""

    schema = "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"
    meta = _scatterable
    inplace = _write
    grad_self, grad_src = _all_but_written, _picked

    def body(self, dim, index, src):
        return _write(_copy_of(self), dim, index, src)


class ScatterValue(Op):
    """A number at given positions along a dimension."""

    schema = "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"
    overlap = "spares_inputs"
    scalars = "same: value"
    variants = "method inplace"
    node = "ScatterBackward1"
    meta = _scatterable
    inplace = _write
    grad_self = _all_but_written

    def body(self, dim, index, value):
        return _write(_copy_of(self), dim, index, value)


_REDUCTIONS = {"add": np.add, "multiply": np.multiply}


def _reduction(reduce: str):
    if reduce not in _REDUCTIONS:
        raise RuntimeError("reduce argument must be either add or multiply.")
    return _REDUCTIONS[reduce]


class ScatterReduceInPlace(Op):
    """Elements of a source added to, or multiplied into, given positions of the tensor itself."""

    schema = "scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)"
    overlap = "spares_inputs"
    variants = "method"
    meta = _scatterable
    below = "writes its result itself"

    def body(self, dim, index, src, reduce):
        return _combine(self, dim, index, src, _reduction(reduce))


class ScatterValueReduceInPlace(Op):
    """A number added to, or multiplied into, given positions of the tensor itself."""

    schema = "scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)"
    overlap = "spares_inputs"
    scalars = "same: value"
    variants = "method"
    meta = _scatterable
    below = "writes its result itself"

    def body(self, dim, index, value, reduce):
        return _combine(self, dim, index, value, _reduction(reduce))


class ScatterAdd(Op):
    """Elements of a source added at given positions along a dimension."""

    schema = "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"
    meta = _scatterable
    grad_src = _picked

    def body(self, dim, index, src):
        return _combine(_copy_of(self), dim, index, src, np.add)

    def inplace(self, dim, index, src):
        return _combine(self, dim, index, src, np.add)

    def grad_self(grad):
        return grad


class TakeAlongDim(Op):
    """gather() that broadcasts, and counts all elements where no dimension is given."""

    schema = "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"
    variants = "method"

    def body(self, indices, dim):
        if indices.dtype is not dtypes.int64:
            raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got " + indices.dtype.short)
        if dim is None:
            return aten.gather(aten.view(self, (-1,)), 0, aten.view(indices, (-1,)))
        if self.dim() != indices.dim():
            raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of "
                               f"dimensions, but got {self.dim()} dimensions for input, and {indices.dim()} dimensions "
                               f"for indices")
        dim = wrap_dim(dim, self.dim())
        places = aten.broadcast_to(indices, _except(self._mt_array.shape, dim, indices._mt_array.shape))
        wide = aten.broadcast_to(self, _except(places._mt_array.shape, dim, self._mt_array.shape))
        return aten.gather(wide, dim, aten.remainder(places, wide._mt_array.shape[dim]))


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
        shape = self._mt_array.shape
        if not self.numel():
            if num_classes <= 0:
                raise RuntimeError("Can not infer total number of classes from empty tensor.")
            return aten.empty((*shape, num_classes), dtype=self.dtype)
        num_classes = _classes(self, num_classes)
        made = aten.zeros((*shape, num_classes), dtype=self.dtype, layout=strided)
        return aten.scatter_(made, -1, aten.unsqueeze(self, -1), 1)


def _classes(self, num_classes: int) -> int:
    """How many classes there are, where every class is one of them."""
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

"""The largest and the smallest, and where they stand. NaN is larger and smaller than everything."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim, wrap_dims
from ...core.tensor import blank
from ...devices.cpu.errstate import silent
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import reduced_shape
from .sums import accumulator


def check_not_empty(name: str, shape, dims) -> None:
    """A dimension without elements has no largest one."""
    for d in wrap_dims(dims, len(shape)):
        if shape and shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


def _lowest(dtype, sign: int):
    """What every element of a type beats: the neutral value of a maximum (sign 1) or a minimum (sign -1)."""
    if dtype.category >= dtypes.FLOATING:
        return -sign * float("inf")
    if dtype is dtypes.bool_:
        return sign < 0
    info = np.iinfo(dtype.numpy)
    return int(info.min if sign > 0 else info.max)


def _extreme(name: str, ufunc, sign: int, self, dim, keepdim: bool):
    shape = self._mt_array.shape
    if self._mt_array.size == 0 and not len(dim):
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                           "reduction dim with the 'dim' argument.")
    check_not_empty(name, shape, dim)
    if self.dtype.is_complex and self._mt_array.size:
        raise not_implemented("max_values_cpu" if sign > 0 else "min_values_cpu", self.dtype)
    out = blank(reduced_shape(shape, dim, keepdim), self.dtype)
    shown = out if keepdim else accumulator(out, shape, dim)
    if self._mt_array.size:
        if sign > 0 or self.dtype is not dtypes.int64:  # torch's minimum of int64 starts from an element
            aten.fill_(shown, _lowest(self.dtype, sign))
        if shape:
            ufunc.reduce(self._mt_array, axis=wrap_dims(dim, len(shape)), out=shown._mt_array, keepdims=True)
        else:
            np.copyto(out._mt_array, self._mt_array)
    return out


def restored(t, dims, ndim: int, keepdim: bool):
    """A reduced tensor with ones where its dimensions were."""
    if keepdim:
        return t
    shape = list(t._mt_array.shape)
    for d in sorted(wrap_dims(dims, ndim)) if len(dims) else ():
        shape.insert(d, 1)
    return aten.reshape(t, tuple(shape))


def share_among(grad, chosen, dims):
    """The gradient divided among all elements that are the extreme one."""
    return aten.mul(aten.div(grad, aten.sum(chosen, dims, True)), chosen)


class Amax(Op):
    """The largest element over some dimensions."""

    schema = "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, keepdim):
        return _extreme("amax", np.maximum, 1, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        chosen = aten.eq(restored(result, dim, self.dim(), keepdim), self)
        return share_among(restored(grad, dim, self.dim(), keepdim), chosen, dim)


class Amin(Op):
    """The smallest element over some dimensions."""

    schema = "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, keepdim):
        return _extreme("amin", np.minimum, -1, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        chosen = aten.eq(restored(result, dim, self.dim(), keepdim), self)
        return share_among(restored(grad, dim, self.dim(), keepdim), chosen, dim)


class Aminmax(Op):
    """The smallest and the largest element."""

    schema = "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"
    variants = "method"
    results = "min max"

    def body(self, dim, keepdim):
        if self.dtype.is_complex and (dim is not None or self._mt_array.size):
            raise not_implemented("aminmax_cpu", self.dtype)
        shape = self._mt_array.shape
        if dim is None:
            if self._mt_array.size == 0:
                raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
                                   "identity.")
            outs = [blank((1,) * len(shape) if keepdim else (), self.dtype) for _ in range(2)]
            for out, ufunc in zip(outs, (np.minimum, np.maximum)):
                aten.fill_(out, ufunc.reduce(self._mt_array, axis=None).item() if shape else self._mt_array.item())
            return tuple(outs)
        check_not_empty("aminmax", shape, (dim,))
        dim = wrap_dim(dim, len(shape))
        outs = [blank(reduced_shape(shape, dim, keepdim), self.dtype) for _ in range(2)]
        kept = bool(keepdim or not shape)
        if not kept:
            outs = [aten.unsqueeze_(out, dim) for out in outs]
        for out, ufunc in zip(outs, (np.minimum, np.maximum)):
            np.copyto(out._mt_array, ufunc.reduce(self._mt_array, axis=dim, keepdims=True) if shape else self._mt_array)
        return tuple(outs if kept else [aten.squeeze_(out, dim) for out in outs])

    def grad_self(grads, self, min, max, dim, keepdim):
        dims = () if dim is None else (dim,)
        total = None
        for grad, found in zip(grads, (min, max)):
            if grad is None:
                continue
            if not keepdim:
                shape = tuple(1 if d in wrap_dims(dims, self.dim()) else n for d, n in enumerate(self._mt_array.shape))
                grad, found = aten.reshape(grad, shape), aten.reshape(found, shape)
            part = share_among(grad, aten.eq(self, found), dims)
            total = part if total is None else aten.add(total, part)
        return total


def all_equal_gradient(grad, self, result):
    """The gradient of an extreme of everything, shared among all elements equal to it."""
    nan = aten.item(aten.isnan(result))
    chosen = aten.isnan(self) if nan else aten.eq(self, result)
    made = aten.new_zeros(grad, self._mt_array.shape)
    return aten.masked_fill_(made, chosen, aten.div(grad, aten.sum(chosen)))


def _whole(name: str, ufunc, self):
    if self._mt_array.size == 0:
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                           "reduction dim with the 'dim' argument.")
    if self.dtype.category == dtypes.COMPLEX:
        raise not_implemented(f"{name}_all", self.dtype)
    out = aten.empty((), dtype=self.dtype, layout=strided)
    array = self._mt_array
    return aten.fill_(out, ufunc.reduce(array, axis=None).item() if array.ndim else array.item())


@silent
def _along(name: str, where, ufunc, self, dim: int, keepdim: bool):
    """Extremes along a dimension and their places; the results are shown with that dimension while they are written."""
    shape = self._mt_array.shape
    dim = wrap_dim(dim, len(shape))
    check_not_empty(name, shape, (dim,))
    if self.dtype.category == dtypes.COMPLEX:
        raise RuntimeError(f"{name}(): does not support complex input")
    kept = reduced_shape(shape, dim, keepdim)
    values, indices = blank(kept, self.dtype), blank(kept, dtypes.int64)
    if not shape:
        aten.fill_(values, self)
        aten.fill_(indices, 0)
        return values, indices
    if not keepdim:
        values, indices = aten.unsqueeze_(values, dim), aten.unsqueeze_(indices, dim)
    if values._mt_array.size:
        where(comparable(self._mt_array), dim, indices._mt_array, keepdims=True)
        ufunc.reduce(self._mt_array, dim, None, values._mt_array, True)
    if not keepdim:
        values, indices = aten.squeeze_(values, dim), aten.squeeze_(indices, dim)
    return values, indices


def comparable(array):
    """An array NumPy can order: half precision as float32."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 and array.dtype.kind not in "iu" else array


class Max(Op):
    """The largest element."""

    schema = "max(Tensor self) -> Tensor"
    variants = "method"
    node = "MaxBackward1"

    def body(self):
        return _whole("max", np.maximum, self)

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


class MaxDim(Op):
    """The largest elements along a dimension, and where they stand."""

    schema = "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    node = "MaxBackward0"
    results = "values indices"

    def body(self, dim, keepdim):
        return _along("max", np.ndarray.argmax, np.maximum, self, dim, keepdim)

    def grad_self(grad, self_shape, indices, dim, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class MaxOther(Op):
    """The larger of two tensors, element by element."""

    schema = "max.other(Tensor self, Tensor other) -> Tensor"
    variants = "method"

    def body(self, other):
        return aten.maximum(self, other)


class Min(Op):
    """The smallest element."""

    schema = "min(Tensor self) -> Tensor"
    variants = "method"
    node = "MinBackward1"

    def body(self):
        return _whole("min", np.minimum, self)

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


class MinDim(Op):
    """The smallest elements along a dimension, and where they stand."""

    schema = "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method"
    node = "MinBackward0"
    results = "values indices"

    def body(self, dim, keepdim):
        return _along("min", np.ndarray.argmin, np.minimum, self, dim, keepdim)

    def grad_self(grad, self_shape, indices, dim, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class MinOther(Op):
    """The smaller of two tensors, element by element."""

    schema = "min.other(Tensor self, Tensor other) -> Tensor"
    variants = "method"

    def body(self, other):
        return aten.minimum(self, other)


class ValueSelectingReductionBackward(Op):
    """The gradient of values chosen along a dimension: each goes back to where its value stood."""

    schema = ("value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) "
              "-> Tensor")

    def body(grad, dim, indices, sizes, keepdim):
        if not keepdim and len(sizes):
            grad, indices = aten.unsqueeze(grad, dim), aten.unsqueeze(indices, dim)
        return aten.scatter_(aten.zeros(tuple(sizes), dtype=grad.dtype, layout=strided), dim, indices, grad)


def _place(name: str, where, self, dim, keepdim: bool):
    shape = self._mt_array.shape
    if self.dtype is dtypes.bool_ or self.dtype.is_complex:
        kind = "complex" if self.dtype.is_complex else "bool"
        raise RuntimeError(f"{name}(): does not support {kind} input")
    if dim is None and self._mt_array.size == 0:
        raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
    if dim is not None:
        check_not_empty(name, shape, (dim,))
    out = blank(reduced_shape(shape, dim, keepdim), dtypes.int64)
    flat = dim is None
    if flat:
        self, dim = aten.reshape(self, (-1,)), 0
    elif not shape:
        self = aten.reshape(self, (1,))
    shown = out if keepdim and not flat and shape else accumulator_of(out, self._mt_array.shape, dim)
    if out._mt_array.size:
        where(comparable(self._mt_array), dim, shown._mt_array, keepdims=True)
    return out


def accumulator_of(out, shape, dim: int):
    """A result of one dimension's reduction seen with that dimension, whatever shape it has itself."""
    if out._mt_array.size == 1 and len(shape) == 1:
        return aten.as_strided(out, (1,), (0,))
    return accumulator(out, shape, (dim,))


class Argmax(Op):
    """Where the largest element stands."""

    schema = "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"
    variants = "method"
    below = "a place has no gradient"

    def body(self, dim, keepdim):
        return _place("argmax", np.ndarray.argmax, self, dim, keepdim)


class Argmin(Op):
    """Where the smallest element stands."""

    schema = "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"
    variants = "method"
    below = "a place has no gradient"

    def body(self, dim, keepdim):
        return _place("argmin", np.ndarray.argmin, self, dim, keepdim)

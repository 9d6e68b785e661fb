"""What all reductions share: the rule for their results, and those results seen with the reduced dimensions."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import drop_dim, wrap_dims
from ...core.tensor import Tensor, is_row_major, ndim_of, offset_of, shape_of, strides_of, window_of
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.rules import c_name, reduced_shape
from ...opdef.spec import Spec
from ..create.copy import Fill

_FILL = Fill.op
NUMBERS = {dtype: Spec((), dtype) for dtype in dtypes.ALL}  # results of reductions of everything


def reduced(self, dim, keepdim, dtype) -> Spec:
    """A result without the reduced dimensions, or with ones in their place."""
    if isinstance(dim, int):
        return Spec(drop_dim(shape_of(self), dim, keepdim), dtype)
    if not dim and not keepdim:
        return NUMBERS[dtype]
    if dim and len(dim) == 1:
        return Spec(drop_dim(shape_of(self), dim[0], keepdim), dtype)
    return Spec(reduced_shape(shape_of(self), dim, keepdim), dtype)


def sum_type(self, dtype):
    """Integers and booleans are summed, and multiplied, as int64."""
    return dtype or (dtypes.int64 if self.dtype.category < dtypes.FLOATING else self.dtype)


def sum_rule(self, dim=None, keepdim=False, dtype=None) -> Spec:
    """Sums and products over some dimensions."""
    return reduced(self, dim, keepdim, sum_type(self, dtype))


def check_asked(out, dtype) -> None:
    """Who asks for a type must get it; else a sum may be written into any."""
    if dtype is not None and out.dtype is not dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {c_name(dtype)}, but got {c_name(out.dtype)} instead")


def accumulator(out, self, dim, keepdim):
    """The result of a reduction seen with its reduced dimensions, as torch shows it.

    Kernels do without those where the result lies in C order.
    """
    if keepdim or dispatcher.is_unobserved() and is_row_major(out):
        return out
    shape = shape_of(self)
    if dim is None or dim == ():
        return _shown(out, (1,) * len(shape), (0,) * len(shape))
    gone = wrap_dims(dim, len(shape))
    kept, strides, steps = [], [], iter(strides_of(out))
    for i, size in enumerate(shape):
        if i in gone:
            kept.append(1)
            strides.append(0)
        else:
            kept.append(size)
            strides.append(next(steps))
    return _shown(out, tuple(kept), tuple(strides))


def _shown(out, shape, strides):
    """as_strided, which view.py declares later; its row is shown where somebody looks."""
    if not dispatcher.is_plain():
        return dispatcher.call(aten.as_strided.only, (out, shape, strides, None))
    row = -1 if dispatcher.is_unobserved() else dispatcher.begin_row(aten.as_strided.only, (out, shape, strides, None))
    try:
        return window_of(out, shape, strides, offset_of(out))
    finally:
        if row >= 0:
            dispatcher.end_row(row)


def prefill(shown, value) -> None:
    """Fill a result with its neutral value, as torch shows; kernels overwrite it, so that it need not be done."""
    if not dispatcher.is_unobserved() and not dispatcher.is_shown(_FILL, (shown, value)):
        dispatcher.call(_FILL, (shown, value))


def in_type(self, dtype):
    """The tensor itself if it is of a type, else a copy that is, which shows as rows."""
    return self if self.dtype is dtype else aten.to(self, dtype)


def count(shape, dim) -> int:
    """How many elements go into one result."""
    total = 1
    for d in wrap_dims(dim, len(shape)):
        total *= shape[d]
    return total


def unsqueezed(t, shape, dim, keepdim: bool):
    """A reduced tensor with ones where dimensions were reduced; a reduction of everything broadcasts as it is."""
    if not keepdim and len(shape) and dim is not None:
        for d in (dim,) if isinstance(dim, int) else sorted(wrap_dims(dim, len(shape))) if len(dim) else ():
            t = aten.unsqueeze(t, d)
    return t


def expand_back(grad, shape, dim, keepdim: bool):
    """The gradient of a sum, one for each element that went into it."""
    return aten.expand(unsqueezed(grad, shape, dim, keepdim), tuple(shape))


def check_not_empty(name: str, self: Tensor, dim) -> None:
    """A dimension without elements has no largest one."""
    shape, dims = shape_of(self), wrap_dims(dim, ndim_of(self))
    for given in dim if not isinstance(dim, int) and dim else dims:  # lists are shown as they came
        if shape and shape[given] == 0:
            raise IndexError(f"{name}: Expected reduction dim {given} to have non-zero size.")

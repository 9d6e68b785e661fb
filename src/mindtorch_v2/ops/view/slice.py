"""Parts of a tensor as views: one index, a range, a diagonal, windows; and their gradients, parts of zeros."""

from __future__ import annotations

from ...core.device import strided as strided_layout
from ...core.dtype import int64
from ...core.geometry import replaced, wrap_dim
from ...core.tensor import Tensor, offset_of, shape_of, strides_of, window_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from .view import strided

_END = (1 << 63) - 1  # as far as a dimension goes


class Select(Op):
    """One index of a dimension, which disappears."""

    schema = "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim, index):
        shape, strides = shape_of(self), strides_of(self)
        if not shape:
            raise IndexError("select() cannot be applied to a 0-dim tensor.")
        dim = wrap_dim(dim, len(shape))
        size = shape[dim]
        if not -size <= index < size:
            raise IndexError(f"select(): index {index} out of range for tensor of size {list(shape)} at dimension "
                             f"{dim}")
        if index < 0:
            index += size
        return strided(self, shape[:dim] + shape[dim + 1:], strides[:dim] + strides[dim + 1:],
                       offset_of(self) + index * strides[dim])

    def grad_self(grad, self_shape, dim, index):
        return aten.select_backward(grad, self_shape, dim, index)


class SelectBackward(Op):
    """The gradient of select(): zeros with the gradient at one index."""

    schema = "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor"
    node = "SelectBackwardBackward0"
    internal = "a derivative"

    def body(grad_output, input_sizes, dim, index):
        whole = aten.zeros(input_sizes, dtype=grad_output.dtype, layout=strided_layout)
        aten.copy_(aten.select(whole, dim, index), grad_output)
        return whole

    def grad_grad_output(grad, dim, index):
        return aten.select(grad, dim, index)


class Slice(Op):
    """A range of a dimension."""

    schema = ("slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
              "Tensor(a)")
    internal = "x[start:end:step]"

    def body(self: Tensor, dim, start, end, step):
        shape, strides = shape_of(self), strides_of(self)
        if not shape:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        dim = wrap_dim(dim, len(shape))
        if step <= 0:
            raise RuntimeError("slice step must be positive")
        first, last = sliced(shape[dim], start, end)
        shown = replaced(shape, dim, (last - first + step - 1) // step)
        steps = strides if step == 1 else replaced(strides, dim, strides[dim] * step)
        return strided(self, shown, steps, offset_of(self) + first * strides[dim])

    def grad_self(grad, self_shape, dim, start, end, step):
        return aten.slice_backward(grad, self_shape, dim, start or 0, _END if end is None else end, step)


def sliced(size: int, start: int | None, end: int | None) -> tuple[int, int]:
    """First index and the one past the last, clamped as Python clamps a slice."""
    first = 0 if start is None else max(start + size, 0) if start < 0 else min(start, size)
    last = size if end is None else max(end + size, 0) if end < 0 else min(end, size)
    return first, max(first, last)


class SliceBackward(Op):
    """The gradient of a slice: zeros with the gradient in a range."""

    schema = ("slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt "
              "step) "
              "-> Tensor")
    node = "SliceBackwardBackward0"
    internal = "a derivative"

    def body(grad_output, input_sizes, dim, start, end, step):
        whole = aten.zeros(input_sizes, dtype=grad_output.dtype, layout=strided_layout)
        aten.copy_(aten.slice(whole, dim, start, end, step), grad_output)
        return whole

    def grad_grad_output(grad, dim, start, end, step):
        return aten.slice(grad, dim, start, end, step)


class NarrowTensor(Op):
    """narrow() whose start is a tensor of one integer."""

    schema = "narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim, start, length):
        if start.dim() != 0 or start.dtype.category != 1:
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        return narrow(self, dim, aten.item(start), length)


class Narrow(Op):
    """A range of a dimension by start and length."""

    schema = "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim, start, length):
        shape = shape_of(self)
        if not shape:
            raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
        if length < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        size = shape[wrap_dim(dim, len(shape))]
        if not -size <= start <= size:
            raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
        if start < 0:
            start += size
        if start + length > size:
            raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
        return dispatcher.call(_SLICE, (self, dim, start, start + length, 1))


def narrow(self, dim: int, start: int, length: int):
    """narrow() on arguments that need no reading."""
    return dispatcher.call(_NARROW, (self, dim, start, length))


class Diagonal(Op):
    """The diagonal of two dimensions as the last one."""

    schema = "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, offset, dim1, dim2):
        shape, strides = shape_of(self), strides_of(self)
        ndim = len(shape)
        first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
        if first == second:
            raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
        rows, columns = shape[first], shape[second]
        length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
        start = offset_of(self)
        if length:
            start += offset * strides[second] if offset >= 0 else -offset * strides[first]
        rest = [i for i in range(ndim) if i != first and i != second]
        return strided(self, (*[shape[i] for i in rest], length),
                       (*[strides[i] for i in rest], strides[first] + strides[second]), start)

    def grad_self(grad, self_shape, offset, dim1, dim2):
        return aten.diagonal_backward(grad, self_shape, offset, dim1, dim2)


class DiagonalBackward(Op):
    """The gradient of diagonal(): zeros with the gradient on the diagonal."""

    schema = ("diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor")
    node = "DiagonalBackwardBackward0"
    internal = "a derivative"

    def body(grad_output, input_sizes, offset, dim1, dim2):
        whole = aten.zeros(input_sizes, dtype=grad_output.dtype, layout=strided_layout)
        aten.copy_(aten.diagonal(whole, offset, dim1, dim2), grad_output)
        return whole

    def grad_grad_output(grad, offset, dim1, dim2):
        return aten.diagonal(grad, offset, dim1, dim2)


class Unfold(Op):
    """Windows of a dimension, laid along a new last one."""

    schema = "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dimension, size, step):
        shape, strides = shape_of(self) or (1,), strides_of(self) or (1,)
        dim = wrap_dim(dimension, len(shape))
        if size < 0:
            raise RuntimeError(f"size is {size} but must be >= 0")
        if size > shape[dim]:
            raise RuntimeError(f"maximum size for tensor at dimension {dim} is {shape[dim]} but size is {size}")
        if step <= 0:
            raise RuntimeError(f"step is {step} but must be > 0")
        count = (shape[dim] - size) // step + 1
        if not self.dim():
            return strided(self, (size,), (1,))
        return strided(self, (*shape[:dim], count, *shape[dim + 1:], size),
                       (*strides[:dim], strides[dim] * step, *strides[dim + 1:], strides[dim]))

    def grad_self(grad, self_shape, dimension, size, step):
        return aten.unfold_backward(grad, self_shape, dimension, size, step)


class UnfoldBackward(Op):
    """The gradient of unfold(): what windows share is added up."""

    schema = "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor"
    node = "UnfoldBackwardBackward0"
    internal = "a derivative"

    def meta(grad_in, input_sizes, *_):
        return Spec(tuple(input_sizes), grad_in.dtype)

    def body(grad_in, input_sizes, dim, size, step):
        whole = aten.zeros(input_sizes, dtype=grad_in.dtype, layout=strided_layout)
        if step >= size:  # windows that do not overlap
            aten.copy_(aten.unfold(whole, dim, size, step), grad_in)
            return whole
        _show_iteration(whole, grad_in, wrap_dim(dim, max(whole.dim(), 1)), size, step)
        run.add_windows(_windows(whole, wrap_dim(dim, max(whole.dim(), 1)), size, step), grad_in, size, step)
        return whole

    def grad_grad_in(grad, dim, size, step):
        return aten.unfold(grad, dim, size, step)


def _windows(self, dim: int, size: int, step: int):
    """What unfold gives, without a row."""
    shape, strides = shape_of(self), strides_of(self)
    count = (shape[dim] - size) // step + 1
    return window_of(self, (*shape[:dim], count, *shape[dim + 1:], size),
                     (*strides[:dim], strides[dim] * step, *strides[dim + 1:], strides[dim]), 0)


def _show_iteration(whole, grad_in, dim: int, size: int, step: int) -> None:
    """The rows of torch's loop over all elements of the result that some window covers, and the memory it asks for."""
    covered = min(shape_of(whole)[dim], (shape_of(grad_in)[dim] - 1) * step + size)
    sizes = (*shape_of(whole)[:dim], covered, *shape_of(whole)[dim + 1:])
    aten.as_strided(whole, sizes, strides_of(whole))
    steps = list(strides_of(grad_in)[:-1])
    steps[dim] = 0
    aten.as_strided(aten.squeeze(grad_in, -1), sizes, steps)
    places = aten.arange(0, covered, dtype=int64)
    aten.as_strided(places, sizes, [int(d == dim) for d in range(len(sizes))])


# The ops called above, looked up once.
_NARROW = Narrow.op
_SLICE = Slice.op

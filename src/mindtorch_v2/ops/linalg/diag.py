# cython: annotation_typing=False
"""Diagonals copied out of matrices and laid into them."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import fit
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..reduce.reduction import sum_type
from ..shared.layout import in_order, into

MADE_OF_OTHERS = "torch writes such a form by calling the other and copying"


class DiagonalCopy(Op):
    """diagonal() as a copy."""

    schema = "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor"
    node = "DiagonalBackward0_copy"
    variants = "out"
    no_formula = MADE_OF_OTHERS

    def body(self, offset, dim1, dim2):
        return aten.clone(aten.diagonal(self, offset, dim1, dim2), memory_format=contiguous_format)

    def out(self, offset, dim1, dim2, out):
        return _copied_into(out, aten.diagonal_copy(self, offset, dim1, dim2))

    def grad_self(grad, self_shape, offset, dim1, dim2):
        return aten.diagonal_backward(grad, self_shape, offset, dim1, dim2)


class DiagEmbed(Op):
    """Matrices that are zero but for a diagonal, which the last dimension gives."""

    schema = "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"
    variants = "method"

    def body(self, offset, dim1, dim2):
        shape = shape_of(self)
        first, second = wrap_dim(dim1, len(shape) + 1), wrap_dim(dim2, len(shape) + 1)
        if first == second:
            raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
        if not shape:
            raise IndexError("Dimension specified as -1 but tensor has no dimensions")
        size, rest = shape[-1] + abs(offset), iter(shape[:-1])
        sizes = tuple([size if d in (first, second) else next(rest) for d in range(len(shape) + 1)])
        matrix = aten.zeros(sizes, dtype=self.dtype)
        aten.copy_(aten.diagonal(matrix, offset, first, second), self)
        return matrix

    def grad_self(grad, offset, dim1, dim2):
        return aten.diagonal(grad, offset, dim1, dim2)


class DiagEmbedOut(Op):
    """diag_embed() into a given tensor."""

    schema = ("diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) "
              "-> Tensor(a!)")
    no_formula = MADE_OF_OTHERS
    internal = "torch.diag calls it"

    def body(self, offset, dim1, dim2, out):
        return _copied_into(out, aten.diag_embed(self, offset, dim1, dim2))


def _copied_into(out, result):
    """What was made, copied into a tensor of its type that was given."""
    return aten.copy_(fit(DiagEmbedOut.op, out, Spec(shape_of(result), result.dtype)), result)


class Diag(Op):
    """The diagonal of a matrix, or a matrix with a diagonal."""

    schema = "diag(Tensor self, int diagonal=0) -> Tensor"
    variants = "method out"

    def body(self, diagonal, out=None):
        if ndim_of(self) == 1:
            return aten.diag_embed(self, diagonal, **into(out))
        if ndim_of(self) == 2:
            return aten.diagonal_copy(self, diagonal, **into(out))
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim_of(self)}D")


class Diagflat(Op):
    """A matrix with all elements of a tensor on its diagonal."""

    schema = "diagflat(Tensor self, int offset=0) -> Tensor"
    variants = "method"

    def body(self, offset):
        flat = aten.view(in_order(self), (-1,))
        return aten.diag(flat, offset)


class Trace(Op):
    """The sum of a matrix's diagonal."""

    schema = "trace(Tensor self) -> Tensor"
    kernel_types = "trace: integral floating complex"
    variants = "method"

    def meta(self):
        if ndim_of(self) != 2:
            raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {ndim_of(self)}")
        return Spec((), sum_type(self, None))

    def body(self):
        out = aten.empty((), dtype=sum_type(self, None))
        run.trace(out, self)
        return out

    def grad_self(grad, self_shape):
        return aten.trace_backward(grad, self_shape)


class TraceBackward(Op):
    """The gradient of trace(): one number along the diagonal."""

    schema = "trace_backward(Tensor grad, SymInt[] sizes) -> Tensor"
    internal = "a derivative"

    def body(grad, sizes):
        rows, columns = sizes
        flat = aten.zeros((rows * columns,), dtype=grad.dtype)
        if not rows * columns:
            return aten.view(flat, sizes)
        places = aten.arange(0, min(rows, columns) * (columns + 1), columns + 1)
        aten.index_fill_(flat, 0, places, grad)
        return aten.view(flat, sizes)

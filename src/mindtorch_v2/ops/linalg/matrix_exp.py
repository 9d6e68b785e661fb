"""The exponential of matrices."""

from __future__ import annotations

from ...core.kinds import first_of_many
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..decompose import matrices
from ..shared.out_by_copy import declare_out_by_copy


class LinalgMatrixExp(Op):
    """The exponential of each matrix; PyTorch shows a row for each of the products it takes, we show one."""

    schema = "linalg_matrix_exp(Tensor self) -> Tensor"
    conjugate = False

    def meta(self):
        matrices.check_square(self, "linalg.matrix_exp")
        matrices.check_floating(self, "linalg.matrix_exp")
        return Spec(shape_of(self), self.dtype)

    def body(self):
        n = shape_of(self)[-1]
        if n == 0:
            return aten.clone(self)
        if n == 1:
            return aten.exp(self)
        exponential = allocate(Spec(shape_of(self), self.dtype))
        run.matrix_exp(exponential, self)
        return exponential

    def grad_self(grad, self):
        return _differential(aten.mH(self), grad, aten.linalg_matrix_exp)


def _differential(self, direction, exponential):
    """How the exponential changes along a direction: the upper right block of that of [[A, E], [0, A]]."""
    *batch, n, _ = shape_of(self)
    many, size = first_of_many(self, direction), (*batch, 2 * n, 2 * n)
    whole = aten.zeros(size, dtype=self.dtype) if many is None else aten.new_zeros(many, size, dtype=self.dtype)
    for row, column, block in ((0, 0, self), (n, n, self), (0, n, direction)):
        aten.copy_(_block(whole, row, column, n), block)
    return _block(exponential(whole), 0, n, n)


def _block(matrix, row: int, column: int, n: int):
    return aten.narrow(aten.narrow(matrix, -2, row, n), -1, column, n)


declare_out_by_copy(LinalgMatrixExp.op)


class MatrixExp(Op):
    """linalg_matrix_exp() by its older name."""

    schema = "matrix_exp(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.linalg_matrix_exp(self)


class MatrixExpBackward(Op):
    """The gradient of matrix_exp()."""

    schema = "matrix_exp_backward(Tensor self, Tensor grad) -> Tensor"
    internal = "torch.ops.aten"

    def body(self, grad):
        return _differential(aten.mH(self), grad, aten.matrix_exp)

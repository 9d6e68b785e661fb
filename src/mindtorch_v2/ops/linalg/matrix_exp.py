"""The exponential of matrices."""

from __future__ import annotations

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
        return _differential(aten.mH(self), grad)


def _differential(self, direction):
    """How the exponential changes along a direction: the upper right block of that of [[A, E], [0, A]]."""
    n = shape_of(self)[-1]
    above = aten.cat((self, direction), -1)
    below = aten.cat((aten.zeros_like(self), self), -1)
    whole = aten.linalg_matrix_exp(aten.cat((above, below), -2))
    return aten.narrow(aten.narrow(whole, -2, 0, n), -1, n, n)


declare_out_by_copy(LinalgMatrixExp.op)


class MatrixExp(Op):
    """linalg_matrix_exp() by its older name."""

    schema = "matrix_exp(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.linalg_matrix_exp(self)

"""Matrix products. A product asks for its operands with conjugation resolved unless they are passed transposed."""

from __future__ import annotations

import numpy as np

from ..core.tensor import blank
from ..dispatch.aten import aten
from ..opdef import rules
from ..opdef.form import Op


def resolve(out, *operands) -> None:
    """What a product does before it calls BLAS: the result and each row-major operand lose a pending conjugate."""
    aten.resolve_conj(out)
    for t in operands:
        rows, cols = t.stride()
        if not (rows == 1 and cols >= max(1, t.array.shape[0]) and not t.is_contiguous()):
            aten.resolve_conj(t)


class ResolveConj(Op):
    """The tensor with its conjugation carried out; nothing here is ever conjugated lazily."""

    schema = "resolve_conj(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self):
        return self


class ResolveNeg(Op):
    """The tensor with its negation carried out; nothing here is ever negated lazily."""

    schema = "resolve_neg(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self):
        return self


class Mm(Op):
    """Product of two matrices."""

    schema = "mm(Tensor self, Tensor mat2) -> Tensor"
    meta = rules.matmul_2d
    variants = "method"

    def body(self, mat2):
        out = blank((self.array.shape[0], mat2.array.shape[1]), self.dtype)
        resolve(out, mat2, self)
        np.matmul(self.array, mat2.array, out=out.array)
        return out

    def grad_self(grad, mat2):
        return aten.mm(grad, aten.t(mat2))

    def grad_mat2(grad, self):
        return aten.mm(aten.t(self), grad)

    def flops(self, mat2):
        return 2 * self.shape[0] * self.shape[1] * mat2.shape[1]

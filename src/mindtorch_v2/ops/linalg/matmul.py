"""Products of matrices and of batches of matrices.

Before BLAS is called, the result and each operand that lies as the result does lose a pending conjugate
(``resolve_conj``); an operand that lies the other way is passed transposed, and one that lies neither way is copied.
"""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core import matrix_layout
from ...core.device import contiguous_format
from ...core.tensor import Tensor, blank, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.scalars import in_kernel_type
from ..create.copy import Copy
from ..shared.not_differentiable import UNKNOWN, unknown
from ..view.conjugation import ResolveConj, conjugated
from ..view.permute import T
from ..view.view import Expand


def gemm(out, mat1, mat2, beta=0, alpha=1) -> None:
    """One product, with BLAS's choice of which operand is passed transposed."""
    resolved(out)
    into = out
    by_columns = matrix_layout.takes(out, 0, 1)
    if not by_columns and not matrix_layout.takes(out, 1, 0):
        by_columns = True
        into = aten.transpose_(aten.contiguous(aten.transpose(out, 0, 1)), 0, 1)
    if by_columns:
        mat1, mat2 = _operand(mat1, 0, 1), _operand(mat2, 0, 1)
    else:  # a row-major result is the column-major product of the operands in reverse
        mat2, mat1 = _operand(mat2, 1, 0), _operand(mat1, 1, 0)
    if alpha == 1 and beta == 0:
        run.product(into, mat1, mat2)
    elif alpha == 1 and beta == 1:
        run.add_product(into, mat1, mat2)
    else:
        run.add_scaled_product(into, mat1, mat2, beta, alpha)
    if into is not out:
        aten.copy_(out, into)


def resolved(t):
    """A tensor without a pending conjugate; among plain tensors there is none to carry out."""
    if dispatcher.is_unobserved() or dispatcher.is_shown(_RESOLVE_CONJ, (t,)):
        return t
    return dispatcher.call(_RESOLVE_CONJ, (t,))


def _operand(t, fast, slow):
    if matrix_layout.lies(t, fast, slow):
        return resolved(t)
    if not matrix_layout.lies(t, slow, fast):
        return aten.clone(t, memory_format=contiguous_format)
    return t if t._mt_kind is None else conjugated(t)  # which BLAS does where it reads


def product_type(name: str, dtype) -> None:
    """Products of booleans do not exist."""
    if dtype is dtypes.bool_:
        raise NotImplementedError(f'"{name}" not implemented for \'Bool\'')


def scaled(grad, factor):
    """grad * factor, without an op where the factor is one."""
    return grad if factor == 1 else aten.mul(grad, factor)


def transpose(t):
    return dispatcher.call(_T, (t,))


def multiply(a, b):
    return dispatcher.call(_MM, (a, b))


def grad_of_first(grad, is_column_major, mat2):
    """grad @ mat2^T, lying in memory as mat1 does."""
    if is_column_major:
        return transpose(multiply(mat2, transpose(grad)))
    return multiply(grad, transpose(mat2))


def grad_of_second(grad, mat1, is_column_major):
    """mat1^T @ grad, lying in memory as mat2 does."""
    if is_column_major:
        return transpose(multiply(transpose(grad), mat1))
    return multiply(transpose(mat1), grad)


def mm_into(out, self, mat2):
    """mm without its checks."""
    if numel_of(out) == 0:
        return out
    if numel_of(self) == 0:
        return aten.zero_(out)
    gemm(out, self, mat2)
    return out


def multiplies(mat1, mat2) -> bool:
    """Whether two tensors are matrices of one type whose product exists: the quick look before the full complaint."""
    a, b, dtype = shape_of(mat1), shape_of(mat2), mat1.dtype
    return len(a) == 2 and len(b) == 2 and a[1] == b[0] and dtype is mat2.dtype and dtype.category != dtypes.BOOL


def _mm_meta(self, mat2):
    spec = rules.matmul_2d(self, mat2)
    if spec.shape[0] and spec.shape[1] and numel_of(self):
        product_type("addmm_impl_cpu_", self.dtype)
    return spec


class Mm(Op):
    """Product of two matrices."""

    schema = "mm(Tensor self, Tensor mat2) -> Tensor"
    overlap = "shares_inputs"
    meta = _mm_meta
    variants = "method out"
    into = mm_into

    def body(self: Tensor, mat2: Tensor):
        if not multiplies(self, mat2):
            _mm_meta(self, mat2)
        return mm_into(blank((shape_of(self)[0], shape_of(mat2)[1]), self.dtype), self, mat2)

    def grad_self(grad, self_is_column_major, mat2):
        return grad_of_first(grad, self_is_column_major, mat2)

    def grad_mat2(grad, self, mat2_is_column_major):
        return grad_of_second(grad, self, mat2_is_column_major)


def _addmm_meta(self, mat1, mat2, beta, alpha):
    a, b = shape_of(mat1), shape_of(mat2)
    for name, shape in (("mat1", a), ("mat2", b)):
        if len(shape) != 2:
            raise RuntimeError(f"{name} must be a matrix, got {len(shape)}-D tensor")
    for name, t in (("self", self), ("mat1", mat1)):
        if t.dtype is not mat2.dtype:
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {t.dtype.short} and "
                               f"{mat2.dtype.short}")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")
    if a[0] and a[1] and b[1]:
        product_type("addmm_impl_cpu_", self.dtype)
    return rules.Spec((a[0], b[1]), self.dtype)


def addmm_into(out, self, mat1, mat2, beta, alpha):
    """addmm without its checks: the summand is copied first, the product added to it."""
    if alpha != 1 or beta != 1:
        alpha, beta = in_kernel_type(alpha, out.dtype), in_kernel_type(beta, out.dtype)
    shape, given = shape_of(out), shape_of(self)
    if given != shape and not (given == shape[1:] and beta != 0 and dispatcher.is_unobserved()):  # a copy broadcasts
        self = dispatcher.call(_EXPAND, (self, shape, False))
    if numel_of(out) == 0:
        return out
    if beta != 0 and self is not out:
        dispatcher.call(_COPY, (out, self, False))
    if numel_of(mat1) == 0:
        return aten.zero_(out) if beta == 0 else aten.mul_(out, beta)
    gemm(out, mat1, mat2, beta, alpha)
    return out


class Addmm(Op):
    """beta * self + alpha * (mat1 @ mat2)."""

    schema = "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    overlap = "shares_inputs"
    meta = _addmm_meta
    variants = "method inplace out"
    into = addmm_into

    def body(self: Tensor, mat1: Tensor, mat2: Tensor, beta, alpha):
        if not multiplies(mat1, mat2) or self.dtype is not mat1.dtype:
            _addmm_meta(self, mat1, mat2, beta, alpha)
        out = blank((shape_of(mat1)[0], shape_of(mat2)[1]), self.dtype)
        return addmm_into(out, self, mat1, mat2, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_mat1(grad, mat1_is_column_major, mat2, alpha):
        return scaled(grad_of_first(grad, mat1_is_column_major, mat2), alpha)

    def grad_mat2(grad, mat1, mat2_is_column_major, alpha):
        return scaled(grad_of_second(grad, mat1, mat2_is_column_major), alpha)


class AddmmActivation(Op):
    """relu or gelu of addmm."""

    schema = ("_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
              "bool use_gelu=False) -> Tensor")
    node = UNKNOWN
    grads = unknown("_addmm_activation")

    def meta(self, mat1, mat2, beta, alpha, use_gelu):
        return _addmm_meta(self, mat1, mat2, beta, alpha)

    def into(out, self, mat1, mat2, beta, alpha, use_gelu):
        addmm_into(out, self, mat1, mat2, beta, alpha)
        return aten.gelu_(out) if use_gelu else aten.relu_(out)


# The ops called above, looked up once.
_COPY = Copy.op
_EXPAND = Expand.op
_MM = Mm.op
_RESOLVE_CONJ = ResolveConj.op
_T = T.op

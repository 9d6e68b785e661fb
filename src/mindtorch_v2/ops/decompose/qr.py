# cython: annotation_typing=False
"""The QR decomposition: matrices as products of an orthogonal one and an upper triangle."""

from __future__ import annotations

import math

from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.deprecations import deprecated
from . import matrices
from .matrices import by_columns


class LinalgQr(Op):
    """A = QR. Q has as many columns as R has rows: the fewer of A's two sizes, or all in mode "complete"."""

    schema = 'linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)'
    results = "Q R"
    variants = "out"
    conjugate = False

    def meta(A, mode):
        matrices.check_matrix(A, "linalg.qr")
        matrices.check_floating(A, "linalg.qr")
        if mode not in ("reduced", "r", "complete"):
            raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
                               "or 'complete'")
        *batch, m, n = shape_of(A)
        inner = m if mode == "complete" else min(m, n)
        whole = by_columns((*batch, m, inner), A.dtype) if mode != "r" else Spec((0,), A.dtype)
        return whole, by_columns((*batch, inner, n), A.dtype)

    def into(q, r, A, mode):
        *batch, m, n = shape_of(A)
        tau = aten.new_empty(A, (*batch, min(m, n)))
        factors = q if mode != "r" and shape_of(q)[-1] == n else r if shape_of(r)[-2] == m else None
        if factors is None:
            factors = matrices.copied_by_columns(A)
        else:
            aten.copy_(factors, A)
        matrices.check_kernel(A.dtype, "geqrf_cpu")
        _reflect(factors, tau)
        if factors is r:
            if mode != "r":
                _copy_columns(q, r, m, n)
            aten.triu_(r)
        else:
            aten.triu(aten.slice(factors, -2, 0, n), out=r)
        if mode != "r" and math.prod(shape_of(q)):
            matrices.lapack_workspace(shape_of(q)[-1] + 1, A.dtype)
            run.orgqr(q, tau)

    def grads(grads, Q, R, mode):
        return [_gradient(grads[0], grads[1], Q, R, mode)]


def _gradient(of_Q, of_R, Q, R, mode: str):
    """Between Q and the inverse of R's triangle: what a triangle and a skew matrix can take up of it."""
    if mode == "r":
        raise RuntimeError("The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
                           "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.")
    m, n = shape_of(Q)[-2], shape_of(R)[-1]
    if mode == "complete" and m > n:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    if of_Q is None and of_R is None:
        return None
    inner = None if of_R is None else aten.matmul(of_R, aten.mH(R))
    if of_Q is not None:
        turned = aten.matmul(aten.mH(Q), of_Q)
        inner = aten.neg(turned) if inner is None else aten.sub(inner, turned)
    if m >= n:
        upper = aten.triu(inner)
        gradient = aten.matmul(Q, _half_diagonal(aten.add(upper, aten.mH(upper))))
        if of_Q is not None:
            gradient = aten.add(gradient, of_Q)
        return aten.linalg_solve_triangular(aten.mH(R), gradient, upper=False, left=False)
    lower = aten.tril(aten.sub(aten.mH(inner), inner))
    gradient = aten.matmul(Q, _half_diagonal(lower))
    first = aten.mH(aten.narrow(R, -1, 0, m))
    gradient = aten.linalg_solve_triangular(first, gradient, upper=False, left=False)
    rest = aten.new_zeros(gradient, (*shape_of(R)[:-1], n - m))
    gradient = aten.cat((gradient, rest), -1)
    return gradient if of_R is None else aten.add(gradient, aten.matmul(Q, of_R))


def _half_diagonal(t):
    """A matrix with half of the diagonal."""
    return aten.sub(t, aten.mul(aten.diag_embed(aten.diagonal(t, 0, -2, -1)), 0.5))


def _reflect(factors, tau) -> None:
    matrices.lapack_workspace(matrices.geqrf_work(factors), tau.dtype)
    run.geqrf(factors, tau)


def _copy_columns(q, r, m: int, n: int) -> None:
    """The reflections, which stand below the triangle, to where the other factor is made of them."""
    if m < n:
        aten.copy_(q, aten.slice(r, -1, 0, m))
    else:
        aten.copy_(aten.slice(q, -1, 0, n), r)


class Qr(Op):
    """The older form of linalg_qr()."""

    schema = "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)"
    results = "Q R"
    variants = "method Q"

    def body(self, some):
        deprecated("qr")
        return aten.linalg_qr(self, "reduced" if some else "complete")

    def out(self, some, Q, R):
        deprecated("qr")
        return aten.linalg_qr(self, "reduced" if some else "complete", Q=Q, R=R)

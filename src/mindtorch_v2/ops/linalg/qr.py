"""The QR decomposition: matrices as products of an orthogonal one and an upper triangle."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec

HALF_BYTES = 2  # the size of float16 and bfloat16


def _by_columns(batch: tuple[int, ...], rows: int, columns: int, dtype) -> Spec:
    """Matrices as LAPACK lays them out, column by column."""
    steps, step = [], rows * columns
    for n in reversed(batch):
        steps.insert(0, step)
        step *= n
    return Spec((*batch, rows, columns), dtype, (*steps, 1, max(rows, 1)))


class LinalgQr(Op):
    """A = QR. Q has as many columns as R has rows: the fewer of A's two sizes, or all in mode "complete"."""

    schema = 'linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)'
    results = "Q R"
    grads_of = "A"

    def meta(A, mode):
        if ndim_of(A) < 2:
            raise RuntimeError("linalg.qr: The input tensor A must have at least 2 dimensions.")
        if A.dtype.category < dtypes.FLOATING:
            raise RuntimeError(f"linalg.qr: Expected a floating point or complex tensor as input. Got {A.dtype.short}")
        if mode not in ("reduced", "r", "complete"):
            raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
                               "or 'complete'")
        if A.dtype.itemsize == HALF_BYTES:
            raise not_implemented("geqrf_cpu", A.dtype)
        *batch, m, n = shape_of(A)
        inner = m if mode == "complete" else min(m, n)
        whole = _by_columns(tuple(batch), m, inner, A.dtype) if mode != "r" else Spec((0,), A.dtype)
        return whole, _by_columns(tuple(batch), inner, n, A.dtype)

    def body(A, mode):
        whole, triangle = LinalgQr.op.meta(A, mode)
        q, r = allocate(whole), allocate(triangle)
        *batch, m, n = shape_of(A)
        tau = aten.new_empty(A, (*batch, min(m, n)))
        factors = q if mode != "r" and shape_of(q)[-1] == n else r if shape_of(r)[-2] == m else None
        if factors is None:
            factors = aten.transpose_(aten.clone(aten.mT(A), memory_format=contiguous_format), -2, -1)
        else:
            aten.copy_(factors, A)
        _reflect(factors, tau, n)
        if factors is r:
            if mode != "r":
                _copy_columns(q, r, m, n)
            aten.triu_(r)
        else:
            aten.triu(aten.slice(factors, -2, 0, n), out=r)
        if mode != "r":
            aten.empty((shape_of(q)[-1] + 1,), dtype=A.dtype)  # where LAPACK works
            run.orgqr(q, tau)
        return q, r

    def grads(grads, A):
        raise NotImplementedError("the derivative for 'linalg_qr' is not implemented")


def _reflect(factors, tau, n: int) -> None:
    if math.prod(shape_of(factors)):
        aten.empty((n + 1,), dtype=tau.dtype)  # where LAPACK works
        run.geqrf(factors, tau)


def _copy_columns(q, r, m: int, n: int) -> None:
    """The reflections, which stand below the triangle, to where the other factor is made of them."""
    if m < n:
        aten.copy_(q, aten.slice(r, -1, 0, m))
    else:
        aten.copy_(aten.slice(q, -1, 0, n), r)

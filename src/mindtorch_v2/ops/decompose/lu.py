# cython: annotation_typing=False
"""The LU decomposition: matrices as products of two triangles with their rows in another order."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.deprecations import deprecated
from . import matrices
from .lu_derivatives import lu_gradient, packed_gradient, unpacked_gradient
from .matrices import by_columns, by_rows, raise_for

NO_PIVOTING = "linalg.lu_factor: LU without pivoting is not implemented on the CPU"


def _check(A, name: str) -> None:
    if ndim_of(A) < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(shape_of(A))} instead")


class LinalgLuFactorEx(Op):
    """Both triangles in one matrix, the rows that were exchanged, and where a zero stands on the diagonal."""

    schema = ("linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) "
              "-> (Tensor LU, Tensor pivots, Tensor info)")
    results = "LU pivots info"
    variants = "out"
    conjugate = False

    def meta(A, pivot, check_errors):
        _check(A, "torch.lu_factor")
        *batch, m, n = shape_of(A)
        return (by_columns(shape_of(A), A.dtype), by_rows((*batch, min(m, n)), dtypes.int32),
                by_rows(tuple(batch), dtypes.int32))

    def into(factors, pivots, info, A, pivot, check_errors):
        if numel_of(A) == 0:
            aten.zero_(info)
            return
        if not pivot:
            raise RuntimeError(NO_PIVOTING)
        if factors is not A:
            aten.copy_(factors, A)
        matrices.check_kernel(A.dtype, "lu_cpu")
        run.getrf(factors, pivots, info)
        if check_errors:
            raise_for(info, "torch.linalg.lu_factor_ex", A)

    def grads(grads, LU, pivots, pivot):
        return [None if grads[0] is None else packed_gradient(grads[0], LU, pivots, pivot)]


class LinalgLuFactor(Op):
    """Both triangles in one matrix and the rows that were exchanged; a zero on the diagonal is an error."""

    schema = "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"
    results = "LU pivots"
    variants = "out"

    def body(A, pivot):
        factors, pivots, info = aten.linalg_lu_factor_ex(A, pivot=pivot, check_errors=False)
        raise_for(info, "torch.linalg.lu_factor", A)
        return factors, pivots

    def out(A, pivot, LU, pivots):
        info = aten.empty((0,), dtype=dtypes.int32)
        aten.linalg_lu_factor_ex(A, pivot=pivot, check_errors=False, LU=LU, pivots=pivots, info=info)
        raise_for(info, "torch.linalg.lu_factor", A)
        return LU, pivots


class LuWithInfo(Op):
    """linalg_lu_factor_ex() by the name that torch.lu calls."""

    schema = ("_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) "
              "-> (Tensor LU, Tensor pivots, Tensor info)")
    results = "LU pivots info"

    def body(self, pivot, check_errors):
        deprecated("lu")
        return aten.linalg_lu_factor_ex(self, pivot=pivot, check_errors=False)


class LinalgLu(Op):
    """A = PLU, each factor a matrix of its own."""

    schema = "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"
    results = "P L U"
    variants = "out"
    no_grad_for = "P"
    conjugate = False

    def meta(A, pivot):
        _check(A, "linalg.lu")
        return _three_factors(A, pivot)

    def into(order, lower, upper, A, pivot):
        *_, m, n = shape_of(A)
        pivots, info = aten.empty((0,), dtype=dtypes.int32), aten.empty((0,), dtype=dtypes.int32)
        packed = lower if m > n else upper  # that one is as large as A
        aten.linalg_lu_factor_ex(A, pivot=pivot, check_errors=False, LU=packed, pivots=pivots, info=info)
        aten.lu_unpack(packed, pivots, True, pivot, P=order, L=lower, U=upper)

    def grads(grads, P, L, U, pivot):
        return [lu_gradient(grads[1], grads[2], P, L, U, pivot)]


def _three_factors(A, pivot: bool) -> tuple[Spec, Spec, Spec]:
    *batch, m, n = shape_of(A)
    k = min(m, n)
    order = Spec((*batch, m, m) if pivot else (0,), A.dtype)
    return order, Spec((*batch, m, k), A.dtype), Spec((*batch, k, n), A.dtype)


class LuUnpack(Op):
    """The three factors that linalg_lu_factor() leaves in one matrix and a list of rows."""

    schema = ("lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) "
              "-> (Tensor P, Tensor L, Tensor U)")
    results = "P L U"
    variants = "out"
    no_grad_for = "P"
    grads_of = "LU_data"
    conjugate = False

    def meta(LU_data, LU_pivots, unpack_data, unpack_pivots):
        _check(LU_data, "torch.lu_unpack")
        if unpack_pivots and LU_pivots.dtype is not dtypes.int32:
            raise RuntimeError("torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype."
                               "\nNote: this function is intended to be used with the output produced by "
                               "torch.linalg.lu_factor")
        order, lower, upper = _three_factors(LU_data, unpack_pivots)
        none = Spec((0,), LU_data.dtype)
        return (order, lower, upper) if unpack_data else (order, none, none)

    def into(order, lower, upper, LU_data, LU_pivots, unpack_data, unpack_pivots):
        if unpack_data:
            _unpack_triangles(lower, upper, LU_data)
        if unpack_pivots:
            _unpack_order(order, LU_pivots)

    def grads(grads, LU_data_shape):
        return [unpacked_gradient(grads[1], grads[2], LU_data_shape)]


def _unpack_triangles(lower, upper, packed) -> None:
    *_, m, n = shape_of(packed)
    k = min(m, n)
    if m > n:
        aten.triu(aten.narrow(packed, -2, 0, k), out=upper)
    aten.tril(aten.narrow(packed, -1, 0, k) if m < n else packed, out=lower)
    aten.fill_(aten.diagonal(lower, 0, -2, -1), 1)
    if m <= n:
        aten.triu(packed, out=upper)


def _unpack_order(order, pivots) -> None:
    *batch, m, _ = shape_of(order)
    rows = aten.expand(aten.arange(m, dtype=dtypes.int64), (*batch, m))
    if not is_in_order(rows):
        rows = aten.contiguous(rows)
    run.unpack_pivots(rows, pivots)
    aten.scatter_(aten.zero_(order), -2, aten.unsqueeze(rows, -2), 1)

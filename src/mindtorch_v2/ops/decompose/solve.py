# cython: annotation_typing=False
"""Equations solved by the LU decomposition, and inverses."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.modes import is_grad_enabled
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.deprecations import deprecated
from . import matrices
from .lu_derivatives import solution_gradient
from .matrices import by_columns, by_rows, raise_for

ONE_TYPE = "{}: Expected {} and B to have the same dtype, but found {} of type {} and B of type {} instead"
PIVOTS = "Pivots given to lu_solve must all be {} or equal to {}. Did you properly pass the result of lu_factor?"


class LinalgLuSolve(Op):
    """X with AX = B, or XA = B, by the triangles of A; of Aᴴ where that is asked for."""

    schema = ("linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor")
    variants = "out"
    conjugate = False

    def meta(LU, pivots, B, left, adjoint):
        matrices.check_floating(LU, "torch.linalg.lu_solve")
        if LU.dtype is not B.dtype:
            raise RuntimeError(ONE_TYPE.format("linalg.lu_solve", "LU", "LU", LU.dtype.short, B.dtype.short))
        if pivots.dtype is not dtypes.int32:
            raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
        matrices.check_square(LU, "torch.linalg.lu_solve")
        matrices.check_sides_of_equation(LU, B, left, "linalg.lu_solve")
        if shape_of(LU)[-1] != shape_of(pivots)[-1]:
            raise RuntimeError("linalg.lu_solve: Number of pivots per batch should be same as the dimension of the "
                               "matrix")
        if shape_of(LU)[:-1] != shape_of(pivots):
            raise RuntimeError("linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got "
                               f"pivots with shape {list(shape_of(pivots))} instead")
        shape = (*matrices.common_batch(LU, B), *shape_of(B)[-2:])
        return by_columns(shape, B.dtype) if left else by_rows(shape, B.dtype)

    def into(solution, LU, pivots, B, left, adjoint):
        if numel_of(solution) == 0:
            return
        if not left:
            adjoint = not adjoint
            aten.transpose_(solution, -2, -1)
        if solution is not B:
            aten.copy_(solution, B if left else aten.mH(B))
        if not is_in_order(pivots):
            pivots = aten.contiguous(pivots)
        if not matrices.is_by_columns(LU):
            LU = matrices.copied_by_columns(LU)
        matrices.check_kernel(LU.dtype, "linalg.lu_solve_cpu")
        _check_pivots(pivots, shape_of(LU)[-2])
        _number_matrices(shape_of(LU)[:-2], shape_of(solution)[:-2])
        run.getrs(solution, LU, pivots, adjoint)
        if not left:
            aten.transpose_(solution, -2, -1)
            if solution.is_complex():
                aten.conj_physical(solution, out=solution)

    def grads(grad, LU, pivots, result, left, adjoint, needs):
        of_factors = solution_gradient(grad, LU, pivots, result, left, adjoint) if needs[0] else None
        back = aten.linalg_lu_solve(LU, pivots, grad, left=left, adjoint=not adjoint) if needs[-1] else None
        return of_factors, None, back


def _check_pivots(pivots, rows: int) -> None:
    """Rows counted from 1; what does not name a row of the matrix would be memory of somebody else's."""
    if not has_values(pivots):
        return
    if not aten.item(aten.all(aten.gt(pivots, 0))):
        raise RuntimeError(PIVOTS.format("greater", "1"))
    if not aten.item(aten.all(aten.le(pivots, rows))):
        raise RuntimeError(PIVOTS.format("smaller", "LU.size(-2)"))


def _number_matrices(batch, wanted) -> None:
    """Which matrix is for which right-hand sides, where there are more of these: torch makes a list."""
    if batch != wanted:
        numbers = aten.view(aten.arange(math.prod(batch)), batch)
        numbers = aten.broadcast_to(numbers, wanted)
        if not is_in_order(numbers):
            aten.contiguous(numbers)


class LuSolve(Op):
    """The older form of linalg_lu_solve()."""

    schema = "lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor"
    variants = "method out"

    def body(self, LU_data, LU_pivots, out=None):
        deprecated("lu_solve")
        return aten.linalg_lu_solve(LU_data, LU_pivots, self, **({} if out is None else {"out": out}))


def is_vector_equation(A, B) -> bool:
    """Whether right-hand sides are vectors: of one dimension, or one for each matrix of a batch."""
    return ndim_of(B) == 1 or (ndim_of(A) - 1 == ndim_of(B) and shape_of(B) == shape_of(A)[:-1])


class LinalgSolveExInner(Op):
    """X with AX = B, or XA = B, and the triangles by which it was found."""

    schema = ("_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) "
              "-> (Tensor result, Tensor LU, Tensor pivots, Tensor info)")
    results = "result LU pivots info"
    variants = "result"
    node = "LinalgSolveExBackward0"
    no_grad_for = "LU pivots info"
    conjugate = False

    def meta(A, B, left, check_errors):
        matrices.check_floating(A, "linalg.solve")
        if A.dtype is not B.dtype:
            raise RuntimeError(ONE_TYPE.format("linalg.solve", "A", "A", A.dtype.short, B.dtype.short))
        is_vector = ndim_of(A) > 0 and is_vector_equation(A, B)
        side = aten.unsqueeze(B, -1) if is_vector else B
        matrices.check_sides_of_equation(A, side, left, "linalg.solve")
        batch = matrices.common_batch(side, A)
        if is_vector and not left:
            raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not supported for "
                               "left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)")
        shape = (*batch, shape_of(side)[-2]) if is_vector else (*batch, *shape_of(side)[-2:])
        return ((by_columns if left else by_rows)(shape, B.dtype), by_columns(shape_of(A), A.dtype),
                by_rows(shape_of(A)[:-1], dtypes.int32), by_rows(shape_of(A)[:-2], dtypes.int32))

    def into(result, LU, pivots, info, A, B, left, check_errors):
        aten.linalg_lu_factor_ex(A, pivot=True, check_errors=False, LU=LU, pivots=pivots, info=info)
        if check_errors:
            raise_for(info, "torch.linalg.solve_ex", A)
        if is_vector_equation(LU, B):
            result, B = aten.unsqueeze(result, -1), aten.unsqueeze(B, -1)
        aten.linalg_lu_solve(LU, pivots, B, left=left, adjoint=False, out=result)

    def grads(grads, A, B_shape, result, LU, pivots, left, needs):
        grad = grads[0]
        if grad is None:
            return None, None
        is_vector = shape_of(result) != () and (len(B_shape) == 1 or B_shape == shape_of(A)[:-1])
        G, X = (aten.unsqueeze(grad, -1), aten.unsqueeze(result, -1)) if is_vector else (grad, result)
        if is_grad_enabled():
            back = aten.linalg_solve(aten.mH(A), G, left=left)
        else:
            back = aten.linalg_lu_solve(LU, pivots, G, left=left, adjoint=True)
        of_matrix = None
        if needs[0]:
            of_matrix = aten.neg(aten.matmul(back, aten.mH(X)) if left else aten.matmul(aten.mH(X), back))
        return of_matrix, aten.squeeze(back, -1) if is_vector else back


class LinalgSolveEx(Op):
    """X with AX = B, or XA = B; info names a zero on the diagonal of the triangle that it was found by."""

    schema = ("linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) "
              "-> (Tensor result, Tensor info)")
    results = "result info"
    variants = "out"

    def body(A, B, left, check_errors):
        result, _, _, info = aten._linalg_solve_ex(A, B, left=left, check_errors=check_errors)
        return result, info

    def out(A, B, left, check_errors, result, info):
        LU, pivots = aten.new_empty(B, (0,)), aten.new_empty(B, (0,), dtype=dtypes.int32)
        aten._linalg_solve_ex(A, B, left=left, check_errors=check_errors, result=result, LU=LU, pivots=pivots,
                              info=info)
        return result, info


class LinalgSolve(Op):
    """X with AX = B, or XA = B."""

    schema = "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"
    variants = "out"

    def body(A, B, left, out=None):
        if out is None:
            result, info = aten.linalg_solve_ex(A, B, left=left, check_errors=False)
        else:
            info = aten.new_empty(B, (0,), dtype=dtypes.int32)
            result, info = aten.linalg_solve_ex(A, B, left=left, check_errors=False, result=out, info=info)
        raise_for(info, "torch.linalg.solve", A)
        return result


class LinalgInvEx(Op):
    """The inverse of each matrix; info names a zero on the diagonal of the triangle that it was found by."""

    schema = "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"
    results = "inverse info"
    variants = "inverse"
    conjugate = False

    def meta(A, check_errors):
        matrices.check_square(A, "linalg.inv")
        matrices.check_floating(A, "linalg.inv", low_precision=False)
        return by_columns(shape_of(A), A.dtype), by_rows(shape_of(A)[:-2], dtypes.int32)

    def into(inverse, info, A, check_errors):
        aten.zero_(inverse)
        aten.fill_(aten.diagonal(inverse, 0, -2, -1), 1)
        aten.linalg_solve_ex(A, inverse, left=True, check_errors=False, result=inverse, info=info)
        if check_errors:
            raise_for(info, "linalg.inv_ex", A)

    def grads(grads, inverse):
        adjoint = aten.mH(inverse)
        return [None if grads[0] is None else aten.neg(aten.matmul(adjoint, aten.matmul(grads[0], adjoint)))]


class LinalgInv(Op):
    """The inverse of each matrix."""

    schema = "linalg_inv(Tensor A) -> Tensor"
    variants = "out"

    def body(A, out=None):
        if out is None:
            inverse, info = aten.linalg_inv_ex(A, check_errors=False)
        else:
            info = aten.empty((0,), dtype=dtypes.int32)
            inverse, info = aten.linalg_inv_ex(A, check_errors=False, inverse=out, info=info)
        raise_for(info, "linalg.inv", A)
        return inverse


class Inverse(Op):
    """linalg_inv() by its older name."""

    schema = "inverse(Tensor self) -> Tensor"
    variants = "method out"

    def body(self, out=None):
        return aten.linalg_inv(self) if out is None else aten.linalg_inv(self, out=out)

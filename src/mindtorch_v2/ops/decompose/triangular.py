# cython: annotation_typing=False
"""Equations whose matrix is a triangle."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...core.user_warning import warn_user
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import RESIZED
from ...opdef.form import Op
from ..shared.deprecations import deprecated
from . import matrices
from .matrices import NO_DERIVATIVE, by_columns, copied_by_columns


def _rule(self, B, upper, left, unitriangular):
    matrices.check_sides_of_equation(self, B, left, "linalg.solve_triangular")
    return by_columns((*matrices.common_batch(B, self), *shape_of(B)[-2:]), self.dtype)


class LinalgSolveTriangular(Op):
    """X with AX = B, or XA = B, where A is a triangle."""

    schema = ("linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, "
              "bool unitriangular=False) -> Tensor")
    conjugate = False

    meta = _rule

    def body(self, B, upper, left, unitriangular):
        out = aten.empty((0,), dtype=self.dtype)
        return solve_into(out, self, B, upper, left, unitriangular)

    def grads(grad, self, result, upper, left, unitriangular, needs):
        back = aten.linalg_solve_triangular(aten.mH(self), grad, upper=not upper, left=left,
                                            unitriangular=unitriangular)
        if not needs[0]:
            return None, back
        product = aten.matmul(back, aten.mH(result)) if left else aten.matmul(aten.mH(result), back)
        return aten.neg(_triangle(product, upper, unitriangular)), back if needs[1] else None


def _triangle(product, upper: bool, unitriangular: bool):
    """The half of a matrix that an equation looks at, without the diagonal where that counts as one."""
    return aten.triu(product, int(unitriangular)) if upper else aten.tril(product, -int(unitriangular))


class LinalgSolveTriangularOut(Op):
    """The same into a given tensor."""

    schema = ("linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True, "
              "bool unitriangular=False, Tensor(a!) out) -> Tensor(a!)")
    below = NO_DERIVATIVE
    tuned = "its body checks and makes what the rule says"
    meta = _rule

    def body(self, B, upper, left, unitriangular, out):
        return solve_into(out, self, B, upper, left, unitriangular)


def solve_into(out, A, B, upper: bool, left: bool, unitriangular: bool):
    """Write the solution over right-hand sides that lie by columns, or by rows, which turns the equation."""
    matrices.check_sides_of_equation(A, B, left, "linalg.solve_triangular")
    batch = matrices.common_batch(B, A)
    B, A = matrices.expanded(B, batch), matrices.expanded(A, batch)
    aten.transpose(A, -2, -1)  # torch looks whether it is conjugated and lies by columns
    _resize_by_columns(out, B)
    written = out
    if _lies_by_rows_or_columns(out):
        aten.copy_(out, B)
    else:
        written = copied_by_columns(B)
    turned = strides_of(written)[-1] == 1
    if turned:
        aten.transpose_(written, -2, -1)
    if not _lies_by_rows_or_columns(A):
        A = aten.clone(A, memory_format=contiguous_format) if turned else copied_by_columns(A)
    matrices.check_kernel(A.dtype, "triangular_solve_cpu")
    if out.dtype is not A.dtype:
        raise RuntimeError(f"expected scalar type {A.dtype.short} but found {out.dtype.short}")
    if turned:
        aten.transpose_(written, -2, -1)
    run.trsm(written, A, upper, left, 0, unitriangular)
    return out if written is out else aten.copy_(out, written)


def _lies_by_rows_or_columns(t) -> bool:
    return is_in_order(t) or is_in_order(aten.transpose(t, -2, -1))


def _resize_by_columns(out, like) -> None:
    """torch's warning about a result of another shape, and the new shape column by column."""
    if shape_of(out) == shape_of(like):
        return
    if numel_of(out):
        warn_user(RESIZED.format(list(shape_of(out)), list(shape_of(like))))
    turned = aten.transpose(like, -2, -1)
    aten.transpose_(aten.resize_(out, shape_of(turned)), -2, -1)


class TriangularSolve(Op):
    """The older form: X with AX = self, or AᵀX = self, and a copy of A."""

    schema = ("triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
              "bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)")
    results = "solution cloned_coefficient"
    variants = "method X(X,M)"
    conjugate = False

    def meta(self, A, upper, transpose, unitriangular):
        for name, t in (("b", self), ("A", A)):
            if ndim_of(t) < 2:
                raise RuntimeError(f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has "
                                   f"{ndim_of(t)} dimensions instead")
        matrices.check_equation(self, A, "triangular_solve")
        batch = matrices.common_batch(self, A)
        return tuple([by_columns((*batch, *shape_of(t)[-2:]), self.dtype) for t in (self, A)])

    def into(solution, matrix, self, A, upper, transpose, unitriangular):
        deprecated("triangular_solve")
        batch = matrices.common_batch(self, A)
        self, A = matrices.expanded(self, batch), matrices.expanded(A, batch)
        aten.transpose(self, -2, -1)
        aten.transpose(A, -2, -1)
        aten.copy_(solution, self)
        aten.copy_(matrix, A)
        matrices.check_kernel(self.dtype, "triangular_solve_cpu")
        run.trsm(solution, matrix, upper, True, int(transpose), unitriangular)

    def grads(grads, A, solution, upper, transpose, unitriangular, needs):
        grad, of_matrix = grads
        if grad is None:
            return None, of_matrix
        back = aten.triangular_solve(grad, aten.mH(A), not upper, transpose, unitriangular)[0]
        if not needs[1]:
            return back, None
        product = aten.matmul(aten._conj(solution) if solution.is_complex() else solution, aten.mT(back)) if transpose \
            else aten.matmul(back, aten.mH(solution))
        product = aten.neg(_triangle(product, upper, unitriangular))
        return back, product if of_matrix is None else aten.add(product, of_matrix)

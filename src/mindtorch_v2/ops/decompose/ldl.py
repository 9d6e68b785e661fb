"""The LDL decomposition: symmetric or hermitian matrices as a triangle, small blocks and the triangle's adjoint."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.not_differentiable import UNKNOWN, unknown
from . import matrices
from .matrices import by_columns, by_rows, raise_for

PIVOTS = "Pivots given to ldl_solve must all satisfy |pivot| {}. Did you properly pass the result of ldl_factor?"


class LinalgLdlFactorEx(Op):
    """The factors in one matrix, the rows that were exchanged, and where a block is zero."""

    schema = ("linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) "
              "-> (Tensor LD, Tensor pivots, Tensor info)")
    results = "LD pivots info"
    variants = "out"

    def meta(self, hermitian, check_errors):
        matrices.check_square(self, "torch.linalg.ldl_factor_ex")
        matrices.check_floating(self, "torch.linalg.ldl_factor_ex")
        shape = shape_of(self)
        return by_columns(shape, self.dtype), by_rows(shape[:-1], dtypes.int32), by_rows(shape[:-2], dtypes.int32)

    def into(LD, pivots, info, self, hermitian, check_errors):
        if numel_of(self) == 0:
            aten.zero_(info)
            return
        aten.tril(self, out=LD)
        matrices.check_kernel(self.dtype, "ldl_factor_kernel_cpu")
        matrices.lapack_workspace(shape_of(self)[-1], self.dtype)
        run.sytrf(LD, pivots, info, hermitian)
        if check_errors:
            raise_for(info, "torch.linalg.ldl_factor_ex", self)

    node = UNKNOWN
    no_formula = matrices.NO_DERIVATIVE
    grads = unknown("linalg_ldl_factor_ex")


class LinalgLdlFactor(Op):
    """The factors in one matrix and the rows that were exchanged."""

    schema = "linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)"
    results = "LD pivots"
    variants = "out"

    def body(self, hermitian):
        LD, pivots, info = aten.linalg_ldl_factor_ex(self, hermitian=hermitian, check_errors=False)
        raise_for(info, "torch.linalg.ldl_factor", self)
        return LD, pivots

    def out(self, hermitian, LD, pivots):
        info = aten.empty((0,), dtype=dtypes.int32)
        aten.linalg_ldl_factor_ex(self, hermitian=hermitian, check_errors=False, LD=LD, pivots=pivots, info=info)
        raise_for(info, "torch.linalg.ldl_factor", self)
        return LD, pivots


class LinalgLdlSolve(Op):
    """X with AX = B, by the factors of A."""

    schema = "linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"
    variants = "out"
    grads_of = "LD B"

    def meta(LD, pivots, B, hermitian):
        name = "torch.linalg.ldl_solve"
        matrices.check_square(LD, name)
        matrices.check_floating(LD, name)
        if ndim_of(B) < 2:
            raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)" if ndim_of(B)
                             else "Dimension specified as -2 but tensor has no dimensions")
        matrices.check_equation(B, LD, name)
        if shape_of(LD)[:-1] != shape_of(pivots):
            raise RuntimeError(f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with "
                               f"shape {list(shape_of(pivots))} instead")
        if pivots.dtype.category != dtypes.INTEGRAL:
            raise RuntimeError(f"{name}: Expected pivots to be integers. Got {pivots.dtype.short}")
        return by_columns((*matrices.common_batch(B, LD), *shape_of(B)[-2:]), B.dtype)

    def into(solution, LD, pivots, B, hermitian):
        if not numel_of(LD) or not numel_of(pivots):
            return
        if not is_in_order(pivots):
            pivots = aten.contiguous(pivots)
        if not matrices.is_by_columns(LD):
            LD = matrices.copied_by_columns(LD)
        aten.copy_(solution, B)
        matrices.check_kernel(LD.dtype, "ldl_solve_kernel_cpu")
        _check_pivots(pivots, shape_of(LD)[-2])
        run.sytrs(solution, LD, aten.to(pivots, dtypes.int32), hermitian)

    node = UNKNOWN
    no_formula = matrices.NO_DERIVATIVE
    grads = unknown("linalg_ldl_solve")


def _check_pivots(pivots, rows: int) -> None:
    if not has_values(pivots):
        return
    if not aten.item(aten.all(aten.ge(aten.abs(pivots), 1))):
        raise RuntimeError(PIVOTS.format(">= 1"))
    if not aten.item(aten.all(aten.le(aten.abs(pivots), rows))):
        raise RuntimeError(PIVOTS.format("<= LD.size(-2)"))

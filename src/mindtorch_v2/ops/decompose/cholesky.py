# cython: annotation_typing=False
"""The Cholesky decomposition of positive matrices, equations that it solves, and inverses."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.deprecations import deprecated
from . import matrices
from .matrices import NO_DERIVATIVE, by_columns, copied_by_columns, raise_for


def factor_gradient(grad, factor, upper: bool):
    """The gradient of a Cholesky factor: half of what falls on a triangle and its mirror image, between inverses."""
    if upper:
        factor, grad = aten.mH(factor), aten.mH(grad)
    triangle = aten.tril(aten.matmul(aten.mH(factor), grad))
    both = aten.mul(aten.add(triangle, aten.mH(aten.tril(triangle, -1))), 0.5)
    both = aten.linalg_solve_triangular(aten.mH(factor), both, upper=True, left=True)
    return aten.linalg_solve_triangular(factor, both, upper=False, left=False)


class LinalgCholeskyEx(Op):
    """A triangle L with A = LLᴴ for each matrix, or Lᴴ; info names the first minor that is not positive."""

    schema = ("linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) "
              "-> (Tensor L, Tensor info)")
    results = "L info"
    variants = "L"
    conjugate = False

    def meta(self, upper, check_errors):
        matrices.check_square(self, "linalg.cholesky")
        matrices.check_floating(self, "linalg.cholesky")
        return by_columns(shape_of(self), self.dtype), Spec(shape_of(self)[:-2], dtypes.int32)

    def into(factor, info, self, upper, check_errors):
        if numel_of(factor) == 0:
            aten.zero_(info)
            return
        (aten.triu if upper else aten.tril)(self, out=factor)
        matrices.check_kernel(self.dtype, "cholesky_cpu")
        run.potrf(factor, info, upper)
        if check_errors:
            raise_for(info, "linalg.cholesky_ex", self)

    def grads(grads, L, upper):
        return [None if grads[0] is None else factor_gradient(grads[0], L, upper)]


class LinalgCholesky(Op):
    """A triangle L with A = LLᴴ for each matrix, or Lᴴ."""

    schema = "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"
    variants = "out"

    def body(self, upper, out=None):
        if out is None:
            factor, info = aten.linalg_cholesky_ex(self, upper=upper, check_errors=False)
        else:
            info = aten.empty((0,), dtype=dtypes.int32)
            factor, info = aten.linalg_cholesky_ex(self, upper=upper, check_errors=False, L=out, info=info)
        raise_for(info, "linalg.cholesky", self)
        return factor


class Cholesky(Op):
    """The older form of linalg_cholesky()."""

    schema = "cholesky(Tensor self, bool upper=False) -> Tensor"
    variants = "method"
    conjugate = False

    def meta(self, upper):
        matrices.check_square(self, "cholesky")
        return by_columns(shape_of(self), self.dtype)

    def body(self, upper):
        deprecated("cholesky")
        if numel_of(self) == 0:
            return aten.empty_like(self, memory_format=matrices.contiguous_format)
        factor = copied_by_columns(self)
        info = aten.empty(shape_of(self)[:-2], dtype=dtypes.int32)
        matrices.check_kernel(self.dtype, "cholesky_cpu")
        run.potrf(factor, info, upper)
        raise_for(info, "cholesky", self)
        return aten.triu_(factor) if upper else aten.tril_(factor)

    def grad_self(grad, result, upper):
        return factor_gradient(grad, result, upper)


matrices.declare_out(Cholesky.op, "cholesky", below=NO_DERIVATIVE)


class CholeskySolve(Op):
    """X with AX = self, by the triangle of A."""

    schema = "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"
    variants = "method"
    conjugate = False

    def body(self, input2, upper):
        for name, t in (("b", self), ("u", input2)):
            if ndim_of(t) < 2:
                raise RuntimeError(f"{name} should have at least 2 dimensions, but has {ndim_of(t)} dimensions instead")
        matrices.check_equation(self, input2, "cholesky_solve")
        batch = matrices.common_batch(self, input2)
        self, input2 = matrices.expanded(self, batch), matrices.expanded(input2, batch)
        return aten._cholesky_solve_helper(self, input2, upper)

    def grads(grad, input2, result, upper, needs):
        back = aten.cholesky_solve(grad, input2, upper)
        if not needs[1]:
            return back, None
        common = aten.matmul(back, aten.mH(result))
        common = aten.add(common, aten.mH(common))
        product = aten.matmul(input2, common) if upper else aten.matmul(common, input2)
        return back, aten.neg(product)


matrices.declare_out(CholeskySolve.op, "cholesky_solve", below=NO_DERIVATIVE)


class CholeskySolveHelper(Op):
    """The same where all sizes agree."""

    schema = "_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor"
    internal = "cholesky_solve calls it"
    below = NO_DERIVATIVE

    def meta(self, A, upper):
        return by_columns(shape_of(self), self.dtype)

    def body(self, A, upper):
        solution, factor = copied_by_columns(self), copied_by_columns(A)
        info = matrices.codes_for(self, at_least=0)
        matrices.check_kernel(self.dtype, "cholesky_solve_cpu")
        run.potrs(solution, factor, upper)
        raise_for(info, "cholesky_solve", self)
        return solution


class CholeskyInverse(Op):
    """The inverse of a matrix, by its triangle."""

    schema = "cholesky_inverse(Tensor self, bool upper=False) -> Tensor"
    variants = "method"
    conjugate = False

    def body(self, upper):
        return aten.cholesky_inverse(self, upper, out=aten.empty((0,), dtype=self.dtype))

    def grad_self(grad, self, result, upper):
        common = aten.add(grad, aten.mH(grad))
        common = aten.matmul(result, aten.matmul(common, result))
        return aten.neg(aten.matmul(self, common) if upper else aten.matmul(common, self))


class CholeskyInverseOut(Op):
    """The same into a given tensor."""

    schema = "cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)"
    below = NO_DERIVATIVE

    def meta(self, upper, out=None):
        matrices.check_square(self, "cholesky_inverse")
        return by_columns(shape_of(self), self.dtype)

    def body(self, upper, out):
        matrices.check_castable("cholesky_inverse", out, self.dtype)
        info = matrices.codes_for(self)
        if matrices.needs_copy(out, self.dtype, shape_of(self)):
            inverse = _inverse_into(aten.empty((0,), dtype=self.dtype), info, self, upper)
            aten.copy_(resize_output(out, shape_of(inverse)), inverse)
        else:
            _inverse_into(out, info, self, upper)
        raise_for(info, "cholesky_inverse", out)
        return out


def _inverse_into(inverse, info, self, upper: bool):
    if numel_of(inverse) == 0:
        matrices.shaped_by_columns(inverse, self)
    matrices.is_by_columns(inverse)
    aten.copy_(inverse, self)
    aten.fill_(info, 0)
    matrices.check_kernel(self.dtype, "cholesky_inverse_out_cpu")
    if numel_of(inverse):
        run.potri(inverse, info, upper)
    return inverse

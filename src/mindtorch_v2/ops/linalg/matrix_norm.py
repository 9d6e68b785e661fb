"""Norms of matrices, by their elements or their singular values, and condition numbers."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ..decompose import matrices

NAME = "linalg.matrix_norm"


def _spelled(order) -> str:
    return order if isinstance(order, str) else f"{order:g}"


def _check(self, dim, order) -> tuple[int, int]:
    """Both dimensions, counted from the front."""
    matrices.check_matrix(self, NAME)
    if len(dim) != 2:
        raise RuntimeError(f"{NAME}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    first, second = [wrap_dim(d, ndim_of(self)) for d in dim]
    if first == second:
        raise RuntimeError(f"{NAME}: dims must be different. Got ({dim[0]}, {dim[1]})")
    matrices.check_floating(self, NAME, low_precision=order not in ("nuc", 2, -2))
    return first, second


def _moved_last(self, dims: tuple[int, int]):
    """The two dimensions behind all others, and the order in which they come back."""
    others = [d for d in range(ndim_of(self)) if d not in dims]
    order = (*others, *dims)
    return aten.permute(self, order), tuple(order.index(d) for d in range(ndim_of(self)))


def _singular_values(self, dims, keepdim: bool, dtype, reduce):
    """A norm of singular values; dimensions that are kept are brought back to where they were."""
    self, back = _moved_last(self if dtype is None else aten.to(self, dtype), dims)
    norm = reduce(aten.linalg_svdvals(self), keepdim)
    return aten.permute(aten.unsqueeze(norm, -1), back) if keepdim else norm


def _largest(values, dims: tuple[int], keepdim: bool):
    """The largest of norms along a dimension; zero where there are none."""
    shape = list(shape_of(values))
    d = wrap_dim(dims[0], len(shape))
    if shape[d]:
        return aten.amax(values, dims, keepdim)
    shape[d:d + 1] = [1] if keepdim else []
    return aten.zeros(tuple(shape), dtype=values.dtype)


def _of_numbers(self, order, dims, keepdim: bool, dtype):
    size = abs(order)
    reduce = _largest if order > 0 else aten.amin
    if size == 2:
        return _singular_values(self, dims, keepdim, dtype, lambda values, keep: reduce(values, (-1,), keep))
    inner, outer = dims if size == 1 else dims[::-1]
    if not keepdim and inner < outer:
        outer -= 1
    return reduce(aten.linalg_vector_norm(self, 1.0, (inner,), keepdim, dtype=dtype), (outer,), keepdim)


class LinalgMatrixNorm(Op):
    """The norm that a matrix has as a map: the largest sum of a column (1) or row (inf), or singular value (2)."""

    schema = ("linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
              "ScalarType? dtype=None) -> Tensor")

    def body(self, ord, dim, keepdim, dtype):
        if isinstance(ord, complex):
            raise RuntimeError(f"{NAME}: Expected a non-complex scalar as the order of norm.")
        if abs(ord) not in (1, 2, math.inf):
            matrices.check_matrix(self, NAME)
            raise RuntimeError(f"{NAME}: Order {_spelled(ord)} not supported.")
        return _of_numbers(self, ord, _check(self, dim, ord), keepdim, dtype)


class LinalgMatrixNormStr(Op):
    """The norm of all elements (fro), or the sum of singular values (nuc)."""

    schema = ('linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], bool keepdim=False, *, '
              "ScalarType? dtype=None) -> Tensor")

    def body(self, ord, dim, keepdim, dtype):
        if ord not in ("fro", "nuc"):
            matrices.check_matrix(self, NAME)
            raise RuntimeError(f"{NAME}: Order {ord} not supported.")
        dims = _check(self, dim, ord)
        if ord == "nuc":
            return _singular_values(self, dims, keepdim, dtype, lambda values, keep: aten.sum(values, (-1,), keep))
        if dtype is not None and dtype.category < dtypes.FLOATING:
            raise RuntimeError(f"{NAME}: dtype should be floating point or complex, but got {dtype.short}")
        return aten.linalg_vector_norm(self, 2, dims, keepdim, dtype=dtype)


def _declare_out(op, overload: str, name: str) -> None:
    """A form that computes as if nothing were given and copies into a tensor of that very type."""
    matrices.declare_out(op, name, overload, words=f"{name} expected out tensor dtype {{}} but got: {{}}")


_declare_out(LinalgMatrixNorm.op, "out", "linalg.matrix_norm")
_declare_out(LinalgMatrixNormStr.op, "str_ord_out", "linalg.matrix_norm")


def _is_of_matrix(self, dim, order) -> bool:
    """Whether a norm is of matrices: two dimensions are named, or there are just two; torch's complaint otherwise."""
    if dim is not None:
        if len(dim) not in (1, 2):
            raise RuntimeError("linalg.norm: If dim is specified, it must be of length 1 or 2. Got "
                               f"[{', '.join(map(str, dim))}]")
        return len(dim) == 2
    if ndim_of(self) not in (1, 2):
        raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
                           f"{ndim_of(self)}D.")
    return ndim_of(self) == 2


class LinalgNorm(Op):
    """The norm of vectors or matrices; without an order, that of all elements."""

    schema = ("linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
              "ScalarType? dtype=None) -> Tensor")

    def body(self, ord, dim, keepdim, dtype):
        if ord is not None and _is_of_matrix(self, dim, ord):
            return aten.linalg_matrix_norm(self, ord, (0, 1) if dim is None else dim, keepdim, dtype=dtype)
        return aten.linalg_vector_norm(self, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


class LinalgNormStr(Op):
    """The norm of matrices whose order has a name."""

    schema = ("linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
              "ScalarType? dtype=None) -> Tensor")

    def body(self, ord, dim, keepdim, dtype):
        return aten.linalg_matrix_norm(self, ord, (0, 1) if dim is None else dim, keepdim, dtype=dtype)


_declare_out(LinalgNorm.op, "out", "linalg.norm")
_declare_out(LinalgNormStr.op, "ord_str_out", "linalg.norm")


def _declare_named_norms() -> None:
    """frobenius_norm() and nuclear_norm(), the older names."""

    def frobenius(self, dim, keepdim, out=None):
        if out is None:
            return aten.norm(self, 2, dim, keepdim)
        return aten.norm(self, 2, dim, keepdim, out=out)

    def nuclear(self, dim=None, keepdim=False, out=None):
        dims = (-2, -1) if dim is None else dim
        if out is None:
            return aten.linalg_matrix_norm(self, "nuc", dims, keepdim)
        return aten.linalg_matrix_norm(self, "nuc", dims, keepdim, out=out)

    declare("frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
            "The norm of all elements over some dimensions.", body=frobenius, variants=".out")
    declare("nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor",
            "The sum of singular values.", body=nuclear, variants="dim_out")
    declare("nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", "The sum of singular values.",
            body=lambda self, keepdim, out=None: nuclear(self, None, keepdim, out), variants="out")


_declare_named_norms()


def _condition(self, order):
    """How much a matrix stretches, times how much its inverse does."""
    if order in (None, 2, -2):
        if numel_of(self) == 0:
            return aten.zeros(shape_of(self)[:-2], dtype=self.dtype.to_real())
        values = aten.linalg_svdvals(self)
        largest, smallest = aten.narrow(values, -1, 0, 1), aten.narrow(values, -1, shape_of(values)[-1] - 1, 1)
        return aten.squeeze(aten.div(smallest, largest) if order == -2 else aten.div(largest, smallest), -1)
    matrices.check_sides(self, f"linalg.cond(ord={_spelled(order)}): A")
    if numel_of(self) == 0:
        return aten.zeros(shape_of(self)[:-2], dtype=self.dtype.to_real())
    if order == "nuc":
        values = aten.linalg_svdvals(self)
        inverse = aten.sum(aten.reciprocal(values), (-1,), False)
        return aten.mul(aten.sum(values, (-1,), False), inverse)
    inverse, info = aten.linalg_inv_ex(self)
    aten.unsqueeze_(aten.unsqueeze_(info, -1), -1)
    aten.masked_fill_(inverse, aten.gt(info, 0), math.inf)
    of_inverse = aten.linalg_matrix_norm(inverse, order)
    condition = aten.mul(aten.linalg_matrix_norm(self, order), of_inverse)
    return aten.nan_to_num_(condition, math.inf, math.inf, -math.inf)


def _check_condition(self) -> None:
    if ndim_of(self) < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")


class LinalgCond(Op):
    """The condition number of each matrix, by a norm."""

    schema = "linalg_cond(Tensor self, Scalar? p=None) -> Tensor"

    def body(self, p):
        _check_condition(self)
        if p is not None and abs(p) not in (1, 2, math.inf):
            raise RuntimeError(f"linalg.cond got an invalid norm type: {_spelled(p)}")
        return _condition(self, p)


class LinalgCondStr(Op):
    """The condition number of each matrix, by a norm that has a name."""

    schema = "linalg_cond.p_str(Tensor self, str p) -> Tensor"

    def body(self, p):
        _check_condition(self)
        if p not in ("fro", "nuc"):
            raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
        return _condition(self, p)


matrices.declare_out(LinalgCond.op, "linalg.cond")
matrices.declare_out(LinalgCondStr.op, "linalg.cond", "p_str_out")

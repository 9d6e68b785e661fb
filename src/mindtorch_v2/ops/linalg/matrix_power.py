"""Matrices multiplied by themselves, and products, equations and inverses of tensors that are read as matrices."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ..decompose import matrices
from ..shared.layout import into


def _power(self, n: int, out=None):
    """By repeated squaring: each bit of n takes one square, and each that is set a product."""
    matrices.check_square(self, "linalg.matrix_power")
    if n < 0 and out is None and n != -1:
        return _raised(aten.linalg_inv(self), -n, None)
    if out is not None:
        matrices.check_castable("matrix_power", out, self.dtype)
        resize_output(out, shape_of(self))
    if n == 0:
        identity = aten.clone(self, memory_format=matrices.contiguous_format) if out is None else out
        return aten.copy_(identity, aten.eye(shape_of(self)[-1], dtype=self.dtype))
    if n == 1:
        return aten.clone(self, memory_format=matrices.contiguous_format) if out is None else aten.copy_(out, self)
    if n == -1:
        return aten.linalg_inv(self, **into(out))
    return _raised(self if n > 0 else aten.linalg_inv(self), abs(n), out)


def _raised(self, n: int, out):
    if n in (2, 3):
        square = aten.matmul(self, self, **(into(out) if n == 2 else {}))
        return square if n == 2 else aten.matmul(square, self, **into(out))
    square = result = None
    while n > 0:
        bit = n % 2
        n //= 2
        square = self if square is None else aten.matmul(square, square)
        if bit:
            is_last = n == 0
            result = square if result is None else aten.matmul(result, square, **(into(out) if is_last else {}))
    return result if out is None or result is out else aten.copy_(out, result)


for name in ("linalg_matrix_power", "matrix_power"):
    declare(f"{name}(Tensor self, int n) -> Tensor", "A matrix multiplied by itself; a negative power is that of its "
            "inverse.", body=_power, variants="method out" if name == "matrix_power" else "out")


class LinalgTensorinv(Op):
    """The inverse of a tensor whose first dimensions are read as rows and the others as columns."""

    schema = "linalg_tensorinv(Tensor self, int ind=2) -> Tensor"

    def body(self, ind):
        if ind <= 0:
            raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
        rows, columns = shape_of(self)[:ind], shape_of(self)[ind:]
        if math.prod(rows) != math.prod(columns):
            raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[ind:]) == "
                               f"prod(self.shape[:ind]), but got {math.prod(columns)} != {math.prod(rows)}")
        inverse, info = aten.linalg_inv_ex(aten.reshape(self, (math.prod(columns), math.prod(rows))),
                                           check_errors=False)
        matrices.aten._linalg_check_errors(info, "inv", is_matrix=True)
        return aten.reshape(inverse, (*columns, *rows))


class LinalgTensorsolve(Op):
    """X with AX = B, where the last dimensions of A are read as columns."""

    schema = "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor"

    def body(self, other, dims):
        if dims is not None:
            count = ndim_of(self)
            self = aten.movedim(self, dims, tuple(range(count - len(dims), count)))
        at = ndim_of(other)
        rows, columns = shape_of(self)[:at], shape_of(self)[at:]
        if math.prod(rows) != math.prod(columns):
            raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
                               f"prod(self.shape[:other.ndim]), but got {math.prod(columns)} != {math.prod(rows)}")
        matrix = aten.reshape(self, (math.prod(columns), math.prod(columns)))
        return aten.reshape(aten.linalg_solve(matrix, aten.flatten(other)), columns)


matrices.declare_out(LinalgTensorinv.op, "tensorinv")
matrices.declare_out(LinalgTensorsolve.op, "tensorsolve")


class LinalgVander(Op):
    """The powers of each number, from none upwards."""

    schema = "linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor"

    def body(x, N):
        if x.dtype is dtypes.bool_ or x.dtype.category < dtypes.INTEGRAL:
            raise RuntimeError("linalg.vander supports floating point, complex, and integer tensors, but got "
                               f"{x.dtype.short}")
        if not ndim_of(x):
            x = aten.unsqueeze(x, -1)
        shape = shape_of(x)
        size = shape[-1] if N is None else N
        if size <= 1:
            raise RuntimeError("N must be greater than 1.")
        powers = aten.cumprod(aten.expand(aten.unsqueeze(x, -1), (*shape, size - 1)), -1)
        return aten.cat((aten.new_ones(powers, (*shape, 1)), powers), -1)


class LinalgVecdot(Op):
    """The dot product of vectors along a dimension, the first of them conjugated."""

    schema = "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor"
    variants = "out"

    def body(x, y, dim, out=None):
        matrices.check_floating(x, "linalg.vecdot")
        if x.dtype is not y.dtype:
            raise RuntimeError(f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
                               f"{x.dtype.short} and y of type {y.dtype.short} instead")
        if out is None and ndim_of(x) == 1 and ndim_of(y) == 1:
            return aten.vdot(x, y)
        if out is not None and out.dtype is not x.dtype:
            raise RuntimeError(f"linalg.vecdot: Expected out of dtype{x.dtype.short} but found {out.dtype.short}")
        product = aten.mul(aten._conj(x) if x.is_complex() else x, y)
        return aten.sum(product, (dim,), False, **into(out))


class LinalgMatmul(Op):
    """matmul() by the name that NumPy's users look for."""

    schema = "linalg_matmul(Tensor self, Tensor other) -> Tensor"
    variants = "out"

    def body(self, other, out=None):
        return aten.matmul(self, other, **into(out))


class LinalgDiagonal(Op):
    """diagonal() of the last two dimensions."""

    schema = "linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"

    def body(A, offset, dim1, dim2):
        return aten.diagonal(A, offset, dim1, dim2)


class Inner(Op):
    """Sums of products over the last dimension of both."""

    schema = "inner(Tensor self, Tensor other) -> Tensor"
    variants = "method out"

    def body(self, other, out=None):
        if not ndim_of(self) or not ndim_of(other):
            return aten.mul(self, other, **into(out))
        if shape_of(self)[-1] != shape_of(other)[-1]:
            raise RuntimeError("inner() the last dimension must match on both input tensors but got shapes "
                               f"{list(shape_of(self))} and {list(shape_of(other))}")
        if self.dtype is not other.dtype:
            raise RuntimeError("both inputs should have same dtype")
        return aten.tensordot(self, other, (-1,), (-1,), **into(out))


class BlockDiag(Op):
    """Matrices along the diagonal of one that is zero elsewhere."""

    schema = "block_diag(Tensor[] tensors) -> Tensor"
    internal = "torch.block_diag takes matrices one by one"

    def body(tensors):
        for i, t in enumerate(tensors):
            if ndim_of(t) > 2:
                raise RuntimeError("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                                   f"{i} has {ndim_of(t)} dimensions")
        if not tensors:
            return aten.empty((1, 0))
        blocks = [t if ndim_of(t) == 2 else aten.expand(t, (1, shape_of(t)[0] if ndim_of(t) else 1)) for t in tensors]
        shape = tuple([sum([shape_of(t)[d] for t in blocks]) for d in (0, 1)])
        matrix = aten.zeros(shape, dtype=_common(tensors))
        row = column = 0
        for block in blocks:
            rows, columns = shape_of(block)
            aten.copy_(aten.slice(aten.slice(matrix, 0, row, row + rows), 1, column, column + columns), block)
            row, column = row + rows, column + columns
        return matrix

    def grads(grad, tensors):
        row = column = 0
        gradients = []
        for t in tensors:
            rows, columns = (1, 1) if not ndim_of(t) else (1, *shape_of(t)) if ndim_of(t) == 1 else shape_of(t)
            part = aten.slice(aten.slice(grad, 0, row, row + rows), 1, column, column + columns)
            gradients.append(aten.reshape(part, shape_of(t)))
            row, column = row + rows, column + columns
        return [gradients]


def _common(tensors):
    dtype = tensors[0].dtype
    for t in tensors[1:]:
        dtype = dtypes.PROMOTION[dtype, t.dtype]
    return dtype

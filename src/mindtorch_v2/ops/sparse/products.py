"""Products of sparse matrices with dense ones and with each other."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, sparse_csr, strided
from ...core.sparse import SparseCoo, is_compressed, is_coo, is_sparse, layout_word, on_coo, sparse_tensor
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import ask, result_of, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.scalars import in_kernel_type
from .parts import OF_SPARSE, refuse_backend


@on_coo("mm")
def mm(self, mat2):
    """The product of two matrices, one of them or both sparse."""
    return matrix_product(self, mat2)


def matrix_product(self, mat2):
    """The way torch goes: sparse by sparse, sparse by dense, or the transpose of that."""
    if is_coo(self) and is_coo(mat2):
        return aten._sparse_sparse_matmul(self, mat2)
    if is_sparse(self) and is_sparse(mat2):
        return _compressed_product(self, mat2)
    if is_sparse(self):
        zeros = aten.zeros((shape_of(self)[-2], shape_of(mat2)[-1]), dtype=mat2.dtype, layout=strided)
        return aten._sparse_addmm(zeros, self, mat2, beta=0, alpha=1)
    zeros = aten.zeros((shape_of(self)[-2], shape_of(mat2)[-1]), dtype=self.dtype, layout=strided)
    turned = [aten.transpose(t, -2, -1) for t in (self, mat2, zeros)]
    return aten.transpose(aten._sparse_addmm(turned[2], turned[1], turned[0], beta=0, alpha=1), -2, -1)


def _compressed_product(self, mat2):
    """The product of two matrices in the layout csr, which is one again; torch has none of the other layouts."""
    if self._mt_kind.layout is not sparse_csr or mat2._mt_kind.layout is not sparse_csr:
        raise RuntimeError(f"addmm: computation on CPU is not implemented for {layout_word(mat2)} + "
                           f"{layout_word(self)} @ {layout_word(mat2)}")
    return aten.to_sparse_csr(aten._sparse_sparse_matmul(aten.to_sparse(self), aten.to_sparse(mat2)))


class SparseMm(Op):
    """torch.sparse.mm."""

    schema = "_sparse_mm(Tensor sparse, Tensor dense) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.mm"

    def body(sparse, dense):
        return matrix_product(sparse, dense)


class SparseAddmm(Op):
    """beta * self + alpha * (mat1 @ mat2), whose gradient for a sparse mat1 is sparse."""

    schema = "_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.addmm"
    node = "SparseAddmmBackward0"

    def body(self, mat1, mat2, beta, alpha):
        return aten.addmm(self, mat1, mat2, beta=beta, alpha=alpha)

    def grad_self(grad, beta):
        return _times(grad, beta)

    def grad_mat1(grad, mat1, mat2, alpha):
        if is_compressed(mat1):
            zeros = aten.clone(mat1)
            aten.zero_(zeros._mt_kind.values)
            return aten.sparse_sampled_addmm(zeros, grad, aten.t(mat2), beta=1, alpha=alpha)
        if not is_coo(mat1):
            return _times(aten.mm(grad, aten.t(mat2)), alpha)
        ordered = aten.coalesce(mat1)
        return aten.sparse_mask(_times(aten.mm(grad, aten.t(mat2)), alpha), ordered)

    def grad_mat2(grad, mat1, alpha):
        return _times(aten.mm(aten.t(mat1), grad), alpha)


def _times(t, factor):
    return t if factor == 1 else aten.mul(t, factor)


@on_coo("addmm")
def addmm(self, mat1, mat2, beta, alpha):
    """beta * self + alpha * (mat1 @ mat2), mat1 sparse."""
    if is_coo(self) or shape_of(self) != (shape_of(mat1)[0], shape_of(mat2)[1]):
        self = aten.expand(self, (shape_of(mat1)[0], shape_of(mat2)[1]))
    return _add_product(aten.empty((0,), dtype=self.dtype, layout=strided), self, mat1, mat2, beta, alpha)


@on_coo("addmm.out")
def addmm_out(self, mat1, mat2, beta, alpha, out):
    """The same into a given tensor."""
    return _add_product(out, self, mat1, mat2, beta, alpha)


@on_coo("addmm_")
def addmm_(self, mat1, mat2, beta, alpha):
    """The same in place."""
    return _add_product(self, self, mat1, mat2, beta, alpha)


def _add_product(out, self, mat1, mat2, beta, alpha):
    _check_product(self, mat1, mat2)
    rows, columns = shape_of(mat1)[0], shape_of(mat2)[1]
    aten.resize_(out, (rows, columns))
    nnz = aten._nnz(mat1)
    if nnz == 0:
        return aten.zero_(out) if beta == 0 else aten.mul(self, beta, out=out)
    indices, values = aten._indices(mat1), aten._values(mat1)
    for t in (mat2, self):
        if t.dtype is not mat1.dtype:
            raise RuntimeError(f"expected scalar type {mat1.dtype.short} but found {t.dtype.short}")
    if beta == 0:
        aten.zero_(out)
    elif beta == 1:
        if out is not self:
            aten.copy_(out, self)
    else:
        aten.mul(self, beta, out=out)
    run.add_sparse_product(out, indices, values, mat2, in_kernel_type(alpha, out.dtype))
    return out


def _check_product(self, mat1, mat2) -> None:
    if not is_coo(mat1) or is_sparse(mat2):
        raise RuntimeError("addmm_sparse_dense: expected either 'mat1' to have sparse layout and 'mat2' to have "
                           f"strided layout, got 'mat1' with layout {layout_word(mat1)} and 'mat2' with layout "
                           f"{layout_word(mat2)}")
    sparse_dim, dense_dim = aten.sparse_dim(mat1), aten.dense_dim(mat1)
    if sparse_dim != 2:
        raise RuntimeError(f"addmm: matrices expected, got {sparse_dim}D tensor")
    if dense_dim:
        raise RuntimeError(f"addmm: scalar values expected, got {dense_dim}D values")
    if ndim_of(mat2) != 2:
        raise RuntimeError(f"addmm: matrices expected, got {ndim_of(mat2)}D tensor")
    if shape_of(mat2)[0] != shape_of(mat1)[1]:
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {shape_of(mat1)[1]}, got "
                           f"{shape_of(mat2)[0]}")
    for dim, size in enumerate((shape_of(mat1)[0], shape_of(mat2)[1])):
        if shape_of(self)[dim] != size:
            raise RuntimeError(f"addmm: Argument #1 (t): Expected dim {dim} size {size}, got {shape_of(self)[dim]}")


@on_coo("mv")
def mv(self, vec):
    """The product of a sparse matrix and a vector."""
    if ndim_of(self) != 2 or ndim_of(vec) != 1:
        raise RuntimeError(f"mv: two tensor dim should be 2 and 1, but got SparseTensor Dim: {ndim_of(self)} Tensor "
                           f"Dim: {ndim_of(vec)}")
    if shape_of(vec)[0] != shape_of(self)[1]:
        raise RuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    return aten.squeeze(aten.matmul(self, aten.unsqueeze(vec, -1)), -1)


@on_coo("bmm")
def bmm(self, mat2):
    """The products of a batch of sparse matrices and a batch of dense ones."""
    if not is_coo(self) or is_sparse(mat2):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    if ndim_of(self) != 3 or ndim_of(mat2) != 3 or shape_of(self)[0] != shape_of(mat2)[0] \
            or shape_of(self)[2] != shape_of(mat2)[1]:
        raise RuntimeError(f"bmm_sparse: batches of matrices that can be multiplied expected, got "
                           f"{list(shape_of(self))} and {list(shape_of(mat2))}")
    aten.dense_dim(self)
    aten.sparse_dim(self)
    out = aten.zeros((*shape_of(self)[:2], shape_of(mat2)[2]), dtype=mat2.dtype)
    if aten._nnz(self):
        ordered = aten.coalesce(self)
        run.add_batched_product(out, aten._indices(ordered), aten._values(ordered), mat2)
    return out


class SparseSparseMatmul(Op):
    """The product of two sparse matrices, which is sparse."""

    schema = "_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.mm"
    node = "SparseSparseMatmulBackward0"

    def body(self, other):
        for t in (self, other):
            if ndim_of(t) != 2 or aten.dense_dim(t):
                raise RuntimeError("sparse_sparse_matmul_cpu: scalar values expected, got "
                                   f"{ndim_of(t) - 2}D values")
        rows, columns = shape_of(self), shape_of(other)
        if rows[1] != columns[0]:
            raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows[0]}x{rows[1]} and "
                               f"{columns[0]}x{columns[1]})")
        if self.dtype is not other.dtype:
            raise RuntimeError(f"mat1 dtype {self.dtype.short} does not match mat2 dtype {other.dtype.short}")
        first, second = aten.coalesce(self)._mt_kind, aten.coalesce(other)._mt_kind
        indices, values = ask.sparse_product(first.indices, first.values, second.indices, second.values, rows, columns)
        kind = SparseCoo(result_of(indices, dtypes.int64), result_of(values, self.dtype), 2)
        return aten._coalesced_(sparse_tensor(kind, (rows[0], columns[1])), True)

    def grad_self(grad, self, other):
        return masked_like(aten._sparse_sparse_matmul(_sparse(grad), aten.t(other)), self)

    def grad_other(grad, self, other):
        return masked_like(aten._sparse_sparse_matmul(aten.t(self), _sparse(grad)), other)


def _sparse(grad):
    return grad if is_sparse(grad) else aten.to_sparse(grad)


def masked_like(grad, t):
    """A gradient at the places of what it belongs to."""
    is_smaller = aten._nnz(grad) <= aten._nnz(t)
    if aten.is_coalesced(t) and not (aten.is_coalesced(grad) and is_smaller):
        return aten.sparse_mask(grad, t)
    if aten.is_coalesced(grad) or is_smaller:
        return aten._sparse_mask_projection(aten.coalesce(grad), t)
    return aten.sparse_mask(grad, aten.coalesce(t))


class Hspmm(Op):
    """The product of a sparse and a dense matrix, as a sparse one whose values are rows."""

    schema = "hspmm(Tensor mat1, Tensor mat2) -> Tensor"
    of_kind, below = OF_SPARSE, "makes a sparse result"

    def body(mat1, mat2):
        if not is_coo(mat1):
            refuse_backend("hspmm", mat1)
        aten.empty((0,), dtype=mat1.dtype, layout=sparse_coo)
        _check_factors("hspmm", mat1, mat2)
        ordered = aten.coalesce(mat1)
        product = aten.mm(ordered, mat2)
        rows = aten.unique_dim(aten.select(aten._indices(ordered), 0, 0), 0)[0]
        return sparse_tensor(SparseCoo(aten.unsqueeze(rows, 0), aten.index_select(product, 0, rows), 1),
                             (shape_of(mat1)[0], shape_of(mat2)[1]))


def _check_factors(name: str, sparse, dense) -> None:
    if aten.sparse_dim(sparse) != 2:
        raise RuntimeError(f"{name}: Argument #2: matrices expected, got {aten.sparse_dim(sparse)}D tensor")
    if aten.dense_dim(sparse):
        raise RuntimeError(f"{name}: Argument #2: scalar values expected, got {aten.dense_dim(sparse)}D values")
    if ndim_of(dense) != 2:
        raise RuntimeError(f"{name}: Argument #3: matrices expected, got {ndim_of(dense)}D tensor")
    if shape_of(dense)[0] != shape_of(sparse)[1]:
        raise RuntimeError(f"{name}: Argument #3: Expected dim 0 size {shape_of(sparse)[1]}, got {shape_of(dense)[0]}")


class Smm(Op):
    """The product of a sparse and a dense matrix, as a sparse one."""

    schema = "smm(Tensor self, Tensor mat2) -> Tensor"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self, mat2):
        zeros = aten._sparse_coo_tensor_with_dims(2, 0, (shape_of(self)[-2], shape_of(mat2)[-1]), dtype=mat2.dtype)
        return aten.sspaddmm(zeros, self, mat2, beta=0, alpha=1)


class Sspaddmm(Op):
    """A sparse matrix plus the product of a sparse and a dense one, every element of which is kept."""

    schema = "sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    variants = "method"
    of_kind, below = OF_SPARSE, "makes a sparse result"

    def body(self, mat1, mat2, beta, alpha):
        if not is_coo(self) or not is_coo(mat1):
            raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")
        _check_factors("sspaddmm", mat1, mat2)
        if shape_of(self) != (shape_of(mat1)[0], shape_of(mat2)[1]):
            raise RuntimeError(f"sspaddmm: Argument #1: Expected size {[shape_of(mat1)[0], shape_of(mat2)[1]]}, got "
                               f"{list(shape_of(self))}")
        product = aten.mm(mat1, mat2)
        kind = self._mt_kind
        indices = result_of(ask.whole_rows(mat1._mt_kind.indices, shape_of(product)), dtypes.int64)
        rows = [aten.select(indices, 0, d) for d in range(2)]
        values = _times(aten.index(product, rows), alpha)
        if shape_of(kind.values)[0]:
            indices = aten.cat([kind.indices, indices], 1)
            values = aten.cat([_times(kind.values, beta), values], 0)
        return sparse_tensor(SparseCoo(indices, values, 2), shape_of(self))


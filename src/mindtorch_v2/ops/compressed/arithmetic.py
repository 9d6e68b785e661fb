"""Arithmetic, products and slices of tensors in the compressed layouts."""

from __future__ import annotations

from ...core.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr, strided
from ...core.geometry import wrap_dim
from ...core.sparse import (
    IN_BLOCKS,
    SparseCompressed,
    is_compressed,
    is_coo,
    is_sparse,
    layout_word,
    on_compressed,
    show,
    sparse_tensor,
)
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.scalars import in_kernel_type
from ..sparse.dense import in_layout
from ..sparse.parts import OF_SPARSE, refuse_backend
from ..sparse.products import matrix_product
from .copies import like

# Rows become columns when two dimensions are swapped.
TURNED = {sparse_csr: sparse_csc, sparse_csc: sparse_csr, sparse_bsr: sparse_bsc, sparse_bsc: sparse_bsr}


@on_compressed("add.Tensor")
def add(self, other, alpha):
    """The sum: dense with a dense tensor, else in the same layout."""
    if not is_sparse(self) or not is_sparse(other):
        dense, sparse = (self, other) if not is_sparse(self) else (other, self)
        summed = aten.to_dense(sparse)
        return aten.add(dense, summed, alpha=alpha) if dense is self else aten.add(summed, dense, alpha=alpha)
    if shape_of(self) != shape_of(other):
        raise RuntimeError("torch.add: Expected input tensors to have the same shape, but got tensor `self` with shape "
                           f"{list(shape_of(self))} and tensor `other` with shape {list(shape_of(other))}")
    if layout_word(self) != layout_word(other):
        raise RuntimeError(f"add(sparse, sparse): layouts {layout_word(self)} and {layout_word(other)} differ; convert "
                           "one of them")
    if _has_places_of(self, other):
        kind = self._mt_kind
        summed = aten.add(kind.values, other._mt_kind.values, alpha=alpha)
        return like(self, [aten.clone(kind.compressed), aten.clone(kind.plain), summed])
    return _by_coordinates(aten.add, self, other, alpha=alpha)


def _has_places_of(self, other) -> bool:
    """Whether two tensors of one layout keep the same elements."""
    one, two = self._mt_kind, other._mt_kind
    if shape_of(one.values) != shape_of(two.values) or one.plain.dtype is not two.plain.dtype:
        return False
    return all([a is b or aten.equal(a, b) for a, b in ((one.compressed, two.compressed), (one.plain, two.plain))])


@on_compressed("sub.Tensor")
def sub(self, other, alpha):
    """The difference."""
    return add(self, other, -alpha)


@on_compressed("add_.Tensor")
def add_(self, other, alpha):
    """The sum in place."""
    summed = add(self, other, alpha)
    return aten.copy_(self, summed) if not is_sparse(self) else show(self, summed._mt_kind)


def _by_coordinates(work, self, other, **options):
    """The same op on coordinates, and the result in this tensor's layout."""
    kind = self._mt_kind
    pair = [aten.to_sparse(t) for t in (self, other)]
    return in_layout(work(*pair, **options), kind.layout, kind.blocksize)


@on_compressed("mul.Tensor")
def mul(self, other):
    """The product with a number, a dense tensor or one of the same layout."""
    if is_compressed(self) and is_compressed(other):
        return _by_coordinates(aten.mul, self, other)
    sparse, dense = (self, other) if is_compressed(self) else (other, self)
    if ndim_of(dense) == 0:
        return _of_values(sparse, aten.mul(sparse._mt_kind.values, dense))
    kind = sparse._mt_kind
    return in_layout(aten.mul(aten.to_sparse(sparse), dense), kind.layout, kind.blocksize)


@on_compressed("div.Tensor")
def div(self, other):
    """The quotient by a number."""
    if ndim_of(other):
        raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
                           f"{list(shape_of(other))} for divisor)")
    return _of_values(self, aten.div(self._mt_kind.values, other))


@on_compressed("mul_.Tensor")
def mul_(self, other):
    """The product in place."""
    return show(self, mul(self, other)._mt_kind)


@on_compressed("div_.Tensor")
def div_(self, other):
    """The quotient in place."""
    return show(self, div(self, other)._mt_kind)


def _of_values(self, values):
    """The same places with other values."""
    compressed, plain, _ = self._mt_kind.parts
    return like(self, (aten.clone(compressed), aten.clone(plain), values))


@on_compressed("mm")
def mm(self, mat2):
    """The product of two matrices, one of them or both compressed."""
    return matrix_product(self, mat2)


@on_compressed("addmm")
def addmm(self, mat1, mat2, beta, alpha):
    """beta * self + alpha * (mat1 @ mat2), mat1 compressed."""
    shape = (shape_of(mat1)[0], shape_of(mat2)[1])
    out = aten.empty(shape, dtype=mat2.dtype, layout=strided)
    return _add_product(out, self if shape_of(self) == shape else aten.expand(self, shape), mat1, mat2, beta, alpha)


@on_compressed("addmm.out")
def addmm_out(self, mat1, mat2, beta, alpha, out):
    """The same into a given tensor."""
    aten.resize_(out, (shape_of(mat1)[0], shape_of(mat2)[1]))
    return _add_product(out, self, mat1, mat2, beta, alpha)


def _add_product(out, self, mat1, mat2, beta, alpha):
    if is_sparse(self) or is_sparse(mat2):
        if not is_sparse(mat1) and not is_sparse(self):
            return aten.t(_add_product(aten.t(out), aten.t(self), aten.t(mat2), aten.t(mat1), beta, alpha))
        raise RuntimeError(f"addmm: computation on CPU is not implemented for {layout_word(self)} + "
                           f"{layout_word(mat1)} @ {layout_word(mat2)}")
    a, b = shape_of(mat1), shape_of(mat2)
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")
    if mat1.dtype is not mat2.dtype:
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {mat1.dtype.short} and "
                           f"{mat2.dtype.short}")
    if beta == 0:
        aten.zero_(out)
    elif beta == 1:
        aten.copy_(out, self)
    else:
        aten.mul(self, beta, out=out)
    kind = mat1._mt_kind
    run.compressed_product(out, kind.compressed, kind.plain, kind.values, mat2, kind.layout.name,
                           in_kernel_type(alpha, out.dtype))
    return out


@on_compressed("mv")
def mv(self, vec):
    """The product of a compressed matrix and a vector."""
    return aten.squeeze(aten.mm(self, aten.unsqueeze(vec, -1)), -1)


@on_compressed("addmv")
def addmv(self, mat, vec, beta, alpha):
    """beta * self + alpha * (mat @ vec)."""
    column = aten.addmm(aten.unsqueeze(self, -1), mat, aten.unsqueeze(vec, -1), beta=beta, alpha=alpha)
    return aten.squeeze(column, -1)


@on_compressed("t")
def t(self):
    """The transpose: rows become columns."""
    return aten.transpose(self, 0, 0 if ndim_of(self) < 2 else 1)


@on_compressed("transpose.int")
def transpose(self, dim0, dim1):
    """The two dimensions of a matrix swapped: the same parts in the other layout."""
    ndim = ndim_of(self)
    first, second = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    kind = self._mt_kind
    batch = ndim_of(kind.compressed) - 1
    if first == second:
        return aten.alias(self)
    if sorted((first, second)) != [batch, batch + 1]:
        raise RuntimeError("transpose(): can only transpose compressed sparse tensors with two sparse dimensions along "
                           "these")
    values = aten.transpose(kind.values, batch + 1, batch + 2) if kind.layout in IN_BLOCKS else kind.values
    shape = list(shape_of(self))
    shape[first], shape[second] = shape[second], shape[first]
    return sparse_tensor(SparseCompressed(TURNED[kind.layout], kind.compressed, kind.plain, values), tuple(shape))


@on_compressed("select.int")
def select(self, dim, index):
    """One slice along a dimension, by coordinates."""
    part = aten.select(aten.to_sparse(self), dim, index)
    return aten._coalesced_(part, True) if is_coo(part) else part


@on_compressed("equal")
def equal(self, other):
    """Whether two tensors have the same parts."""
    if not is_compressed(other) or shape_of(self) != shape_of(other):
        return False
    return all(shape_of(a) == shape_of(b) and aten.equal(a, b)
               for a, b in zip(self._mt_kind.parts, other._mt_kind.parts))


class SampledAddmm(Op):
    """A csr matrix plus the product of two dense ones at the places that it keeps."""

    schema = "sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.sampled_addmm"
    node = "SparseSampledAddmmBackward0"

    def body(self, mat1, mat2, beta, alpha):
        if not is_compressed(self) or self._mt_kind.layout is not sparse_csr:
            raise RuntimeError(f"sampled_addmm: Expected self to have sparse csr layout, but got {layout_word(self)}")
        a, b = shape_of(mat1), shape_of(mat2)
        if a[-1] != b[-2] or (a[-2], b[-1]) != shape_of(self)[-2:]:
            raise RuntimeError(f"sampled_addmm: mat1 and mat2 shapes cannot be multiplied ({a[-2]}x{a[-1]} and "
                               f"{b[-2]}x{b[-1]})")
        kind = self._mt_kind
        products = aten.empty(shape_of(kind.values), dtype=self.dtype)
        run.sampled_products(products, kind.compressed, kind.plain, mat1, mat2)
        values = aten.add(_times(kind.values, beta), _times(products, alpha))
        return like(self, (aten.clone(kind.compressed), aten.clone(kind.plain), values))

    def grads(grad, self, mat1, mat2, beta, alpha, needs):
        masked = aten.sparse_mask(grad, self)
        return (_times(grad, beta) if needs[0] else None,
                _times(aten.mm(masked, aten.t(mat2)), alpha) if needs[1] else None,
                _times(aten.mm(aten.t(mat1), masked), alpha) if needs[2] else None)


def _times(t, factor):
    return t if factor == 1 else aten.mul(t, factor)


class SparseMmReduce(Op):
    """torch.sparse.mm with another way to bring the products of a row together."""

    schema = "_sparse_mm.reduce(Tensor sparse, Tensor dense, str reduce) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.mm"

    def body(sparse, dense, reduce):
        return aten._sparse_mm_reduce_impl(sparse, dense, reduce)[0]


class SparseMmReduceInner(Op):
    """What it does, and which element each largest or least one came from."""

    schema = "_sparse_mm_reduce_impl(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor)"
    of_kind = OF_SPARSE
    internal = "torch.sparse.mm"
    node = "SparseMmReduceImplBackward0"
    no_grad_for = "result1"

    def body(self, other, reduce):
        if not is_compressed(self):
            refuse_backend("_sparse_mm_reduce_impl", self if is_coo(self) else other)
        if reduce not in ("sum", "mean", "amax", "amin"):
            raise RuntimeError(f"reduce argument must be either sum, mean, amax or amin, got {reduce}")
        shape = (shape_of(self)[0], shape_of(other)[1])
        out = aten.empty(shape, dtype=self.dtype)
        kind = self._mt_kind
        places = aten.empty(shape, dtype=kind.plain.dtype)
        run.reduce_rows(out, places, kind.compressed, kind.plain, kind.values, other, reduce)
        return out, places

    def grads(grad, self, other, reduce, needs):
        if reduce in ("amax", "amin"):
            raise NotImplementedError("the derivative of torch.sparse.mm is known for the reductions sum and mean")
        if reduce == "mean":
            starts, rows = self._mt_kind.compressed, shape_of(self)[0]
            counts = aten.sub(aten.narrow(starts, 0, 1, rows), aten.narrow(starts, 0, 0, rows))
            grad = aten.div(grad, aten.unsqueeze(aten.clamp(counts, 1), -1))
        of_sparse = aten.sparse_mask(aten.mm(grad, aten.t(other)), self) if needs[0] else None
        return of_sparse, aten.mm(aten.t(self), grad) if needs[1] else None


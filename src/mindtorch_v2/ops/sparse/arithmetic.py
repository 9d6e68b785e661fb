"""Sums, products and quotients of sparse tensors, among themselves, with dense ones and with numbers."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, strided
from ...core.sparse import SparseCoo, is_coo, is_sparse, on_coo, show
from ...core.tensor import is_in_order, ndim_of, shape_of
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.scalars import in_kernel_type
from .parts import nnz_of, sparse_dim_of
from .unary import first_columns, write_values


def empty_result(dtype, layout=sparse_coo):
    """The result of an op before it is known, which shows as a row."""
    return aten.empty((0,), dtype=dtype, layout=layout)


def check_storable(common, out, name: str) -> None:
    if common.category > out.dtype.category:
        raise RuntimeError(f"Can't convert result type {common.short} to output {out.dtype.short} in {name} operation")


# ---- sums --------------------------------------------------------------------------------------------------------

@on_coo("add.Tensor")
def add(self, other, alpha):
    """The sum; a sparse tensor may be added to a dense one, not the other way round."""
    common = aten.result_type(self, other)
    result = empty_result(common, sparse_coo if is_coo(self) else strided)
    return aten.add(self, other, alpha=alpha, out=result)


@on_coo("sub.Tensor")
def sub(self, other, alpha):
    """The difference: the sum with the negative factor."""
    common = aten.result_type(self, other)
    result = empty_result(common, sparse_coo if is_coo(self) else strided)
    return aten.add(self, other, alpha=-alpha, out=result)


@on_coo("add_.Tensor")
def add_(self, other, alpha):
    """The sum in place."""
    return aten.add(self, other, alpha=alpha, out=self)


@on_coo("sub_.Tensor")
def sub_(self, other, alpha):
    """The difference in place."""
    return aten.add(self, other, alpha=-alpha, out=self)


@on_coo("add.out")
def add_out(self, other, alpha, out):
    """The sum into a given tensor."""
    if not is_coo(self):
        return _add_to_dense(self, other, alpha, out)
    if not is_coo(other):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if shape_of(self) != shape_of(other):
        raise RuntimeError(f"add: expected sizes of 'self' and 'other' to match, but {list(shape_of(self))} != "
                           f"{list(shape_of(other))}")
    common = dtypes.promote_types(self.dtype, other.dtype)
    check_storable(common, out, "add")
    if aten._nnz(other) == 0:
        return aten.copy_sparse_to_sparse_(out, self)
    if aten._nnz(self) == 0:
        product = aten.mul(other, alpha)
        return show(out, product._mt_kind, shape_of(product))
    dims = [(aten.sparse_dim(self), aten.sparse_dim(other)), (aten.dense_dim(self), aten.dense_dim(other))]
    if dims[0][0] != dims[0][1]:
        raise RuntimeError("add: expected 'self' and 'other' to have same density, but 'self' has "
                           f"{dims[0][0]} sparse dimensions while 'other' has {dims[0][1]} sparse dimensions")
    aten.resize_as_(out, other)
    if is_in_order(aten._values(other)) and is_in_order(aten._values(self)):
        return _merged(out, self, other, alpha, common)
    return _joined(out, self, other, alpha, common)


def _merged(out, self, other, alpha, common):
    """The columns of both in order, values at the same place added."""
    nnz = aten._nnz(self) + aten._nnz(other)
    is_coalesced = aten.is_coalesced(self) and aten.is_coalesced(other)
    sparse_dim = aten.sparse_dim(other)
    index_type = aten._indices(other).dtype
    indices = aten.empty((aten.sparse_dim(other), nnz), dtype=index_type)
    left = aten.to(aten._values(self), common)
    right = aten.to(aten._values(other), common)
    values = aten.zero_(aten.empty((nnz, *shape_of(left)[1:]), dtype=common))
    count = ask.merge_sums(indices, values, aten._indices(self), left, aten._indices(other), right,
                           in_kernel_type(alpha, common))
    if values.dtype is not out.dtype:
        values = aten.to(values, out.dtype)
    show(out, first_columns(indices, values, count, sparse_dim))
    return aten._coalesced_(out, is_coalesced)


def _joined(out, self, other, alpha, common):
    """The columns of both behind each other."""
    left = aten.to(aten._values(self), common)
    right = aten.to(aten._values(other), common)
    if alpha != 1:
        right = aten.mul(right, alpha)
    indices = aten.cat([aten._indices(self), aten._indices(other)], 1)
    values = aten.to(aten.cat([left, right], 0), out.dtype)
    show(out, SparseCoo(indices, values, sparse_dim_of(other)))
    aten._nnz(out)
    return out


def _add_to_dense(dense, sparse, alpha, out):
    """Values added where their coordinates say."""
    if shape_of(dense) != shape_of(sparse):
        raise RuntimeError(f"add: expected 'self' and 'other' to have same size, but self has size "
                           f"{list(shape_of(dense))} while other has size {list(shape_of(sparse))} (FYI: dense-sparse "
                           "addition does not currently support broadcasting)")
    common = dtypes.promote_types(dense.dtype, sparse.dtype)
    check_storable(common, out, "add")
    aten.resize_as_(out, dense)
    nnz = aten._nnz(sparse)
    if nnz == 0:
        return out if out is dense else aten.copy_(out, dense)
    aten.sparse_dim(sparse)
    into = out
    if out.dtype is not common:
        into = aten.to(dense, common)
    elif out is not dense:
        aten.copy_(out, dense)
    values = aten._values(sparse)
    aten.is_coalesced(sparse)
    indices = aten._indices(sparse)
    converted = aten.to(values, common)
    if is_in_order(into) and is_in_order(values):
        aten.sparse_dim(sparse)
        aten._nnz(sparse)
        run.add_sparse(into, indices, converted, in_kernel_type(alpha, common))
    else:
        _add_slices(into, sparse, alpha, common)
    return out if into is out else aten.copy_(out, into)


def _add_slices(into, sparse, alpha, common) -> None:
    """Slice by slice, where memory is not in order."""
    ordered = aten.coalesce(sparse)
    indices, values = aten._indices(ordered), aten.to(aten._values(ordered), common)
    if sparse_dim_of(ordered) != 1 or aten._nnz(ordered) > _FEW_SLICES:
        run.add_sparse(into, indices, values, in_kernel_type(alpha, common))
        return
    for k, place in enumerate(ask.tolist(indices)[0]):
        slot = aten.select(into, 0, place)
        aten.add_(slot, aten.select(values, 0, k), alpha=alpha)


_FEW_SLICES = 100  # torch shares more of them among threads, whose rows are not shown


# ---- products ----------------------------------------------------------------------------------------------------

@on_coo("mul.Tensor")
def mul(self, other):
    """The product, which keeps what both keep."""
    common = aten.result_type(self, other)
    return aten.mul(self, other, out=empty_result(common))


@on_coo("mul_.Tensor")
def mul_(self, other):
    """The product in place."""
    if not is_coo(self):
        raise RuntimeError("mul: expected 'self' to be sparse: a dense tensor cannot take a sparse product in place")
    return aten.mul(self, other, out=self)


@on_coo("mul.out")
def mul_out(self, other, out):
    """The product into a given sparse tensor."""
    if not is_coo(other):
        return _scaled(out, self, other)
    if not is_coo(self):
        return _scaled(out, other, self)
    if shape_of(self) != shape_of(other):
        raise RuntimeError(f"mul: expected 'self' and 'other' to have same sizes when both are sparse, but "
                           f"{list(shape_of(self))} != {list(shape_of(other))}")
    if not aten._nnz(self) or not aten._nnz(other):
        return aten.zero_(aten.resize_as_(out, self))
    if not aten.is_coalesced(self) or not aten.is_coalesced(other):
        return show(out, intersection(self, other), shape_of(self))
    first, second = aten.coalesce(self), aten.coalesce(other)
    most = min(aten._nnz(first), aten._nnz(second))
    sparse_dim = aten.sparse_dim(second)
    left, right = aten._indices(first), aten._indices(second)
    indices = aten.empty((sparse_dim, most), dtype=dtypes.int64)
    common = dtypes.promote_types(self.dtype, other.dtype)
    check_storable(common, out, "mul")
    a, b = aten.to(aten._values(first), common), aten.to(aten._values(second), common)
    values = aten.zero_(aten.empty((most, *shape_of(a)[1:]), dtype=common))
    count = ask.multiply_common(indices, values, left, a, right, b, shape_of(self)[:sparse_dim])
    aten.resize_as_(out, second)
    values = aten.to(values, out.dtype)
    show(out, first_columns(indices, values, count, sparse_dim), shape_of(self))
    return aten._coalesced_(out, True)


def intersection(self, other) -> SparseCoo:
    """The columns of one tensor, times the sums of the other's values at the same places; zero where it has none."""
    summed, kept = _roles(self, other)
    kind = kept._mt_kind
    ordered = aten.coalesce(summed)._mt_kind
    common = dtypes.promote_types(self.dtype, other.dtype)
    indices = aten.clone(kind.indices)
    sums = aten.zeros((nnz_of(kept), *shape_of(ordered.values)[1:]), dtype=common)
    run.gather_columns(sums, kind.indices, ordered.indices, ordered.values, shape_of(self)[:kind.sparse_dim])
    return SparseCoo(indices, aten.mul(aten.to(kind.values, common), sums), kind.sparse_dim, kind.is_coalesced)


def _roles(self, other):
    """Which tensor is searched, and whose columns stay: torch searches the one that is coalesced, or the larger one."""
    if self._mt_kind.is_coalesced != other._mt_kind.is_coalesced:
        return (self, other) if self._mt_kind.is_coalesced else (other, self)
    return (self, other) if nnz_of(self) >= nnz_of(other) else (other, self)


def _scaled(out, sparse, dense):
    """Every value times the element of a dense tensor at its place, or times a number."""
    nnz = aten._nnz(sparse)
    if ndim_of(dense) and shape_of(dense) != shape_of(sparse):
        raise RuntimeError(f"mul(dense, sparse): expected 'dense' to be of the shape of 'sparse' or a number, but got "
                           f"{list(shape_of(dense))} and {list(shape_of(sparse))}")
    sparse_dim = aten.sparse_dim(sparse)
    aten.dense_dim(sparse)
    indices, values = aten._indices(sparse), aten._values(sparse)
    factor = dense
    if ndim_of(dense):
        rows = [aten.select(indices, 0, d) for d in range(sparse_dim)]
        factor = aten.index(aten.expand(dense, shape_of(sparse)), rows)
    indices = aten.clone(indices)
    product = aten.mul(values, factor)
    if product.dtype.category > out.dtype.category:
        raise RuntimeError(f"result type {product.dtype.short} can't be cast to the desired output type "
                           f"{out.dtype.short}")
    if out is not sparse or product.dtype is not out.dtype:
        product = aten.to(product, out.dtype)
    aten._nnz(sparse)
    was = sparse._mt_kind.is_coalesced
    show(out, first_columns(indices, product, nnz, sparse_dim), shape_of(sparse))
    aten.is_coalesced(sparse)
    return aten._coalesced_(out, was)


# ---- quotients ---------------------------------------------------------------------------------------------------

def _check_divisor(other) -> None:
    if ndim_of(other):
        raise RuntimeError(f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
                           f"{list(shape_of(other))} for divisor)")
    if is_sparse(other):
        raise RuntimeError("Sparse division requires a scalar or zero-dim dense tensor divisor (got a sparse divisor)")


@on_coo("div.Tensor")
def div(self, other):
    """Every value divided by a number."""
    return div_mode(self, other, None)


@on_coo("div.Tensor_mode")
def div_mode(self, other, rounding_mode):
    """The same, rounded as asked; then values at one place are added up first."""
    if not is_coo(self):
        raise RuntimeError("div: a dense tensor cannot be divided by a sparse one")
    common = aten.result_type(self, other)
    if rounding_mode is None and common.category < dtypes.FLOATING:
        common = dtypes.get_default_dtype()
    result = empty_result(common)
    _check_divisor(other)
    if rounding_mode is None:
        return write_values(result, self, "div", other)
    return write_values(result, aten.coalesce(self), "div", other, rounding_mode=rounding_mode)


@on_coo("div_.Tensor")
def div_(self, other):
    """The quotient in place."""
    _check_divisor(other)
    aten.div_(aten._values(self), other)
    return self


@on_coo("div_.Tensor_mode")
def div_mode_(self, other, rounding_mode):
    """The same, rounded as asked."""
    _check_divisor(other)
    if rounding_mode is not None and not aten.is_coalesced(self):
        show(self, aten.coalesce(self)._mt_kind)
    aten.div_(aten._values(self), other, rounding_mode=rounding_mode)
    return self


@on_coo("floor_divide")
def floor_divide(self, other):
    """The quotient rounded down, of the sums at each place."""
    result = empty_result(aten.result_type(self, other))
    _check_divisor(other)
    return write_values(result, aten.coalesce(self), "floor_divide", other)



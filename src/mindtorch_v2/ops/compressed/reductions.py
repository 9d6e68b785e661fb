"""Sums and products of csr matrices along rows and columns."""

from __future__ import annotations

from ...core.device import sparse_csr
from ...core.sparse import SparseCompressed, on_compressed, sparse_tensor
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import ask, result_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..sparse.parts import OF_SPARSE
from ..sparse.reductions import wrapped_dims


@on_compressed("sum")
def sum_compressed(self, dtype):
    """The sum of all values."""
    return aten.sum(self._mt_kind.values, dtype=dtype)


@on_compressed("sum.dim_IntList")
def sum_compressed_dims(self, dim, keepdim, dtype):
    """The sum along rows or columns, in the layout csr."""
    return aten._sparse_csr_sum(self, dim, keepdim, dtype=dtype)


def _reduced(self, dim, keepdim: bool, dtype, name: str):
    if not keepdim:
        raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
    if self._mt_kind.layout is not sparse_csr or ndim_of(self) != 2:
        raise RuntimeError("sum: only CSR matrices can be reduced")
    dims = tuple(sorted(wrapped_dims(dim, 2)))
    starts, others, values = self._mt_kind.parts
    values = values if dtype is None else aten.to(values, dtype)
    parts = ask.reduce_compressed(starts, others, values, shape_of(self), dims, name)
    shape = tuple(1 if d in dims else n for d, n in enumerate(shape_of(self)))
    kinds = (starts.dtype, starts.dtype, values.dtype)
    return sparse_tensor(SparseCompressed(sparse_csr, *[result_of(part, t) for part, t in zip(parts, kinds)]), shape)


class CsrSum(Op):
    """The sum of a csr matrix along rows, columns or both."""

    schema = ("_sparse_csr_sum.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
              "Tensor")
    of_kind, below = OF_SPARSE, "reads parts"
    internal = "Tensor.sum"

    def body(self, dim, keepdim, dtype):
        return _reduced(self, dim, keepdim, dtype, "sum")


class CsrProd(Op):
    """The product of a csr matrix along rows, columns or both."""

    schema = ("_sparse_csr_prod.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
              "Tensor")
    of_kind, below = OF_SPARSE, "reads parts"
    internal = "Tensor.prod"

    def body(self, dim, keepdim, dtype):
        return _reduced(self, dim, keepdim, dtype, "prod")



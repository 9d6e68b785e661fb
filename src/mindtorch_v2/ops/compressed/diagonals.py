"""Sparse matrices from diagonals."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, sparse_csc, sparse_csr
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import ask, result_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..sparse.dense import in_layout
from ..sparse.parts import OF_SPARSE


class Spdiags(Op):
    """A matrix whose diagonals are rows of another; a value's place in its row is its column."""

    schema = "_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor"
    of_kind, below = OF_SPARSE, "makes a sparse result"
    internal = "torch.sparse.spdiags"

    def body(diagonals, offsets, shape, layout):
        rows = diagonals if ndim_of(diagonals) == 2 else aten.unsqueeze(diagonals, 0)
        places = offsets if ndim_of(offsets) else aten.unsqueeze(offsets, 0)
        _check(rows, places, shape, layout)
        picked, indices = ask.diagonal_places(places, shape_of(rows)[1], tuple(shape))
        if picked is None:
            raise RuntimeError("Offset tensor contains duplicate values")
        values = aten.index(aten.flatten(rows), [result_of(picked, dtypes.int64)])
        matrix = aten.sparse_coo_tensor(result_of(indices, dtypes.int64), values, tuple(shape))
        return matrix if layout is None or layout is sparse_coo else in_layout(matrix, layout)


def _check(rows, places, shape, layout) -> None:
    if ndim_of(rows) != 2:
        raise RuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if ndim_of(places) != 1:
        raise RuntimeError("Offsets must be scalar or vector")
    if shape_of(rows)[0] != shape_of(places)[0]:
        raise RuntimeError(f"Number of diagonals ({shape_of(rows)[0]}) does not match the number of offsets "
                           f"({shape_of(places)[0]})")
    if layout not in (None, sparse_coo, sparse_csr, sparse_csc):
        raise RuntimeError("Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got " + layout.name)

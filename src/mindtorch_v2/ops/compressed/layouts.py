"""From one layout to another: to_sparse_csr and its kin."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr, strided
from ...core.sparse import LAYOUT_WORDS, is_coo, is_sparse
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import ask, result_of, run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..shared.layout import in_order
from ..sparse.dense import blocksize_of, in_layout
from ..sparse.parts import OF_SPARSE
from .construct import new_compressed, unsized_rows
from .conversions import converted


class CooToCsr(Op):
    """Where each row begins, of row indices in order."""

    schema = "_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> Tensor"
    of_kind, below = OF_SPARSE, "makes indices"
    variants = "out"

    def meta(self, size, out_int32):
        return Spec((size + 1,), dtypes.int32 if out_int32 else dtypes.int64)

    def into(out, self, size, out_int32):
        run.write_row_starts(out, self, size)


class CsrToCoo(Op):
    """Coordinates of each element, where rows (or columns) are given by their beginnings."""

    schema = ("_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, bool out_int32=False, "
              "bool transpose=False) -> Tensor")
    of_kind, below = OF_SPARSE, "makes indices"
    variants = "out"

    def meta(crow_indices, col_indices, out_int32, transpose):
        return Spec((ndim_of(crow_indices) + 1, numel_of(col_indices)), dtypes.int32 if out_int32 else dtypes.int64)

    def into(out, crow_indices, col_indices, out_int32, transpose):
        first = ndim_of(crow_indices) - 1  # behind the rows of batches
        plain = [aten.select(out, 0, first + row) for row in (transpose, not transpose)][1]
        aten.copy_(plain, aten.view(in_order(col_indices), (-1,)))
        run.expand_rows(out, crow_indices, col_indices, transpose)


def _of_coo(self, layout):
    """Coordinates in order as rows that begin somewhere; columns are the rows of the transpose."""
    if aten.sparse_dim(self) != 2:
        raise RuntimeError(f"coo_to_sparse_{layout.name[7:]}: conversion from Sparse to {LAYOUT_WORDS[layout]} for "
                           "input tensors with sparse_dim()!=2 is not supported")
    if layout is sparse_csc:
        turned = aten._to_sparse_csr(aten.transpose(self, 0, 1))
        kind = turned._mt_kind
        return new_compressed(layout, kind.compressed, kind.plain, kind.values, shape_of(self))
    ordered = aten.coalesce(self)
    rows = aten.select(aten.indices(ordered), 0, 0)
    starts = aten._convert_indices_from_coo_to_csr(rows, shape_of(self)[0])
    values = aten.values(ordered)
    columns = aten.select(aten.indices(ordered), 0, 1)
    unsized_rows(self.dtype)
    return new_compressed(layout, starts, columns, values, shape_of(self))


def _of_dense(self, layout, dense_dim):
    """Rows of what is not zero."""
    dense_dim = dense_dim or 0
    if ndim_of(self) - dense_dim == 2:
        return _of_matrix(self, layout, dense_dim)
    if ndim_of(self) - dense_dim < 2:
        aten.select(aten.nonzero(aten.ne(self, 0)), 1, 1)  # complains as torch does
    return _of_blocks(self, layout, (1, 1), dense_dim)


def _of_matrix(self, layout, dense_dim: int):
    shape = shape_of(self)
    kept = aten.ne(self, 0)
    for _ in range(dense_dim):
        kept = aten.any(kept, -1)
    by_rows = layout is sparse_csr
    places = aten.nonzero(_turned(kept, by_rows))
    lines, others = aten.select(places, 1, 0), aten.select(places, 1, 1)
    starts = aten._convert_indices_from_coo_to_csr(lines, shape[0 if by_rows else 1])
    picked = _picked(self, by_rows, aten.view(aten.nonzero(aten.flatten(_turned(kept, by_rows))), (-1,)))
    return aten._sparse_compressed_tensor_unsafe(starts, others, picked, shape, dtype=self.dtype, layout=layout)


def _turned(matrix, by_rows: bool):
    return matrix if by_rows else aten.transpose(matrix, 0, 1)


def _picked(matrix, by_rows: bool, numbers):
    """Elements of a matrix by their numbers, row by row or column by column."""
    return aten.index_select(aten.flatten(_turned(matrix, by_rows), 0, 1), 0, numbers)


def _of_blocks(self, layout, blocksize, dense_dim: int):
    """Blocks with anything but zeros; with blocks of one element, batches of matrices."""
    shape, name = shape_of(self), layout.name[7:]
    base = ndim_of(self) - dense_dim - 2
    if 0 in shape[:base]:
        raise RuntimeError(f"to_sparse_{name}: Expected product of batch dimensions to be non-zero.")
    for size, block in zip(shape[base:base + 2], blocksize):
        if block <= 0 or size % block:
            raise RuntimeError(f"dense_to_sparse_{name}: tensor sparse size ({shape[base]},{shape[base + 1]}) must be "
                               f"divisible by given blocksize ({blocksize[0]},{blocksize[1]})")
    is_blocked = layout in (sparse_bsr, sparse_bsc)
    parts = ask.compress(self, base, tuple(blocksize), layout in (sparse_csr, sparse_bsr), is_blocked)
    if parts is None:
        raise RuntimeError("Expect the same number of specified elements per batch.")
    starts, others, values = parts
    return aten._sparse_compressed_tensor_unsafe(result_of(starts, dtypes.int64), result_of(others, dtypes.int64),
                                                 result_of(values, self.dtype), shape, dtype=self.dtype, layout=layout)


def _declare(layout, has_blocks: bool) -> None:
    word = layout.name[7:]
    blocks = "int[2] blocksize, " if has_blocks else ""

    def outer(self, *options):
        if is_sparse(self) and self._mt_kind.layout is layout:
            if has_blocks and tuple(options[0]) != self._mt_kind.blocksize:
                raise RuntimeError(f"to_sparse_{word}: conversion from {LAYOUT_WORDS[layout]} to "
                                   f"{LAYOUT_WORDS[layout]} with blocksize changed from "
                                   f"{list(self._mt_kind.blocksize)} to {list(options[0])} is not supported")
            return self
        return getattr(aten, f"_to_sparse_{word}")(self, *options)

    def inner(self, *options):
        dense_dim = options[-1]
        if is_coo(self) and not has_blocks:
            return _of_coo(self, layout)
        if is_sparse(self):
            return converted(self, layout, options[0] if has_blocks else (), dense_dim)
        if has_blocks:
            return _of_blocks(self, layout, options[0], dense_dim or 0)
        return _of_dense(self, layout, dense_dim)

    def grad_self(grad, self):
        return in_layout(grad, strided if self._mt_kind is None else self._mt_kind.layout, blocksize_of(self))

    declare(f"to_sparse_{word}(Tensor self, {blocks}int? dense_dim=None) -> Tensor",
            f"The tensor in the layout {word}.", variants="method", of_kind=OF_SPARSE,
            body=outer)
    declare(f"_to_sparse_{word}(Tensor self, {blocks}int? dense_dim=None) -> Tensor",
            f"What to_sparse_{word}() does where there is something to do.", of_kind=OF_SPARSE,
            internal=f"the inner half of to_sparse_{word}", node=f"ToSparse{word.capitalize()}Backward0",
            body=inner, grad_self=grad_self)


for _layout in (sparse_csr, sparse_csc):
    _declare(_layout, False)
for _layout in (sparse_bsr, sparse_bsc):
    _declare(_layout, True)


"""Compressed layouts made of coordinates and of each other, with every element that is kept, zeros too."""

from __future__ import annotations

from ...core.sparse import BY_ROWS, IN_BLOCKS, LAYOUT_WORDS, is_coo, layout_word
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import ask, result_of
from ...dispatch.aten import aten
from .construct import new_compressed


def converted(self, layout, blocksize, dense_dim):
    """A tensor by coordinates, or of another compressed layout, in a compressed layout."""
    name = f"{'coo' if is_coo(self) else 'sparse_compressed'}_to_sparse_{layout.name[7:]}"
    words = f"{name}: conversion from {layout_word(self)} to {LAYOUT_WORDS[layout]}"
    if dense_dim is not None:
        raise RuntimeError(f"{words} with dense_dim argument given is not supported")
    if is_coo(self):
        if aten.sparse_dim(self) != 2:
            raise RuntimeError(f"{words} for input tensors with sparse_dim()!=2 is not supported")
        ordered = aten.coalesce(self)
        return _of_coordinates(name, layout, aten._indices(ordered), aten._values(ordered), shape_of(self), blocksize)
    kind = self._mt_kind
    if kind.blocksize and layout not in IN_BLOCKS:
        raise RuntimeError(f"{name}: expected SparseCsr or SparseCsc layout but got {layout_word(self)}")
    if kind.blocksize and tuple(blocksize) != kind.blocksize:
        raise RuntimeError(f"{words} with blocksize changed from {list(kind.blocksize)} to {list(blocksize)} is not "
                           "supported")
    if bool(kind.blocksize) == (layout in IN_BLOCKS):
        return _turned(self, layout)
    if ndim_of(kind.compressed) > 1:
        raise RuntimeError(f"{words} for batched inputs is not supported")
    indices = aten._convert_indices_from_csr_to_coo(kind.compressed, kind.plain,
                                                    transpose=kind.layout not in BY_ROWS)
    result = _of_coordinates(name, layout, indices, kind.values, shape_of(self), blocksize)
    return _with_index_type(result, kind.plain.dtype)


def _of_coordinates(name: str, layout, indices, values, shape, blocksize):
    """Blocks that hold elements, in the order of rows or of columns."""
    for size, block in zip(shape, blocksize):
        if block <= 0 or size % block:
            raise RuntimeError(f"{name}: tensor sparse size ({shape[0]},{shape[1]}) must be divisible by given "
                               f"blocksize ({blocksize[0]},{blocksize[1]})")
    parts = ask.gather_blocks(indices, values, shape[:2], tuple(blocksize), layout in BY_ROWS)
    return _built(layout, parts, indices.dtype, values.dtype, shape)


def _turned(self, layout):
    """Rows as columns, or columns as rows."""
    kind, (rows, columns) = self._mt_kind, _lines_of(self)
    parts = ask.turn_compressed(kind.compressed, kind.plain, kind.values, rows if layout in BY_ROWS else columns)
    return _built(layout, parts, kind.plain.dtype, self.dtype, shape_of(self))


def _lines_of(self) -> tuple[int, int]:
    """The numbers of rows and of columns, of blocks where there are some."""
    kind, batch = self._mt_kind, ndim_of(self._mt_kind.compressed) - 1
    height, width = kind.blocksize or (1, 1)
    rows, columns = shape_of(self)[batch:batch + 2]
    return rows // height, columns // width


def _built(layout, parts, index_type, dtype, shape):
    starts, others, values = parts
    return new_compressed(layout, result_of(starts, index_type), result_of(others, index_type),
                          result_of(values, dtype), shape)


def _with_index_type(self, index_type):
    kind = self._mt_kind
    if kind.plain.dtype is index_type:
        return self
    return new_compressed(kind.layout, aten.to(kind.compressed, index_type), aten.to(kind.plain, index_type),
                          kind.values, shape_of(self))

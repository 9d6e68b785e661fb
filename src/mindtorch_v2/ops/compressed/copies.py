"""Tensors in the compressed layouts copied, cast and emptied; what `empty` makes in a sparse layout."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, strided
from ...core.sparse import BY_ROWS, SparseCompressed, layout_word, on_compressed, show, sparse_tensor
from ...core.tensor import alias_of, shape_of
from ...dispatch.aten import aten
from ..sparse.coordinates import empty_coo
from ..sparse.parts import nnz_of
from .construct import new_compressed, unsized_rows


def empty_of_layout(size, dtype, layout):
    """`empty` in a sparse layout."""
    if layout is sparse_coo:
        return empty_coo(size, len(size), dtype)
    if len(size) < 2:
        raise RuntimeError("torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got "
                           f"size {list(size)}")
    lines = size[-2] if layout in BY_ROWS else size[-1]
    starts = aten.empty((*size[:-2], lines + 1), dtype=dtypes.int64)
    plain, values = aten.empty((*size[:-2], 0), dtype=dtypes.int64), aten.empty((*size[:-2], 0), dtype=dtype)
    unsized_rows(dtype)
    return new_compressed(layout, aten.zero_(starts), plain, values, size)


def like(self, parts):
    """A tensor of the same layout and shape on other parts."""
    return sparse_tensor(SparseCompressed(self._mt_kind.layout, *parts), shape_of(self))


@on_compressed("clone")
def clone_compressed(self, memory_format):
    """A copy of all parts."""
    return like(self, [aten.clone(part) for part in self._mt_kind.parts])


@on_compressed("_detach", "alias")
def detach_compressed(self):
    """The same parts once more."""
    return alias_of(self)


@on_compressed("_to_copy")
def to_copy_compressed(self, dtype, layout, device, pin_memory, non_blocking, memory_format):
    """A copy in another type."""
    compressed, plain, values = self._mt_kind.parts
    return like(self, [aten.clone(compressed), aten.clone(plain), aten._to_copy(values, dtype=dtype or self.dtype)])


@on_compressed("copy_")
def copy_compressed_(self, src, non_blocking):
    """The parts of another tensor of as many elements, copied."""
    if layout_word(self) != layout_word(src):
        raise RuntimeError("torch.copy_: copy of sparse compressed tensors having different layouts is not supported. "
                           f"self layout is {layout_word(self)} and src layout is {layout_word(src)}")
    if nnz_of(self) != nnz_of(src):
        raise RuntimeError("torch.copy_: only sparse compressed tensors with the same number of specified elements are "
                           "supported.")
    for into, source in zip(self._mt_kind.parts, src._mt_kind.parts):
        aten.copy_(into, source)
    return self


@on_compressed("zeros_like", "empty_like")
def zeros_like_compressed(self, dtype, layout, device, pin_memory, memory_format):
    """A tensor of the same shape that keeps nothing."""
    if layout is strided:
        return aten.zeros(shape_of(self), dtype=dtype or self.dtype)
    return empty_of_layout(shape_of(self), dtype or self.dtype, self._mt_kind.layout)


@on_compressed("zero_")
def zero_compressed_(self):
    """Nothing is kept any more."""
    kind = self._mt_kind
    batch = shape_of(kind.plain)[:-1]
    values = aten.empty((*batch, 0, *shape_of(kind.values)[len(batch) + 1:]), dtype=self.dtype)
    plain = aten.empty((*batch, 0), dtype=kind.plain.dtype)
    return show(self, SparseCompressed(kind.layout, aten.zero_(kind.compressed), plain, values))



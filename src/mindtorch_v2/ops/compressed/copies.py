"""Tensors in the compressed layouts copied, cast and emptied; what `empty` makes in a sparse layout."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, strided
from ...core.overrides import NO
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


@on_compressed("zeros_like")
def zeros_like_compressed(self, dtype, layout, device, pin_memory, memory_format):
    """A tensor of the same shape that keeps nothing."""
    if layout is strided:
        return aten.zeros(shape_of(self), dtype=dtype or self.dtype)
    kind, dtype = self._mt_kind, dtype or self.dtype
    unsized_rows(dtype)
    return like(self, [aten.zeros_like(kind.compressed), *_nothing(kind, dtype)])


@on_compressed("empty_like")
def empty_like_compressed(self, dtype, layout, device, pin_memory, memory_format):
    """A tensor that keeps the same elements, without values."""
    if layout is strided:
        return aten.empty(shape_of(self), dtype=dtype or self.dtype)
    kind = self._mt_kind
    return like(self, [aten.clone(kind.compressed), aten.clone(kind.plain),
                       aten.empty_like(kind.values, dtype=dtype or self.dtype)])


@on_compressed("ones_like", "full_like", "randn_like")
def made_like(*args):
    """Made of empty_like() and a function that writes values, as for dense tensors."""
    return NO


@on_compressed("normal_", "fill_.Scalar", "fill_.Tensor")
def write_values_(self, *options):
    """The values that are kept, written over."""
    getattr(aten, "normal_" if len(options) > 1 else "fill_")(self._mt_kind.values, *options)
    return self


def _nothing(kind, dtype) -> tuple:
    """Indices and values of no elements."""
    batch = shape_of(kind.plain)[:-1]
    return (aten.empty((*batch, 0), dtype=kind.plain.dtype),
            aten.empty((*batch, 0, *shape_of(kind.values)[len(batch) + 1:]), dtype=dtype))


@on_compressed("zero_")
def zero_compressed_(self):
    """Nothing is kept any more."""
    kind = self._mt_kind
    return show(self, SparseCompressed(kind.layout, aten.zero_(kind.compressed), *_nothing(kind, self.dtype)))



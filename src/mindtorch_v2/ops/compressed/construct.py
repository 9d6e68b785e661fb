"""Tensors of the compressed layouts from their parts: torch.sparse_csr_tensor and its kin."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from ...core.sparse import BY_ROWS, COMPRESSED, IN_BLOCKS, LAYOUT_WORDS, SparseCompressed, sparse_tensor
from ...core.tensor import alias_of, ndim_of, shape_of
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ..sparse import invariants
from ..sparse.parts import OF_SPARSE

OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory="
BY_PYTHON = "Python's function reads its arguments first"


def new_compressed(layout, compressed, plain, values, shape):
    """A tensor of a compressed layout, without a row."""
    return sparse_tensor(SparseCompressed(layout, alias_of(compressed), alias_of(plain), alias_of(values)), shape)


def unsized_rows(dtype) -> None:
    """The parts that torch gives a new tensor before it knows better: rows without memory."""
    aten.empty((0,), dtype=dtypes.int64)
    aten.empty((0,), dtype=dtypes.int64)
    aten.empty((0,), dtype=dtype)


def _check_layout(name: str, layout) -> None:
    if layout not in COMPRESSED:
        word = "none" if layout is None else LAYOUT_WORDS.get(layout, "Strided")
        raise RuntimeError(f"{name} expected sparse compressed tensor layout but got {word}")


class Unsafe(Op):
    """A tensor of parts that are known to fit."""

    schema = ("_sparse_compressed_tensor_unsafe(Tensor compressed_indices, Tensor plain_indices, Tensor values, "
              f"SymInt[] size, {OPTIONS}None) -> Tensor")
    of_kind, below = OF_SPARSE, "puts parts together"
    internal = BY_PYTHON

    def body(compressed_indices, plain_indices, values, size, dtype, layout, device, pin_memory):
        _check_layout("sparse_compressed_tensor_unsafe", layout)
        if invariants.are_checked():
            _validated(compressed_indices, plain_indices, values, size, layout)
        unsized_rows(values.dtype)
        return new_compressed(layout, compressed_indices, plain_indices, values, size)


def _validated(compressed, plain, values, size, layout) -> None:
    aten._validate_sparse_compressed_tensor_args(compressed, plain, values, size, layout)


class Validate(Op):
    """Complain unless parts make a tensor of a layout."""

    schema = ("_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor plain_indices, Tensor values, "
              "int[] size, Layout layout, bool? check_pinning=None) -> ()")
    of_kind, below = OF_SPARSE, "only looks"
    internal = BY_PYTHON

    def body(compressed_indices, plain_indices, values, size, layout, check_pinning):
        invariants.validate_compressed(compressed_indices, plain_indices, values, size, layout)


class OfPartsAndSize(Op):
    """A tensor of a compressed layout and a shape."""

    schema = ("sparse_compressed_tensor.comp_plain_value_size(Tensor compressed_indices, Tensor plain_indices, "
              f"Tensor values, SymInt[] size, {OPTIONS}False) -> Tensor")
    of_kind = OF_SPARSE
    internal = BY_PYTHON
    node = "SparseCompressedTensorBackward0"

    def body(compressed_indices, plain_indices, values, size, dtype, layout, device, pin_memory):
        _check_layout("sparse_compressed_tensor", layout)
        if not invariants.are_checked():
            _check_shapes(compressed_indices, plain_indices, values, size)
        return aten._sparse_compressed_tensor_unsafe(compressed_indices, plain_indices, values, size,
                                                     dtype=values.dtype, layout=layout)

    def grad_values(grad, result):
        return aten.values(aten.sparse_mask(aten.to_dense(grad), result))


def _check_shapes(compressed, plain, values, size) -> None:
    """What could not be shown at all."""
    if min(size, default=0) < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {list(size)}")
    if ndim_of(compressed) < 1 or ndim_of(plain) < 1 or ndim_of(values) < 1 or len(size) < 2:
        raise RuntimeError(f"size must have at least two dimensions and indices and values at least one, but got size "
                           f"{list(size)}")


class OfParts(Op):
    """A tensor of a compressed layout, just large enough for its elements."""

    schema = ("sparse_compressed_tensor.comp_plain_value(Tensor compressed_indices, Tensor plain_indices, "
              f"Tensor values, {OPTIONS}False) -> Tensor")
    of_kind = OF_SPARSE
    internal = BY_PYTHON

    def body(compressed_indices, plain_indices, values, dtype, layout, device, pin_memory):
        _check_layout("sparse_compressed_tensor", layout)
        size = _extent(compressed_indices, plain_indices, values, layout)
        return aten.sparse_compressed_tensor(compressed_indices, plain_indices, values, size, dtype=values.dtype,
                                             layout=layout)


def _extent(compressed, plain, values, layout) -> tuple[int, ...]:
    """As many lines as there are beginnings, and one more than the largest other index."""
    batch = ndim_of(compressed) - 1
    block = shape_of(values)[batch + 1:batch + 3] if layout in IN_BLOCKS else (1, 1)
    lines, others = shape_of(compressed)[-1] - 1, ask.largest_index(plain) + 1
    rows, columns = (lines, others) if layout in BY_ROWS else (others, lines)
    dense = shape_of(values)[batch + 1 + (2 if layout in IN_BLOCKS else 0):]
    return (*shape_of(compressed)[:batch], rows * block[0], columns * block[1], *dense)


# The layouts by name, and what their two lists of indices are called.
_LAYOUTS = {"csr": (sparse_csr, "crow_indices", "col_indices", "crow_col_value"),
            "csc": (sparse_csc, "ccol_indices", "row_indices", "ccol_row_value"),
            "bsr": (sparse_bsr, "crow_indices", "col_indices", "crow_col_value"),
            "bsc": (sparse_bsc, "ccol_indices", "row_indices", "ccol_row_value")}


def _declare(word: str) -> None:
    layout, first, second, overload = _LAYOUTS[word]
    parts = f"Tensor {first}, Tensor {second}, Tensor values"

    def with_size(compressed, plain, values, size, dtype, layout_, device, pin_memory):
        return aten.sparse_compressed_tensor(compressed, plain, values, size, dtype=values.dtype, layout=layout)

    def without_size(compressed, plain, values, dtype, layout_, device, pin_memory):
        return aten.sparse_compressed_tensor(compressed, plain, values, dtype=values.dtype, layout=layout)

    def unsafe(compressed, plain, values, size, dtype, layout_, device, pin_memory):
        return aten._sparse_compressed_tensor_unsafe(compressed, plain, values, size, dtype=values.dtype,
                                                     layout=layout)

    def validate(compressed, plain, values, size, check_pinning):
        _validated(compressed, plain, values, size, layout)

    declare(f"sparse_{word}_tensor.{overload}_size({parts}, int[] size, {OPTIONS}False) -> Tensor",
            f"A tensor in the layout {word}.", of_kind=OF_SPARSE, internal=BY_PYTHON, body=with_size)
    declare(f"sparse_{word}_tensor.{overload}({parts}, {OPTIONS}False) -> Tensor",
            f"A tensor in the layout {word}, as large as its elements.", of_kind=OF_SPARSE, internal=BY_PYTHON,
            body=without_size)
    declare(f"_sparse_{word}_tensor_unsafe({parts}, int[] size, {OPTIONS}None) -> Tensor",
            f"A tensor in the layout {word} of parts that fit.", of_kind=OF_SPARSE, internal=BY_PYTHON, body=unsafe)
    declare(f"_validate_sparse_{word}_tensor_args({parts}, int[] size, bool? check_pinning=None) -> ()",
            f"Complain unless parts make a tensor in the layout {word}.", of_kind=OF_SPARSE, internal=BY_PYTHON,
            body=validate)


for _word in _LAYOUTS:
    _declare(_word)

"""What must hold of the parts of a sparse tensor, and whether it is looked at: check_sparse_tensor_invariants."""

from __future__ import annotations

from ...core.sparse import BY_ROWS, IN_BLOCKS
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import ask


class _State:
    checked = False


def are_checked() -> bool:
    """Whether every new sparse tensor is looked at."""
    return _State.checked


def set_checked(on: bool) -> None:
    """Look at every new sparse tensor from now on, or at none."""
    _State.checked = bool(on)


def validate_coo(indices, values, size, is_coalesced) -> None:
    """torch's complaints about coordinates, values and a shape."""
    if ndim_of(indices) != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(shape_of(indices))}")
    sparse_dim, dense_dim = shape_of(indices)[0], ndim_of(values) - 1
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(f"number of dimensions must be sparse_dim ({sparse_dim}) + dense_dim ({dense_dim}), but got "
                           f"{len(size)}")
    if not ask.lies_inside(indices, tuple(size[:sparse_dim])):
        for dim, (least, largest) in enumerate(ask.coordinate_ranges(indices)):
            if least < 0:
                raise RuntimeError(f"found negative index {least} for dim {dim}")
            if largest >= size[dim]:
                raise RuntimeError(f"size is inconsistent with indices: for dim {dim}, size is {size[dim]} but found "
                                   f"index {largest}")
    if is_coalesced and not ask.ascends(indices, tuple(size[:sparse_dim])):
        raise RuntimeError("cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor")


def validate_compressed(compressed, plain, values, size, layout) -> None:
    """torch's complaints about the parts of a compressed layout."""
    by_rows = layout in BY_ROWS
    names = ("crow_indices", "col_indices") if by_rows else ("ccol_indices", "row_indices")
    block = 2 if layout in IN_BLOCKS else 0
    batch = ndim_of(compressed) - 1
    _check_dims(names, compressed, plain, values, size, layout, batch, block)
    sizes = [shape_of(values)[batch + 1 + i] if block else 1 for i in range(2)]
    lines = [size[batch + i] // (sizes[i] or 1) for i in range(2)]
    count, other = (lines if by_rows else lines[::-1])
    words = ("rows", "ncols") if by_rows else ("columns", "nrows")
    if shape_of(compressed)[-1] != count + 1:
        raise RuntimeError(f"{names[0]}.shape[-1] must be equal to the number of {words[0]} + 1 (={count + 1}), but "
                           f"got {shape_of(compressed)[-1]}")
    if shape_of(plain)[-1] != shape_of(values)[batch]:
        raise RuntimeError(f"{names[1]}.shape[-1] must be equal to nnz (={shape_of(values)[batch]}) as defined by "
                           f"values.shape[{batch}], but got {shape_of(plain)[-1]}")
    problem = ask.compressed_problem(compressed, plain, count, other, shape_of(plain)[-1])
    if problem:
        raise RuntimeError(_PROBLEMS[problem].format(compressed=names[0], plain=names[1], other=words[1],
                                                     lines="nrows" if by_rows else "ncols"))


def _check_dims(names, compressed, plain, values, size, layout, batch: int, block: int) -> None:
    for part in (compressed, plain):
        if part.dtype.name not in ("int32", "int64"):
            raise RuntimeError(f"{names[0]} and {names[1]} must be an int32 or int64 type, but got {part.dtype.short}")
    if compressed.dtype is not plain.dtype:
        raise RuntimeError(f"{names[0]} and {names[1]} must have the same dtype, but got {compressed.dtype.short} and "
                           f"{plain.dtype.short}, respectively")
    if ndim_of(compressed) < 1:
        raise RuntimeError(f"{names[0]} must have dimensionality >= 1 but got 0")
    if ndim_of(plain) != ndim_of(compressed):
        raise RuntimeError(f"{names[0]} and {names[1]} dimensionalities must be equal but got {ndim_of(compressed)} "
                           f"and {ndim_of(plain)}, respectively")
    dense = ndim_of(values) - batch - block - 1
    if len(size) != batch + 2 + dense:
        raise RuntimeError(f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (={batch} + "
                           f"2 + {dense}) but got {len(size)}")


_PROBLEMS = {
    "first": "`{compressed}[..., 0] == 0` is not satisfied.",
    "last": "`{compressed}[..., -1] == nnz` is not satisfied.",
    "steps": "`0 <= {compressed}[..., 1:] - {compressed}[..., :-1] <= {other}` is not satisfied.",
    "range": "`0 <= {plain} < {other}` is not satisfied.",
    "order": "`{plain}[..., {compressed}[..., i - 1]:{compressed}[..., i]] for all i = 1, ..., {lines} are sorted and "
             "distinct along the last dimension values` is not satisfied.",
}

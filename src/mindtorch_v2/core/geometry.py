"""Shapes and strides, as tuples of ints: the small arithmetic that every view and shape rule shares."""

from __future__ import annotations

from collections.abc import Sequence

MAX_NUMEL = 9.2e18  # what 64 bits count, nearly
_ALL_DIMS = ((), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))


def wrap_dim(dim, ndim) -> int:
    """A dimension counted from the front, or torch's IndexError; a scalar counts as one dimension."""
    room = ndim or 1
    if dim < -room or dim >= room:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-room}, {room - 1}], but got {dim})")
    return dim + room if dim < 0 else dim


def existing_dim(dim, ndim) -> int:
    """The same where there must be one."""
    if ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)


def wrap_dims(dims: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """Dimensions to work on, each once and from the first on; none or an empty list means all of them."""
    if dims is None or (not isinstance(dims, int) and len(dims) == 0):
        return _ALL_DIMS[ndim] if ndim < 5 else tuple(range(ndim))
    wrapped = []
    for dim in (dims,) if isinstance(dims, int) else dims:
        position = wrap_dim(dim, ndim)
        if position in wrapped:
            raise RuntimeError(f"dim {position} appears multiple times in the list of dims")
        wrapped.append(position)
    if len(wrapped) > 1:
        wrapped.sort()
    return tuple(wrapped) if ndim else ()


def drop_dim(shape, dim, keepdim) -> tuple[int, ...]:
    """A shape without one of its dimensions, or with a one in its place."""
    n = len(shape)
    at = wrap_dim(dim, n)
    return tuple([1 if i == at else shape[i] for i in range(n) if keepdim or i != at])


def replaced(values, at, value) -> tuple[int, ...]:
    """Sizes or strides with another number in one place."""
    changed = list(values)
    changed[at] = value
    return tuple(changed)


def inserted(values, at, value) -> tuple[int, ...]:
    """Sizes or strides with one number more, at a place or behind the last."""
    longer = list(values)
    longer.insert(at, value)
    return tuple(longer)


def contiguous_strides(shape) -> tuple[int, ...]:
    """Row-major strides in elements; an empty dimension counts as one, as torch has it."""
    n = len(shape)
    if n < 2:
        return (1,) * n
    if n == 2:
        return (max(shape[1], 1), 1)
    strides = [1] * n
    step = 1
    for i in range(n - 1, -1, -1):
        strides[i] = step
        if shape[i] > 1:
            step *= shape[i]
    return tuple(strides)


def broadcast_shapes(a, b) -> tuple[int, ...]:
    """The shape both fit into, or torch's complaint about the dimension that does not match."""
    if a == b:
        return tuple(a)
    n = max(len(a), len(b))
    out = []
    for i in range(n - 1, -1, -1):
        x = a[i - n + len(a)] if i - n + len(a) >= 0 else 1
        y = b[i - n + len(b)] if i - n + len(b) >= 0 else 1
        if x != y and x != 1 and y != 1:
            raise RuntimeError(
                f"The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}")
        out.append(y if x == 1 else x)
    return tuple(reversed(out))


def is_non_overlapping_and_dense(shape, strides) -> bool:
    """Whether some order of the dimensions makes the tensor contiguous."""
    expected = 1
    for step, size in sorted([(strides[i], shape[i]) for i in range(len(shape)) if shape[i] != 1]):
        if step != expected:
            return False
        expected *= size
    return True


def too_many_dims(ndim: int) -> RuntimeError:
    """The complaint about a tensor of more dimensions than NumPy's arrays have."""
    return RuntimeError(f"tensors of more than 64 dimensions are not supported, got {ndim} dimensions")


def invalid_size(shape) -> RuntimeError:
    """torch's complaint about sizes that no tensor can have."""
    sizes = list(shape)
    for n in sizes:
        if n < 0:
            return RuntimeError(f"Trying to create tensor with negative dimension {n}: {sizes}")
    return RuntimeError(f"Storage size calculation overflowed with sizes={sizes}")


def outside_storage(shape, strides, offset: int, itemsize: int, room: int) -> RuntimeError:
    """torch's complaint about a geometry that leaves its storage of ``room`` bytes."""
    sizes, steps = list(shape), list(strides)
    if len(sizes) != len(steps):
        return RuntimeError("mismatch in length of strides and shape")
    if min(steps, default=0) < 0:
        return RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {steps}")
    wanted = (offset + sum([(n - 1) * step for n, step in zip(sizes, steps)]) + 1) * itemsize
    if min(sizes, default=0) < 0 or wanted >= 1 << 63:
        return RuntimeError(f"Storage size calculation overflowed with sizes={sizes} and strides={steps}")
    if offset < 0:
        return RuntimeError(f"Tensor: invalid storage offset {offset}")
    return RuntimeError(f"setStorage: sizes {sizes}, strides {steps}, storage offset {offset}, and itemsize {itemsize} "
                        f"requiring a storage size of {wanted} are out of bounds for storage of size {room}")


def expanded(shape, strides, size) -> tuple | None:
    """Shape and strides of a tensor expanded to a size, or None where it does not fit."""
    lead = len(size) - len(shape)
    if lead < 0:
        return None
    new_shape, new_strides = [0] * len(size), [0] * len(size)
    step = 1
    for i in range(len(size) - 1, -1, -1):
        want = size[i]
        have = shape[i - lead] if i >= lead else 1
        if want == -1 and i >= lead:
            want = have
        if want < 0 or (have != want and have != 1):
            return None
        if (have == 1 and want != 1) or len(shape) == 0:
            step = 0
        elif i >= lead:
            step = strides[i - lead]
        else:  # a new dimension of size one lies as far apart as all that follow it
            step = new_shape[i + 1] * new_strides[i + 1] if i + 1 < len(size) else 1
        new_shape[i] = want
        new_strides[i] = step
    return tuple(new_shape), tuple(new_strides)


def dense_strides(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    """Strides without gaps that keep the order in which another tensor's dimensions lie; torch's own sorting."""
    order = list(range(len(shape) - 1, -1, -1))  # innermost first
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            inner, outer = order[before], order[at]
            if not strides[inner] or not strides[outer]:
                continue  # a repeated dimension may lie anywhere
            if strides[inner] < strides[outer]:
                break
            if strides[inner] > strides[outer] or shape[inner] > shape[outer]:
                order[before], order[at] = outer, inner
                at = before
    steps, step = [0] * len(shape), 1
    for i in order:
        steps[i] = step
        step *= max(shape[i], 1)
    return tuple(steps)


def view_strides(shape, strides, wanted) -> tuple[int, ...] | None:
    """Strides that show the same elements in another shape without a copy, or None where there are none."""
    numel = 1
    for size in shape:
        numel *= size
    if numel == 0:
        return tuple(strides) if tuple(shape) == tuple(wanted) else contiguous_strides(wanted)
    if contiguous_strides(shape) == tuple(strides):
        return contiguous_strides(wanted)
    # Chunks of dimensions that lie in memory as one; each must be divided up by whole wanted dimensions.
    steps = [0] * len(wanted)
    at = len(wanted) - 1
    chunk, step = 1, strides[-1] if shape else 1
    for i in range(len(shape) - 1, -1, -1):
        chunk *= shape[i]
        ends = i == 0 or (shape[i - 1] != 1 and strides[i - 1] != chunk * step)
        if not ends:
            continue
        filled = 1
        while at >= 0 and (filled < chunk or wanted[at] == 1):
            steps[at] = filled * step
            filled *= wanted[at]
            at -= 1
        if filled != chunk:
            return None
        if i > 0:
            chunk, step = 1, strides[i - 1]
    while at >= 0 and wanted[at] == 1:
        steps[at] = step if shape else 1
        at -= 1
    return tuple(steps) if at < 0 else None


def infer_size(wanted, numel) -> tuple[int, ...]:
    """Replace the one -1 of a shape by what is left over."""
    known, hole = 1, -1
    reach = 1.0  # the same product in floating point, which does not overflow
    for i in range(len(wanted)):
        size = wanted[i]
        if size == -1:
            if hole >= 0:
                raise RuntimeError("only one dimension can be inferred")
            hole = i
        elif size < 0:
            raise RuntimeError(f"invalid shape dimension {size} at index {i} of shape {list(wanted)}")
        else:
            known *= size
            reach *= size
    if reach > MAX_NUMEL:
        raise RuntimeError("numel: integer multiplication overflow" if numel == 0 else
                           f"shape '{list(wanted)}' is invalid for input of size {numel}")
    if hole < 0:
        if known != numel:
            raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {numel}")
        return wanted if type(wanted) is tuple else tuple(wanted)
    if known == 0:
        if numel == 0:
            raise RuntimeError(f"cannot reshape tensor of 0 elements into shape {list(wanted)} because the unspecified "
                               "dimension size -1 can be any value and is ambiguous")
        raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {numel}")
    if numel % known:
        raise RuntimeError(f"shape '{list(wanted)}' is invalid for input of size {numel}")
    return tuple([numel // known if size == -1 else size for size in wanted])

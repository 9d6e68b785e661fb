# cython: annotation_typing=False
"""Functions whose arguments torch sorts out in Python before any op runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul

from ..core.dtype import FLOATING, bool_, int64
from ..core.size import Size
from ..core.tensor import Tensor, add_attribute
from ..core.user_warning import warn_user
from ..dispatch import errors
from ..dispatch.aten import aten
from ..ops.index.getitem import assigned
from ..ops.python.construct import tensor
from .install import FUNCTIONS


def split(tensor: Tensor, split_size_or_sections, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a tensor along a dimension, by one size or by a list of sizes."""
    if not isinstance(tensor, Tensor):
        raise AttributeError(f"'{type(tensor).__name__}' object has no attribute 'split'")
    if isinstance(split_size_or_sections, Tensor):
        split_size_or_sections = int(split_size_or_sections)
    if isinstance(split_size_or_sections, int):
        return aten.split(tensor, split_size_or_sections, dim)
    return aten.split_with_sizes(tensor, split_size_or_sections, dim)


def only_tensors(values, argument: int) -> list[Tensor]:
    """Values that are all tensors, as a list; torch counts the arguments of the op below."""
    for i, value in enumerate(values):
        if not isinstance(value, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument {argument}, but got {type(value).__name__}")
    return list(values)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Tensors expanded to the one shape that all of them fit."""
    return aten.broadcast_tensors(only_tensors(tensors[0] if _is_list(tensors) else tensors, 0))


def broadcast_shapes(*shapes) -> Size:
    """The one shape that all of these fit; an int is a shape of one dimension."""
    for shape in shapes:
        if not isinstance(shape, (int, tuple, list)):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}")
    given = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    common = [1] * max(map(len, given), default=0)
    for number, shape in enumerate(given):
        for i in range(-1, -len(shape) - 1, -1):
            if shape[i] in (1, common[i]):
                continue
            if shape[i] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if common[i] != 1:
                raise RuntimeError(f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching "
                                   f"argument at index {number} had {shape}; but expected shape should be "
                                   f"broadcastable to {common}")
            common[i] = shape[i]
    return Size(common)


def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of the grid that vectors span, one tensor for each of them."""
    given = only_tensors(tensors[0] if _is_list(tensors) else tensors, 0)
    if indexing is not None:
        return aten.meshgrid(given, indexing=indexing)
    warn_user("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
    return aten.meshgrid(given)


def _at_least(name: str):
    def at_least(*tensors):
        """The tensors with as many dimensions as the name says, or more."""
        op = getattr(aten, name)
        if len(tensors) == 1 and isinstance(tensors[0], Tensor):
            return op(tensors[0])
        if len(tensors) == 1 and not _is_list(tensors):
            raise errors.no_match(name, op.ops, tensors, {})
        return op(only_tensors(tensors[0] if _is_list(tensors) else tensors, 0))
    at_least.__name__ = at_least.__qualname__ = name
    return at_least


def _is_list(given) -> bool:
    return len(given) == 1 and isinstance(given[0], (list, tuple))


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples with one element of each vector."""
    return aten.cartesian_prod(only_tensors(tensors[0] if _is_list(tensors) else tensors, 0))


def unravel_index(indices: Tensor, shape) -> tuple[Tensor, ...]:
    """The coordinates, one tensor for each dimension, of elements by their number in a tensor of this shape."""
    if indices.dtype.category >= FLOATING or indices.dtype is bool_:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    wrong = next((size for size in sizes if not isinstance(size, int)), None)
    if wrong is not None:
        raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(wrong)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {sizes}")
    steps = list(accumulate(reversed((*sizes[1:], 1)), mul))[::-1]
    columns = aten.unsqueeze(indices, -1)
    numbers = aten.floor_divide(columns, tensor(steps, dtype=int64, device=indices.device))
    return aten.unbind(aten.remainder(numbers, tensor(sizes, dtype=int64, device=indices.device)), -1)


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False):
    """The positions of all elements that are not zero, as one tensor or as a tuple with one for each dimension."""
    if type(as_tuple) is not bool:
        raise TypeError(f"nonzero(): argument 'as_tuple' must be bool, not {type(as_tuple).__name__}")
    if as_tuple:
        return aten.nonzero_numpy(input)
    return aten.nonzero(input) if out is None else aten.nonzero(input, out=out)


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is its own."""
    return aten._conj(input) if input.dtype.is_complex else input


def _nonzero_method(self, *, as_tuple: bool = False):
    return nonzero(self, as_tuple=as_tuple)


def _split_method(self, split_size, dim: int = 0):
    return split(self, split_size, dim)


def _polygamma_method(self, n: int) -> Tensor:
    return FUNCTIONS["polygamma"](n, self)


def _part(name: str) -> property:
    """The real or imaginary part of a tensor, to be read and written."""
    read = getattr(aten, name)

    def write(self: Tensor, value) -> None:
        part = read(self)
        aten.copy_(part, assigned(part, value))
    return property(read, write)


FUNCTIONS.update(split=split, broadcast_tensors=broadcast_tensors, broadcast_shapes=broadcast_shapes, meshgrid=meshgrid,
                 nonzero=nonzero, conj=conj, cartesian_prod=cartesian_prod, unravel_index=unravel_index)
FUNCTIONS.update({name: _at_least(name) for name in ("atleast_1d", "atleast_2d", "atleast_3d")})
add_attribute("split", _split_method)
add_attribute("nonzero", _nonzero_method)
add_attribute("conj", conj)
add_attribute("polygamma", _polygamma_method)
add_attribute("real", _part("real"))
add_attribute("imag", _part("imag"))

# cython: annotation_typing=False
"""How large a resampled tensor is, and torch's complaints about sizes that do not fit."""

from __future__ import annotations

from math import prod

from ...core.tensor import ndim_of, shape_of

_AXES = "DHW"


def output_size_of(rank: int, shape, output_size, scale_factors) -> tuple[int, ...]:
    """The size that is asked for, or that factors make of the input's."""
    if (output_size is None) == (scale_factors is None):
        raise RuntimeError("Must specify exactly one of output_size and scale_factors")
    name, given = ("output_size", output_size) if scale_factors is None else ("scale_factors", scale_factors)
    if len(given) != rank:
        raise RuntimeError(f"Expected static_cast<int64_t>({name}->size()) == spatial_dimensions to be true, but got "
                           "false.  (Could this error message be improved?  If so, please report an enhancement "
                           "request to PyTorch.)")
    if scale_factors is None:
        return tuple(output_size)
    return tuple([int(size * factor) for size, factor in zip(shape[2:], scale_factors)])


def resampled_shape(rank: int, shape, output_size) -> tuple[int, ...]:
    """The shape of the result for an input of this shape."""
    for name, sizes, count in (("output", output_size, rank), ("input", shape, rank + 2)):
        if len(sizes) != count:
            raise RuntimeError(f"It is expected {name}_size equals to {count}, but got size {len(sizes)}")
    if min(*shape[2:], *output_size) <= 0:
        given, wanted = [", ".join([f"{axis}: {n}" for axis, n in zip(_AXES[3 - rank:], sizes)])
                         for sizes in (shape[2:], output_size)]
        joint = " and" if rank == 1 else ""
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input ({given}){joint} output "
                           f"({wanted})")
    return *shape[:2], *output_size


def check_filled(rank: int, shape) -> None:
    """There are channels; a batch may be empty."""
    if prod(shape[1:]) == 0:
        raise RuntimeError(f"Non-empty {rank + 2}D data tensor expected but got a tensor with sizes {list(shape)}")


def check_gradient(rank: int, grad_output, shape: tuple[int, ...]) -> None:
    """A gradient of the shape of the result."""
    given = shape_of(grad_output)
    if rank == 1:
        _check_line(given, shape)
    if len(given) != len(shape):
        raise RuntimeError(f"Expected grad_output to be a tensor of dimension {len(shape)} but got: dimension "
                           f"{ndim_of(grad_output)}")
    for dim, (size, wanted) in enumerate(zip(given, shape)):
        if size != wanted:
            raise RuntimeError(f"Expected grad_output to have the same shape as output; output.size({dim}) = {wanted} "
                               f"but got grad_output.size({dim}) = {size}")


def _check_line(given, shape) -> None:
    for dim, wanted in enumerate(shape):
        size = given[dim] if dim < len(given) else 0
        if len(given) != len(shape) or size != wanted:
            raise RuntimeError(f"Expected a tensor of dimension {len(shape)} and tensor.size[{dim}] == {wanted} but "
                               f"got: dimension {len(given)} and tensor.size[{dim}] = {size}")

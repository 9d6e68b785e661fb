# cython: annotation_typing=False
"""What torch.fft's functions make of their arguments before they transform: types, sizes, dimensions, norms."""

from __future__ import annotations

from ...core.dtype import FLOATING, DType, float32, float64
from ...core.geometry import wrap_dim
from ...core.promotion import as_floating
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten

NONE, BY_ROOT_N, BY_N = range(3)  # torch's numbers of how a transform is scaled


def normalization(norm: str | None, forward: bool) -> int:
    """How a transform in this direction is scaled for a norm by name."""
    if norm is None or norm == "backward":
        return NONE if forward else BY_N
    if norm == "forward":
        return BY_N if forward else NONE
    if norm != "ortho":
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return BY_ROOT_N


def promoted(self, to_complex: bool = False):
    """self in a type that can be transformed."""
    dtype = _transformed_type(self.dtype, to_complex)
    return self if self.dtype is dtype else aten.to(self, dtype)


def _transformed_type(dtype: DType, to_complex: bool) -> DType:
    if dtype.is_complex:
        return dtype
    dtype = as_floating(dtype)
    if dtype.category == FLOATING and dtype not in (float32, float64):
        raise RuntimeError(f"Unsupported dtype {dtype.short}")
    return dtype.to_complex() if to_complex else dtype


def wrapped(self, dim: int) -> int:
    """A dimension counted from the first; a tensor without dimensions has none to transform."""
    if not ndim_of(self):
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim_of(self))


def check_points(n: int) -> None:
    """A transform is of one number at least."""
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def sized(self, dims, sizes):
    """self cut off or filled up with zeros to some sizes; -1 leaves a dimension as it is."""
    shape = shape_of(self)
    padding = [0] * (2 * len(shape))
    for dim, size in zip(dims, sizes):
        if shape[dim] < size:
            padding[len(padding) - 2 * dim - 1] = size - shape[dim]
        elif size != -1 and shape[dim] > size:
            self = aten.slice(self, dim, 0, size)
    return aten.constant_pad_nd(self, padding) if any(padding) else self


def shape_and_dims(self, s, dim) -> tuple[list[int], list[int]]:
    """The sizes that are transformed and their dimensions: all of them, the last ones, or those given."""
    ndim, shape = ndim_of(self), shape_of(self)
    if dim is not None:
        dim = [wrapped(self, d) for d in dim]
        if len(set(dim)) < len(dim):
            raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(dim) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        dim = list(range(ndim - len(s), ndim)) if dim is None else dim
        sizes = [shape[d] if n == -1 else n for n, d in zip(s, dim)]
    else:
        dim = list(range(ndim)) if dim is None else dim
        sizes = [shape[d] for d in dim]
    for n in sizes:
        check_points(n)
    return sizes, dim


def some_dims(name: str, sizes) -> None:
    """Transforms between real and complex numbers have one dimension that is halved."""
    if not sizes:
        raise RuntimeError(f"{name} must transform at least one axis")


def half_and_dims(name: str, self, s, dim) -> tuple[list[int], list[int], int]:
    """The same for a transform to real numbers: the last size is that of the half; and the size of the result."""
    sizes, dim = shape_and_dims(self, s, dim)
    some_dims(name, sizes)
    is_given = s is not None and s[-1] != -1
    last = s[-1] if is_given else 2 * (shape_of(self)[dim[-1]] - 1)
    check_points(last)
    return [*sizes[:-1], last // 2 + 1], dim, last


def complex_out(name: str, out) -> None:
    """The result of a transform to complex numbers is complex."""
    if out is not None and not out.dtype.is_complex:
        raise RuntimeError(f"{name} expects a complex output tensor, but got {out.dtype.short}")


def real_out(name: str, out) -> None:
    """The result of a transform to real numbers is of floating point."""
    if out is not None and out.dtype.category != FLOATING:
        raise RuntimeError(f"{name} expects a floating point output tensor, but got {out.dtype.short}")


def real_input(name: str, self, what: str = "real") -> None:
    """A transform of real numbers refuses complex ones."""
    if self.dtype.is_complex:
        raise RuntimeError(f"{name} expects a {what} input tensor, but got {self.dtype.short}")

"""Tensors of another size: interpolate, and the names it had before."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten

Size = int | Sequence[int]
Factor = float | Sequence[float]

# What computes a mode on tensors of 3, 4 and 5 dimensions.
_NEAREST = {"nearest": "upsample_nearest{}d", "nearest-exact": "_upsample_nearest_exact{}d"}
_AREA = "adaptive_avg_pool{}d"
_MIXES = {("linear", 3): "upsample_linear1d", ("bilinear", 4): "upsample_bilinear2d",
          ("trilinear", 5): "upsample_trilinear3d", ("bicubic", 4): "upsample_bicubic2d"}
_ANTIALIASED = {"bilinear": "_upsample_bilinear2d_aa", "bicubic": "_upsample_bicubic2d_aa",
                "lanczos": "_upsample_lanczos2d_aa"}
_NEEDED_DIMS = {"linear": 3, "bilinear": 4, "trilinear": 5}
_WITHOUT_CORNERS = ("nearest", "area", "nearest-exact")


def interpolate(input: Tensor, size: Size | None = None, scale_factor: Factor | None = None, mode: str = "nearest",
                align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
                antialias: bool = False) -> Tensor:
    """The input at another size, or at so many times its size, by one of the modes."""
    if asked(input):
        return overridden(interpolate, locals())
    if mode in _WITHOUT_CORNERS:
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | "
                             "bicubic | trilinear")
    elif align_corners is None:
        align_corners = False
    size, factors = _size_or_factors(input, size, scale_factor)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if factors is not None and (recompute_scale_factor or mode == "area"):
        size, factors = [math.floor(input.size(i + 2) * factor) for i, factor in enumerate(factors)], None
    if antialias and not (mode in _ANTIALIASED and input.ndim == 4):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D "
                         "tensor as input")
    return _compute(input, size, factors, mode, align_corners, antialias)


def _compute(input: Tensor, size: list[int] | None, factors: Sequence[float] | None, mode: str,
             align_corners: bool | None, antialias: bool) -> Tensor:
    ndim = input.dim()
    if ndim in (3, 4, 5):
        if mode in _NEAREST:
            return getattr(aten, _NEAREST[mode].format(ndim - 2))(input, size, factors)
        if mode == "area":
            return getattr(aten, _AREA.format(ndim - 2))(input, size)
        if mode == "lanczos" and ndim == 4:
            _check_lanczos(align_corners, antialias)
        op = _ANTIALIASED.get(mode) if antialias else _MIXES.get((mode, ndim))
        if op is not None:
            return getattr(aten, op)(input, size, align_corners, factors)
        if mode in _NEEDED_DIMS:
            raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_NEEDED_DIMS[mode]}D input")
    raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: "
                              "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got "
                              f"{mode})")


def _check_lanczos(align_corners: bool | None, antialias: bool) -> None:
    if align_corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if not antialias:
        raise ValueError("Lanczos mode requires antialias=True")


def _size_or_factors(input: Tensor, size: Size | None,
                     scale_factor: Factor | None) -> tuple[list[int] | None, Sequence[float] | None]:
    """A size for every dimension, or a factor for every dimension."""
    dims = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        return _sizes(input, size, dims), None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if not isinstance(scale_factor, (list, tuple)):
        return None, [scale_factor] * dims
    if len(scale_factor) != dims:
        raise ValueError("Input and scale_factor must have the same number of spatial dimensions, but got input with "
                         f"spatial dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. "
                         "Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, "
                         "...,sK) format.")
    return None, scale_factor


def _sizes(input: Tensor, size: Size, dims: int) -> list[int]:
    if not isinstance(size, (list, tuple)):
        return [_number(size) for _ in range(dims)]
    if len(size) != dims:
        raise ValueError("Input and output must have the same number of spatial dimensions, but got input with spatial "
                         f"dimensions of {list(input.shape[2:])} and output size of {size}. Please provide input "
                         "tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format.")
    if not all(isinstance(n, (int, Tensor)) for n in size):
        raise TypeError("expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but "
                        f"got size with types {[type(n) for n in size]}")
    return [_number(n) for n in size]


def _number(size: int | Tensor) -> int:
    return size.item() if isinstance(size, Tensor) and size.numel() == 1 else size


def upsample(input: Tensor, size: Size | None = None, scale_factor: Factor | None = None, mode: str = "nearest",
             align_corners: bool | None = None) -> Tensor:
    """interpolate() by its first name."""
    _warn_renamed("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Size | None = None, scale_factor: Factor | None = None) -> Tensor:
    """interpolate() by the nearest elements."""
    _warn_renamed("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Size | None = None, scale_factor: Factor | None = None) -> Tensor:
    """interpolate() of images by mixes of the elements around each place, the corners staying where they are."""
    _warn_renamed("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _warn_renamed(name: str) -> None:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)

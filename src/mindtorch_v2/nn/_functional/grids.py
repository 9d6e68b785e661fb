"""Images and volumes at the places of a grid, and grids made of affine maps."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten

# torch's numbers for the modes.
GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}

_CHANGED = ("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please "
            "specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for "
            "details.")
_UNIT_SIZE = ("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
              "is not an intended use case of affine_grid. See the documentation of affine_grid for details.")


def grid_sample(input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros",
                align_corners: bool | None = None) -> Tensor:
    """The input at the places of a grid, whose numbers go from -1 to 1 over each dimension."""
    if asked(input, grid):
        return overridden(grid_sample, locals())
    if mode not in GRID_SAMPLE_INTERPOLATION_MODES:
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but "
                         f"got: '{mode}'")
    if padding_mode not in GRID_SAMPLE_PADDING_MODES:
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
                         f"but got: '{padding_mode}'")
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=2)
        align_corners = False
    return aten.grid_sampler(input, grid, GRID_SAMPLE_INTERPOLATION_MODES[mode],
                             GRID_SAMPLE_PADDING_MODES[padding_mode], align_corners)


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The places of a result of a size, moved by the affine map of each item."""
    if asked(theta):
        return overridden(affine_grid, locals())
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=2)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
                                  f"respectively. Got size {size}.")
    rank = len(size) - 2
    if theta.dim() != 3 or theta.shape[-2:] != (rank, rank + 1):
        raise ValueError(f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {size}. "
                         f"Got {theta.shape}.")
    if align_corners and min(size[2:]) == 1:
        warnings.warn(_UNIT_SIZE, stacklevel=2)
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return aten.affine_grid_generator(theta, size, align_corners)

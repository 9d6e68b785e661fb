"""Layers that change the size of signals, images and volumes."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .module import Module

Size = int | tuple[int, ...]
Factor = float | tuple[float, ...]


class Upsample(Module):
    """The input at another size, or at so many times its size."""

    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]
    name: str
    size: Size | None
    scale_factor: Factor | None
    mode: str
    align_corners: bool | None
    recompute_scale_factor: bool | None

    def __init__(self, size: Size | None = None, scale_factor: Factor | None = None, mode: str = "nearest",
                 align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("recompute_scale_factor", True)  # what layers saved before there was a choice did
        super().__setstate__(state)

    def extra_repr(self) -> str:
        asked = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{asked}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images of another size, by the nearest pixels."""

    def __init__(self, size: Size | None = None, scale_factor: Factor | None = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images of another size, by mixes of the pixels around each place; the corners stay where they are."""

    def __init__(self, size: Size | None = None, scale_factor: Factor | None = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)

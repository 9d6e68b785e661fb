"""A layer in which channels of several groups take turns."""

from __future__ import annotations

from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .module import Module


class ChannelShuffle(Module):
    """One channel of each group in turn."""

    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"

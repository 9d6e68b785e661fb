"""Which ways of computing attention are allowed: torch's switches, of which the CPU knows two, flash and math."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from .tensor import Tensor


class SDPBackend(Enum):
    """torch's ways of computing scaled dot product attention."""

    __module__ = "mindtorch_v2.nn.attention"  # where programs know it
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self) -> int:
        return self.value

    def __hash__(self) -> int:
        return hash(self.value)


class SDPAParams(NamedTuple):
    """What a way of computing attention is asked about."""

    __module__ = "mindtorch_v2.backends.cuda"  # where programs know it
    query: Tensor
    key: Tensor
    value: Tensor
    attn_mask: Tensor | None
    dropout: float
    is_causal: bool
    enable_gqa: bool


# The switches by torch's names, in the order in which torch.nn.attention lists them.
SWITCHES = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION,
            "mem_efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH,
            "overrideable": SDPBackend.OVERRIDEABLE}


class Choice:
    """What is switched on, for all threads; the CPU takes flash before math whatever the order says."""

    def __init__(self):
        self.cudnn = self.flash = self.mem_efficient = self.math = self.overrideable = True
        self.reduces_in_half = False
        self.order = [1, 2, 0, 3, 4]

    def set(self, name: str, enabled: bool) -> None:
        """Switch one way on or off."""
        if not isinstance(enabled, bool):
            raise RuntimeError(f"set_sdp_use_{name} expects a bool, but got {type(enabled).__name__}")
        setattr(self, name, enabled)


choice = Choice()

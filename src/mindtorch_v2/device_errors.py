"""What is said where a device is needed that is not there."""

from __future__ import annotations

from typing import NoReturn


def no_cuda(*args, **kwargs) -> NoReturn:
    """Everything that needs a CUDA device."""
    raise AssertionError("Torch not compiled with CUDA enabled")

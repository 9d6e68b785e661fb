"""Complex numbers made of two real ones."""

from __future__ import annotations

import numpy as np

from ... import pointwise
from ...errstate import silent


def complex(out: np.ndarray, real: np.ndarray, imag: np.ndarray) -> None:
    """Real and imaginary parts side by side."""
    pointwise.copy(out.real, real)
    pointwise.copy(out.imag, imag)


@silent
def polar(out: np.ndarray, abs: np.ndarray, angle: np.ndarray) -> None:
    """A length at an angle."""
    out.real, out.imag = abs * np.cos(angle), abs * np.sin(angle)

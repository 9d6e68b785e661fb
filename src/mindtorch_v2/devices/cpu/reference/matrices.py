"""Products of matrices and of batches of them: the reading of compiled/matrices.pyx."""

from __future__ import annotations

import numpy as np

from ..errstate import silent
from ..half_precision import widened

HAS_BFLOAT16 = False  # whether bfloat16 is multiplied as it is, into float32; else it has to be float32 before


@silent
def multiply(out: np.ndarray, a: np.ndarray, b: np.ndarray, adds: bool = False) -> None:
    """out = a @ b of matrices or batches that broadcast, or out += a @ b."""
    a, b = widened(a), widened(b)
    if adds:
        out += np.matmul(a, b)
    else:
        np.matmul(a, b, out=out)


def spread_complex(out: np.ndarray, a: np.ndarray) -> None:
    """Of every row of complex numbers two rows of real ones: (re, im) and, times i, (-im, re)."""
    rows = out.reshape(*a.shape[:-1], 2, a.shape[-1], 2)
    rows[..., 0, :, 0] = rows[..., 1, :, 1] = a.real
    rows[..., 0, :, 1] = a.imag
    rows[..., 1, :, 0] = -a.imag

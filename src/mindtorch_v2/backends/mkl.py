"""torch.backends.mkl: whether the BLAS below NumPy is Intel's."""

from __future__ import annotations

import numpy as np


def is_available() -> bool:
    blas = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    return "mkl" in blas.get("name", "").lower()

"""``x * log(y)``, which is zero where x is."""

from __future__ import annotations

import numpy as np

from ... import binary
from ...layout import stored


def _xlogy(x: np.ndarray, y: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return stored(np.where(np.isnan(y), y, np.where(x == 0, np.zeros((), x.dtype), x * np.log(y))), out)


ELEMENTWISE = {
    "xlogy": (_xlogy, binary.xlogy),
}

"""The larger or smaller of two numbers; maximum and minimum give nan if either is, fmax and fmin the other one."""

from __future__ import annotations

import numpy as np

ELEMENTWISE = {
    "maximum": (np.maximum, None), "minimum": (np.minimum, None), "fmax": (np.fmax, None), "fmin": (np.fmin, None),
}

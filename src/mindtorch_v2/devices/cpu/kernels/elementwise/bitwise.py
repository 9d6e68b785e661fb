# cython: annotation_typing=False
"""Bits and truth."""

from __future__ import annotations

import numpy as np

from ... import pointwise

ELEMENTWISE = {
    "bitwise_and": (np.bitwise_and, None), "bitwise_or": (np.bitwise_or, None), "bitwise_xor": (np.bitwise_xor, None),
    "bitwise_not": (np.invert, None),
    "bitwise_left_shift": (np.left_shift, None), "bitwise_right_shift": (np.right_shift, None),
    "logical_and": (np.logical_and, pointwise.logical_and), "logical_or": (np.logical_or, pointwise.logical_or),
    "logical_xor": (np.logical_xor, pointwise.logical_xor),
    "logical_not": (np.logical_not, None),
}

"""How one number of a tensor is written: fixed, integral or scientific, and how wide its column is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

# torch leaves fixed notation when the largest value is this many times the smallest ...
SCI_RATIO = 1000.0
# ... or the largest exceeds this ...
SCI_LARGEST = 1.0e8
# ... or, when some value has a fraction, the smallest is below this.
SCI_SMALLEST = 1.0e-4
FIRST_FOREIGN = 256  # NumPy's number of the first type that another package has registered
COMPLEX32_KIND = "W"  # what ml_dtypes calls it


class Cells(NamedTuple):
    """The writer of one element and the width torch reserves for it when it breaks lines."""

    write: Callable[[object], str]
    width: int


class FloatStyle(NamedTuple):
    """The pieces of a Python format spec, `alternate` being '#', which keeps the point of '1.'."""

    alternate: str
    decimals: str
    width: int

    def spec(self, *, sign: str = "", width: int = 0) -> str:
        return f"{sign}{self.alternate}{width or ''}{self.decimals}"


def float_style(values: list[float], precision: int, sci_mode: bool | None) -> FloatStyle:
    """Choose the notation for a column; zeros, infinities and nan have no say in it, nor in its width."""
    telling = [value for value in values if value and math.isfinite(value)]
    if not telling:
        # Not even sci_mode=True changes a tensor without a telling value: zeros print as '0.'.
        return FloatStyle("#", ".0f", 1)
    integral = all(value.is_integer() for value in telling)
    if sci_mode is None:
        sci_mode = _wants_scientific(telling, integral)
    if sci_mode:
        alternate, decimals = "", f".{precision}e"
    elif integral:
        alternate, decimals = "#", ".0f"
    else:
        alternate, decimals = "", f".{precision}f"
    spec = alternate + decimals
    return FloatStyle(alternate, decimals, max(len(format(value, spec)) for value in telling))


def _wants_scientific(telling: list[float], integral: bool) -> bool:
    """torch's decision, taken in double precision whatever the dtype."""
    magnitudes = [abs(value) for value in telling]
    smallest, largest = min(magnitudes), max(magnitudes)
    if largest / smallest > SCI_RATIO or largest > SCI_LARGEST:
        return True
    return not integral and smallest < SCI_SMALLEST


def float_cells(values: list[float], precision: int, sci_mode: bool | None) -> Cells:
    style = float_style(values, precision, sci_mode)
    return Cells(f"{{:{style.spec(width=style.width)}}}".format, style.width)


def complex_cells(values: list[complex], precision: int, sci_mode: bool | None) -> Cells:
    """Each part takes its own notation; only the real part is padded, as in torch."""
    real = float_style([value.real for value in values], precision, sci_mode)
    imag = float_style([value.imag for value in values], precision, sci_mode)
    write = f"{{0.real:{real.spec(width=real.width)}}}{{0.imag:{imag.spec(sign='+')}}}j".format
    return Cells(write, real.width + imag.width + 1)


def integer_cells(values: list[int], precision: int, sci_mode: bool | None) -> Cells:
    width = max((len(str(value)) for value in values), default=0)
    return Cells(f"{{!s:>{width}}}".format, width)


CELLS_OF_KIND = {"f": float_cells, "c": complex_cells, "i": integer_cells, "u": integer_cells, "b": integer_cells}


def plain_values(array: np.ndarray) -> tuple[str, np.ndarray]:
    """The kind of number an array holds, and the array in a dtype whose tolist() gives Python numbers."""
    kind = array.dtype.kind
    if kind in CELLS_OF_KIND and array.dtype.num < FIRST_FOREIGN:
        return kind, array
    # bfloat16 and the like come from ml_dtypes; each of them is a float32, or a pair of them.
    if kind == COMPLEX32_KIND:
        return "c", array.astype(np.complex64)
    return "f", array.astype(np.float32)

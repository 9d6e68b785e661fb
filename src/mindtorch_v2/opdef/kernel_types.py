# cython: annotation_typing=False
"""The types torch has an op's kernel for. What is beyond them is refused late: after shapes, results and memory."""

from __future__ import annotations

from ..core import dtype as dtypes

CATEGORIES = {"bool": dtypes.BOOL, "integral": dtypes.INTEGRAL, "floating": dtypes.FLOATING, "complex": dtypes.COMPLEX}
WIDE = "wide"  # float32 and float64, without the half types that "floating" has

HALVES = (dtypes.float16, dtypes.bfloat16)


class KernelTypes:
    """``"lshift_cpu: integral"``: the name torch complains by, and the kinds of numbers the kernel is for."""

    def __init__(self, sentence: str):
        self.kernel, _, words = sentence.partition(": ")
        kinds = words.replace(WIDE, "floating").split()
        if not kinds or not CATEGORIES.keys() >= set(kinds):
            raise TypeError(f"kernel_types {sentence!r}: after the kernel's name come some of "
                            f"{', '.join([*CATEGORIES, WIDE])}")
        self.categories = frozenset(CATEGORIES[kind] for kind in kinds)
        self.refused = HALVES if WIDE in words.split() else ()

    def check(self, dtype: dtypes.DType) -> None:
        if dtype.category not in self.categories or dtype in self.refused:
            raise not_implemented(self.kernel, dtype)


def not_implemented(kernel: str, dtype: dtypes.DType) -> NotImplementedError:
    """torch's complaint about a type that a kernel was not compiled for."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.short}'")

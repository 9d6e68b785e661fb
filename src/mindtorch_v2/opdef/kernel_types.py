"""The types torch has an op's kernel for. What is beyond them is refused late: after shapes, results and memory."""

from __future__ import annotations

from ..core import dtype as dtypes

CATEGORIES = {"bool": dtypes.BOOL, "integral": dtypes.INTEGRAL, "floating": dtypes.FLOATING, "complex": dtypes.COMPLEX}


class KernelTypes:
    """``"lshift_cpu: integral"``: the name torch complains by, and the kinds of numbers the kernel is for."""

    def __init__(self, sentence: str):
        self.kernel, _, words = sentence.partition(": ")
        unknown = set(words.split()) - set(CATEGORIES)
        if unknown or not words:
            raise TypeError(f"kernel_types {sentence!r}: after the kernel's name come some of {', '.join(CATEGORIES)}")
        self.categories = frozenset(CATEGORIES[word] for word in words.split())

    def check(self, dtype: dtypes.DType) -> None:
        if dtype.category not in self.categories:
            raise not_implemented(self.kernel, dtype)


def not_implemented(kernel: str, dtype: dtypes.DType) -> NotImplementedError:
    """torch's complaint about a type that a kernel was not compiled for."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.short}'")

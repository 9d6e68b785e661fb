"""How matrices lie in memory: what BLAS can read or write as it stands. Dimensions of a batch may come before."""

from __future__ import annotations

from . import strided


def lies(tensor, fast, slow):
    """Whether a matrix is stored with one dimension innermost and its rows (or columns) apart."""
    array = tensor._mt_array
    item = strided.itemsize(array)
    return strided.step(array, fast) == item and strided.step(array, slow) >= item * max(strided.extent(array, fast), 1)


def takes(tensor, fast, slow):
    """The same of a result, whose only row (or column) may lie anywhere."""
    array = tensor._mt_array
    item = strided.itemsize(array)
    return strided.step(array, fast) == item and (
        strided.extent(array, slow) == 1 or strided.step(array, slow) >= item * max(strided.extent(array, fast), 1))


def is_column_major(tensor):
    """Whether a matrix is the transpose of a contiguous one."""
    array = tensor._mt_array
    item = strided.itemsize(array)
    return strided.step(array, 0) == item and strided.step(array, 1) == item * strided.extent(array, 0)

"""Positions as results: of a triangle's elements, and of a given number of elements that are not zero."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import blank, ndim_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec


def _declare_triangle(name: str, doc: str) -> None:
    types = KernelTypes(f"{name}: integral")

    def meta(row, col, offset, dtype, layout, device, pin_memory):
        for word, size in (("row", row), ("col", col)):
            if size < 0:
                raise RuntimeError(f"{word} must be non-negative, got{size}")
        dtype = dtype or dtypes.int64
        types.check(dtype)
        return Spec((2, _count(name, row, col, offset)), dtype)

    def body(row, col, offset, dtype, layout, device, pin_memory):
        out = blank((2, _count(name, row, col, offset)), dtype or dtypes.int64)
        run.triangle_positions(out, row, col, offset, name == "tril_indices")
        return out

    declare(f"{name}(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, "
            "bool? pin_memory=None) -> Tensor", doc, meta=meta, body=body)


def _count(name: str, rows: int, columns: int, offset: int) -> int:
    """How many elements a triangle has."""
    lower = sum([min(max(row + offset + (name == "tril_indices"), 0), columns) for row in range(rows)])
    return lower if name == "tril_indices" else rows * columns - lower


_declare_triangle("tril_indices", "The rows and columns of the elements on a diagonal and below it.")
_declare_triangle("triu_indices", "The rows and columns of the elements on a diagonal and above it.")


class NonzeroStatic(Op):
    """The positions of the first elements that are not zero, one to a row, with a number where there are too few."""

    schema = "nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"
    variants = "method out"
    below = "makes a new tensor"

    def meta(self, size, fill_value, out=None):
        if size < 0:
            raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
        if out is not None and out.dtype is not dtypes.int64:
            raise RuntimeError("nonzero_static: Expected out tensor to have scalar type Long but got scalar type"
                               f"{out.dtype.short}")
        return Spec((size, ndim_of(self)), dtypes.int64)

    def body(self, size, fill_value, out=None):
        shape = (size, ndim_of(self))
        out = aten.empty(shape, dtype=dtypes.int64) if out is None else resize_output(out, shape)
        if not size or not ndim_of(self) or not has_values(self):
            return out
        columns = ask.nonzero(self)
        places = aten.empty((0,), dtype=dtypes.int64)
        resize_output(places, (len(columns[0]), ndim_of(self)), (1, max(len(columns[0]), 1)))
        run.write_columns(places, columns)
        given = min(size, shape_of(places)[0])
        aten.copy_(aten.narrow(out, 0, 0, given), aten.narrow(places, 0, 0, given))
        if given < size:
            aten.fill_(aten.narrow(out, 0, given, size - given), fill_value)
        return out

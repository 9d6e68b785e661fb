"""Casts by name, as older programs call them."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from .factories import empty

CASTS = {"Byte": dtypes.uint8, "Char": dtypes.int8, "Double": dtypes.float64, "Float": dtypes.float32,
         "Half": dtypes.float16, "Int": dtypes.int32, "Long": dtypes.int64, "Short": dtypes.int16}


def _declare_cast(word: str, dtype) -> None:
    declare(f"_cast_{word}(Tensor self, bool non_blocking=False) -> Tensor", f"The tensor as {dtype}.",
            body=lambda self, non_blocking: self if self.dtype is dtype else aten.to(self, dtype, non_blocking))


for _word, _dtype in CASTS.items():
    _declare_cast(_word, _dtype)


class Chalf(Op):
    """The tensor in complex numbers of two halves."""

    schema = "chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"
    variants = "method"

    def body(self, memory_format):
        return aten.to(self, dtypes.complex32, False, False, memory_format)


class ShapeAsTensor(Op):
    """The sizes of a tensor as a tensor."""

    schema = "_shape_as_tensor(Tensor self) -> Tensor"
    below = "answers a question"

    def meta(self):
        return Spec((ndim_of(self),), dtypes.int64)

    def body(self):
        sizes = empty((ndim_of(self),), dtypes.int64)
        run.fill_from_list(sizes, list(shape_of(self)))
        return sizes


class DimArange(Op):
    """The numbers from 0 up to a tensor's size."""

    schema = "_dim_arange(Tensor like, int dim) -> Tensor"

    def body(like, dim):
        return aten.arange(shape_of(like)[dim], dtype=dtypes.int64)

# cython: annotation_typing=False
"""The tensor given as ``out=``: the types it may have, and how it comes to the shape of what is written into it."""

from __future__ import annotations

from ..core.dtype import DType
from ..core.geometry import contiguous_strides
from ..core.resize import resize
from ..core.tensor import Tensor
from ..core.user_warning import warn_user
from ..opdef import table
from ..opdef.operator import CASTABLE, SAME_TYPE, Operator
from ..opdef.rules import Spec, c_name, tensor_name
from . import dispatcher

RESIZED = ("An output with one or more elements was resized since it had shape {}, which does not match the required "
           "output shape {}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized "
           "unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero "
           "elements with t.resize_(0).")
WRONG_TYPE = "Expected out tensor to have dtype {wanted_in_c}, but got {given_in_c} instead"
IMAGE_DIMS = 4


def fit(op: Operator, out: Tensor, spec: Spec, number: int = 0) -> Tensor:
    """An ``out=`` tensor in the shape of a result, if it is of a type that the op's form allows."""
    if op.out_type == CASTABLE:
        check_storable(spec.dtype, out)
    elif op.out_type == SAME_TYPE and out.dtype is not spec.dtype:
        words = op.out_words or WRONG_TYPE
        if isinstance(words, tuple):
            words = words[number]
        raise RuntimeError(words.format(wanted=spec.dtype, given=out.dtype, wanted_in_c=c_name(spec.dtype),
                                        given_in_c=c_name(out.dtype), wanted_tensor=tensor_name(spec.dtype),
                                        given_tensor=tensor_name(out.dtype)))
    return resize_output(out, spec.shape, spec.strides)


def resize_output(out: Tensor, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> Tensor:
    """Give an ``out=`` tensor its shape; torch warns if it held something of another shape.

    That shows no row, but the strides of a result that lies as its operands do, given where they are not those of C
    order, are set by an op. Images whose channels lie last are the exception: memory is resized to that format.
    """
    if out._mt_array.shape != shape:
        if out._mt_array.size:
            warn_user(RESIZED.format(list(out._mt_array.shape), list(shape)))
        channels_last = strides is not None and strides == _channels_last_strides(shape)
        resize(out, shape, channels_last)
        if strides is not None and not channels_last:
            dispatcher.call(table.find("as_strided_", ""), (out, shape, strides, None))
    return out


def _channels_last_strides(shape: tuple[int, ...]) -> tuple[int, ...] | None:
    if len(shape) != IMAGE_DIMS:
        return None
    image, row, column, channel = contiguous_strides((shape[0], *shape[2:], shape[1]))
    return image, channel, row, column


def check_storable(common: DType, out: Tensor) -> None:
    """Refuse a result whose kind of numbers is beyond what it is written into."""
    if common.category > out.dtype.category:
        raise RuntimeError(f"result type {common.short} can't be cast to the desired output type {out.dtype.short}")

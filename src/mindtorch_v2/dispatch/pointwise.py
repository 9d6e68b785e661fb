"""Elementwise ops before their kernel: one type for all operands, and a check that their shapes agree."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core import strided
from ..core.geometry import broadcast_shapes
from ..core.promotion import result_type
from ..core.tensor import Tensor
from ..opdef.operator import Operator


class Cast:
    """The op that casts operands; set when the road is paved, because it is itself an op."""

    to = None


def prepare(op: Operator, args):
    """The arguments with every tensor operand in the common type, which is the kernel's type."""
    if op.checks:
        op.meta.check(*args)
    common = None
    mixed = False
    first: Tensor = None
    same = True
    for i in op.tensors:
        if op.is_out and i == op.mutates:
            continue
        value = args[i]
        if value is None:
            continue
        tensor: Tensor = value
        if common is None:
            common = tensor.dtype
            first = tensor
        else:
            if tensor.dtype is not common:
                mixed = True
            if not strided.same_shape(first.array, tensor.array):
                same = False
    if not same:
        _check_shapes(op, args)
    if mixed:
        common = result_type(*[args[i] for i in op.tensors if args[i] is not None and not (op.is_out and i == op.mutates)])
    if op.pointwise == 3 and common.category < 2:
        common = dtypes.get_default_dtype()
        mixed = True
    if not mixed:
        return args
    if op.mutates >= 0:
        check_result(op, common, args[op.mutates])
    cast = list(args)
    for i in op.tensors:
        value = args[i]
        if value is not None and value.dtype is not common and i != op.mutates:
            cast[i] = Cast.to(value, common)
    return tuple(cast)


def check_result(op: Operator, common, into):
    """A result may be stored only in a type of the same category or a wider one."""
    result = dtypes.bool_ if op.pointwise == 2 else common
    if result.category > into.dtype.category:
        raise RuntimeError(f"result type {result.short} can't be cast to the desired output type {into.dtype.short}")


def _check_shapes(op: Operator, args):
    shape = None
    for i in op.tensors:
        if args[i] is not None and not (op.is_out and i == op.mutates):
            shape = args[i].array.shape if shape is None else broadcast_shapes(shape, args[i].array.shape)
    if op.mutates >= 0 and not op.is_out and shape != args[op.mutates].array.shape:
        raise RuntimeError(f"output with shape {list(args[op.mutates].array.shape)} doesn't match the broadcast shape "
                           f"{list(shape)}")

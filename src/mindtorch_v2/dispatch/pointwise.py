"""Elementwise ops: one type for all operands, shapes that agree, then the compiled loop or NumPy's function."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core import strided
from ..core.dtype import FLOATING, DType
from ..core.geometry import broadcast_shapes
from ..core.promotion import elementwise_type
from ..core.slots import Work
from ..core.tensor import Tensor, new_tensor
from ..devices.cpu import copying, numpy_loops
from ..devices.cpu.errstate import hush, speak
from ..devices.cpu.layout import empty_of, laid_out
from ..devices.kernel import arrays_of
from ..opdef.operator import BOOL, CHECKS_ALL, FLOAT, Operator
from ..opdef.rules import elementwise
from . import dispatcher, number_cast, on_device

HALF_BYTES = 2


def cast_to(tensor, dtype):
    """A tensor in another type, through the casting op."""
    return dispatcher.call(Work.cast_op, (tensor, dtype, False, False, None))


def run(op: Operator, args):
    """An elementwise op on operands of any types and shapes."""
    if op.checks and (op.checks == CHECKS_ALL or op.is_out or not are_floats(op, args)):
        op.meta.check(*args)
    first: Tensor = args[op.tensor0]
    dtype: DType = first.dtype
    if op.copies_integers and dtype.category < FLOATING:
        return copy_integers(op, args)
    # Numbers alone, as in add(1.5, 2.5), are of the default type.
    mixed = first._mt_is_number or op.pointwise == FLOAT and dtype.category < FLOATING
    same = clear = True  # one shape; no shape that could fail to fit the first
    for k in range(1, op.n_tensors):
        at = op.operands[k]
        other: Tensor = args[at]
        if other is None:
            continue
        if other.dtype is not dtype:
            mixed = True
        if not strided.same_shape(first._mt_array, other._mt_array):
            same = False
            if strided.ndim(other._mt_array) != 0:
                clear = False
    if not clear:
        check_shapes(op, args)
    number = None
    if mixed:
        dtype = common_type(op, args)
        number = exact_number(op, args, dtype)
        args = cast(op, args, dtype)
    result = dtypes.bool_ if op.pointwise == BOOL else dtype
    if op.converts and given_numbers(op, args):
        args = convert_numbers(op, args, dtype)
    if op.loop is not None and dtype.category == FLOATING and can_loop(op, args, dtype):
        return run_loop(op, args, result, same, number)
    if op.kernel_types is not None:
        op.kernel_types.check(dtype)
    if op.ufunc is not None:
        direct = run_directly(op, args, result, same)
        if direct is not None:
            return direct
    arrays = arrays_of(args)
    if op.mutates >= 0:
        return write(op, args, arrays, result)
    before = hush()
    try:
        array = op.work(*arrays)
    finally:
        speak(before)
    if not strided.is_array(array) or array.dtype is not result.numpy:
        array = np.asarray(array, result.numpy)
    if strided.ndim(array) > 1:
        array = laid_out(array, [args[i]._mt_array for i in op.operands if args[i] is not None])
    return new_tensor(array, result)


def are_floats(op: Operator, args):
    """Whether all operands are floats of one type."""
    first: Tensor = args[op.tensor0]
    if first.dtype.category != FLOATING:
        return False
    for k in range(1, op.n_tensors):
        at = op.operands[k]
        other: Tensor = args[at]
        if other is None or other.dtype is not first.dtype:
            return False
    return True


def run_directly(op: Operator, args, result, same):
    """What NumPy's own loop makes of numbers of one type; None where NumPy has to be called."""
    first: Tensor = args[op.tensor0]
    second: Tensor = args[op.tensor1] if op.n_tensors == 2 else None
    if op.n_tensors > 2 or (op.n_tensors == 2 and second is None) or (op.converts and given_numbers(op, args)):
        return None
    into: Tensor = args[op.mutates] if op.mutates >= 0 else None
    if into is not None and into.dtype is not result:
        return None
    out = room_for(op, args, result, same) if into is None else into._mt_array
    if not numpy_loops.run_numpy_loop(op.ufunc, out, first._mt_array, None if second is None else second._mt_array):
        return None
    return new_tensor(out, result) if into is None else into


def copy_integers(op: Operator, args):
    """Whole numbers as they are, in a tensor of their own or the one that is written."""
    first: Tensor = args[op.tensor0]
    into = args[op.mutates] if op.mutates >= 0 else on_device.allocate(elementwise((first,), first.dtype))
    return Work.copy_(into, first)


def given_numbers(op: Operator, args):
    """Whether a number that the kernel converts is another than its default."""
    for i in op.converts:
        if args[i] is not op.defaults[i]:
            return True
    return False


def convert_numbers(op: Operator, args, dtype):
    """The arguments with their numbers in the kernel's type, if there is such a kernel."""
    if op.kernel_types is not None:
        op.kernel_types.check(dtype)
    return op.scalars.convert(args, dtype)


def can_loop(op: Operator, args, dtype: DType):
    """Whether there is a loop for these: all operands are there, and what is written is of the type of its results."""
    for k in range(1, op.n_tensors):
        at = op.operands[k]
        if args[at] is None:
            return False
    if op.mutates >= 0:
        into: Tensor = args[op.mutates]
        return into.dtype is (dtypes.bool_ if op.pointwise == BOOL else dtype)
    return True


def room_for(op: Operator, args, result, same):
    """Memory for the result, in torch's order of dimensions."""
    first: Tensor = args[op.tensor0]
    if same and strided.is_contiguous(first._mt_array):
        for k in range(1, op.n_tensors):
            at = op.operands[k]
            other: Tensor = args[at]
            if not strided.is_contiguous(other._mt_array):
                break
        else:
            return strided.empty_as(first._mt_array, result.numpy)
    elif op.n_tensors == 2:
        second: Tensor = args[op.tensor1]
        if strided.ndim(second._mt_array) == 0 and strided.is_contiguous(first._mt_array):
            return strided.empty_as(first._mt_array, result.numpy)
        if strided.ndim(first._mt_array) == 0 and strided.is_contiguous(second._mt_array):
            return strided.empty_as(second._mt_array, result.numpy)
    return empty_of([args[i]._mt_array for i in op.operands], result.numpy)


def exact_number(op: Operator, args, dtype: DType):
    """The second operand beside halves, if it is a single number of another type and the op takes it as it is: in
    float32, though torch's rows show a cast to the halves' type. None for all else."""
    if dtype.itemsize != HALF_BYTES or dtype.category != FLOATING or "exact_number" not in op.form:
        return None
    other: Tensor = args[op.tensor1]
    if strided.size(other._mt_array) != 1 or other.dtype is dtype:
        return None
    number = strided.empty(other._mt_array.shape, dtypes.float32.numpy)
    if not copying.copy_plain(number, other._mt_array):
        np.copyto(number, other._mt_array, casting="unsafe")
    return number


def run_loop(op: Operator, args, result, same, number):
    """The compiled loop: the result's array first, then the operands, then the numbers; ``number`` stands for the
    second operand where there is one."""
    first: Tensor = args[op.tensor0]
    into: Tensor = None
    if op.mutates >= 0:
        into = args[op.mutates]
        out = into._mt_array
    else:
        out = room_for(op, args, result, same)
    n = op.n_params - op.is_out
    if n == 1:
        op.loop(out, first._mt_array)
    else:
        other: Tensor = args[1] if op.n_tensors > 1 else None
        if n == 2 and other is not None:
            op.loop(out, first._mt_array, other._mt_array if number is None else number)
        elif n == 3 and op.n_tensors == 2:
            op.loop(out, first._mt_array, other._mt_array, args[2])
        else:
            op.loop(out, *arrays_of(args[:n]))
    return into if into is not None else new_tensor(out, result)


def cast(op: Operator, args, common: DType):
    """The arguments with every tensor operand in the common type, which is the kernel's type."""
    if op.mutates >= 0:
        check_result(op, common, args[op.mutates])
    changed = list(args)
    for k in range(op.n_tensors):
        i = op.operands[k]
        value: Tensor = args[i]
        if value is not None and value.dtype is not common and i != op.mutates:
            changed[i] = number_cast.number_in(value, common) if value._mt_is_number else None
            if changed[i] is None:
                changed[i] = dispatcher.call(Work.cast_op, (value, common, False, False, None))
    return tuple(changed)


def common_type(op: Operator, args):
    """The type the operands are promoted to; the answer for two of them is remembered."""
    key = -1
    if op.n_tensors == 2 and args[op.tensor1] is not None:
        a: Tensor = args[op.tensor0]
        b: Tensor = args[op.tensor1]
        key = (op.pointwise << 4 | rank(a) << 2 | rank(b)) << 18  # and six bits for each type
        key |= a.dtype.code << 12 | b.dtype.code << 6 | dtypes.default.floating.code
        known = promoted.get(key)
        if known is not None:
            return known
    operands = [args[i] for i in op.tensors if args[i] is not None and not (op.is_out and i == op.mutates)]
    common = elementwise_type(operands, op.pointwise == FLOAT)
    if key >= 0:
        promoted[key] = common
    return common


def rank(tensor):
    """Dimensioned tensors speak before single numbers, and those before Python's numbers."""
    return 2 if tensor._mt_is_number else 0 if strided.ndim(tensor._mt_array) else 1


promoted: dict = {}


def check_result(op: Operator, common: DType, into: Tensor):
    """A result may be stored only in a type of the same category or a wider one."""
    result = dtypes.bool_ if op.pointwise == BOOL else common
    if result.category > into.dtype.category:
        raise RuntimeError(f"result type {result.short} can't be cast to the desired output type {into.dtype.short}")


def write(op: Operator, args, arrays, dtype):
    """The in-place and ``out=`` forms: NumPy computes into the tensor that exists, or its result is cast into it."""
    into: Tensor = args[op.mutates]
    if op.is_out:
        arrays.pop()
        check_result(op, dtype, into)
    before = hush()
    try:
        if op.takes_out and dtype is into.dtype and arrays[op.tensor0].dtype is into.dtype.numpy:
            op.work(*arrays, out=into._mt_array)
        else:
            np.copyto(into._mt_array, op.work(*arrays), casting="unsafe")
    finally:
        speak(before)
    return into


def check_shapes(op: Operator, args):
    """Refuse shapes that do not agree, among operands or with the tensor that is written in place."""
    shape = broadcast_shape(op, args)
    if op.mutates >= 0 and not op.is_out and shape != args[op.mutates]._mt_array.shape:
        raise RuntimeError(f"output with shape {list(args[op.mutates]._mt_array.shape)} doesn't match the broadcast "
                           f"shape {list(shape)}")


def broadcast_shape(op: Operator, args):
    """The shape that the operands agree on."""
    shape = None
    for i in op.operands:
        if args[i] is not None:
            shape = args[i]._mt_array.shape if shape is None else broadcast_shapes(shape, args[i]._mt_array.shape)
    return shape

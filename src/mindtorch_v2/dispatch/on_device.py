# cython: annotation_typing=False
"""Calls on a device other than the CPU: which one it is, and an op's kernel run there on memory of its own."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.device import BACKENDS, as_device, number_of
from ..core.modes import current_device
from ..core.tensor import Tensor, blank, window_of
from ..opdef.operator import BOOL, Operator
from ..opdef.rules import Spec, elementwise
from . import inplace_and_views, pointwise


def device_of_call(op: Operator, args: tuple, outside: int) -> int:
    """The number of the device that a call runs on.

    It is the device the call names, else that of its tensors, else, as for an op that only makes tensors, the one that
    the op around it runs on. Single numbers on the CPU go wherever the others are.
    """
    if op.device_at >= 0 and args[op.device_at] is not None:
        return number_of(as_device(args[op.device_at]))
    number = -1
    for i in op.tensors:
        if args[i] is not None:
            number = _join(number, args[i])
    for i in op.lists:
        for tensor in args[i] or ():
            if tensor is not None:
                number = _join(number, tensor)
    return outside if number < 0 else number


def _join(number: int, tensor: Tensor) -> int:
    here = tensor._mt_storage.device
    return here if number < 0 or (number == 0 and here) else number


def compute(op: Operator, args: tuple):
    """An op that is a kernel: its rule says what comes out, the device's kernel writes it."""
    into = args[op.mutates] if op.mutates >= 0 else None
    given = args[:-1] if op.is_out else args
    if op.copies_integers and args[op.tensor0].dtype.category < dtypes.FLOATING:
        op.meta.check(*args)
        return pointwise.copy_integers(op, args)
    if op.pointwise:
        args, spec = _elementwise(op, args)
        given = args[:-1] if op.is_out else args
    else:
        spec = op.meta(*given)
        if op.is_out:
            inplace_and_views.fit_out(op, args, into)
    dtype = args[op.tensor0].dtype if op.tensor0 >= 0 else None
    if op.kernel_types is not None:
        op.kernel_types.check(dtype)
    if op.scalars is not None:
        given = op.scalars.convert(given, dtype)
    result = into if into is not None else _allocated(spec)
    BACKENDS[current_device()].run(op.kernel, given, out=result)
    return result


def _allocated(spec):
    return allocate(spec) if isinstance(spec, Spec) else tuple([allocate(one) for one in spec])


def allocate(spec: Spec) -> Tensor:
    """A new tensor as a rule describes it, on the device of the op at work."""
    if spec.strides is None:
        return blank(spec.shape, spec.dtype)
    reach = 1 + sum([(n - 1) * step for n, step in zip(spec.shape, spec.strides)]) if 0 not in spec.shape else 0
    return window_of(blank((reach,), spec.dtype), spec.shape, spec.strides, 0)


def strides_like(tensor: Tensor) -> tuple[int, ...] | None:
    """The strides of a result that is read off one tensor element by element; None for those of C order."""
    return elementwise((tensor,), tensor.dtype).strides


def _elementwise(op: Operator, args: tuple) -> tuple[tuple, Spec]:
    """Operands of one type, on one device, whose shapes agree; and what comes out of them."""
    _check_devices(op, args)
    if op.checks:
        op.meta.check(*args)
    pointwise.check_shapes(op, args)
    if op.is_out:
        inplace_and_views.fit_out(op, args, args[op.mutates])
    common = pointwise.common_type(op, args)
    args = pointwise.cast(op, args, common)
    operands = [args[i] for i in op.operands if args[i] is not None]
    return args, elementwise(operands, dtypes.bool_ if op.pointwise == BOOL else common)


def _check_devices(op: Operator, args: tuple) -> None:
    """torch's elementwise ops take single numbers of the CPU beside tensors elsewhere, and nothing else."""
    expected = None
    for i in op.tensors:
        tensor = args[i]
        if tensor is None or (tensor._mt_storage.device == 0 and tensor._mt_array.ndim == 0):
            continue
        if expected is None:
            expected = tensor.device
        elif tensor.device != expected:
            raise RuntimeError(f"Tensor on device {tensor.device} is not on the expected device {expected}!")

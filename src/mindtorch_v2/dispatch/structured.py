# cython: annotation_typing=False
"""Ops whose rule says what comes out and whose ``into`` writes it: new results, ``out=`` and in place from one form."""

from __future__ import annotations

from ..core import strided
from ..core.dtype import DType
from ..core.slots import Work
from ..core.tensor import Tensor, blank, shape_of, strides_of
from ..opdef.operator import Operator
from ..opdef.rules import c_name, elementwise
from ..opdef.spec import Spec
from . import out_argument
from .on_device import allocate


def compute(op: Operator, args: tuple):
    """Check by the rule, find or make the results, write them."""
    given = args
    if op.outs:
        given = args[:len(args) - len(op.outs)]
        if op.check_out is not None:
            op.check_out(*args)
    specs = op.meta(*given)
    if op.kernel_types is not None:
        op.kernel_types.check(args[op.tensor0].dtype)
    if op.scalars is not None:
        given = op.scalars.convert(given, args[op.tensor0].dtype)
    if op.mutates < 0 and type(specs) is Spec:  # one new result, the usual case
        spec: Spec = specs
        result = blank(spec.shape, spec.dtype) if spec.strides is None else allocate(spec)
        if len(given) == 1:
            op.work(result, given[0])
        elif len(given) == 2:
            op.work(result, given[0], given[1])
        else:
            op.work(result, *given)
        return result
    if op.mutates >= 0 and type(specs) is Spec and len(op.outs) <= 1 and agrees(args[op.mutates], specs):
        op.work(args[op.mutates], *given)
        return args[op.mutates]
    return several(op, args, given, (specs,) if type(specs) is Spec else specs)


def agrees(into: Tensor, spec: Spec) -> bool:
    """Whether a tensor is of the type and shape of a result that may lie anyhow: it is written as it is."""
    return into.dtype is spec.dtype and not spec.exact and strided.has_shape(into._mt_array, tuple(spec.shape))


def several(op: Operator, args: tuple, given: tuple, specs: tuple):
    """The same for results that exist, or more of them than one."""
    if op.outs:
        given = apart(given, [args[i] for i in op.outs], specs)
        results = [out_argument.fit(op, args[i], spec, n) for n, (i, spec) in enumerate(zip(op.outs, specs))]
        if any([spec.exact for spec in specs]):
            return write_exactly(op, results, given, specs)
    elif op.mutates >= 0:
        results = [same(args[op.mutates], specs[0])]
    else:
        results = [blank(spec.shape, spec.dtype) if spec.strides is None else allocate(spec) for spec in specs]
    op.work(*results, *given)
    return results[0] if len(results) == 1 else tuple(results)


def write_exactly(op: Operator, results: list[Tensor], given: tuple, specs: tuple[Spec, ...]):
    """Results that must lie as the rule says are written to memory of their own where those given lie otherwise."""
    written = [allocate(spec) if spec.exact and strides_of(result) != spec.strides else result
               for result, spec in zip(results, specs)]
    op.work(*written, *given)
    for result, source in zip(results, written):
        if source is not result:
            Work.copy_(result, source)
    return results[0] if len(results) == 1 else tuple(results)


def apart(given: tuple, outs: list[Tensor], specs: tuple[Spec, ...]) -> tuple:
    """The arguments of an op; one whose memory is resized to hold a result is copied first."""
    resized = [out._mt_storage for out, spec in zip(outs, specs) if out._mt_array.shape != tuple(spec.shape)]
    if not resized:
        return given
    return tuple([Work.clone(value) if isinstance(value, Tensor) and value._mt_storage in resized else value
                  for value in given])


def same(self: Tensor, spec: Spec) -> Tensor:
    """The tensor that is written in place, if the result fits it."""
    if spec.dtype is not self.dtype:
        raise RuntimeError(f"Bad in-place call: input tensor dtype {c_name(self.dtype)} and output tensor dtype "
                           f"{c_name(spec.dtype)} should match")
    if tuple(spec.shape) != self._mt_array.shape:
        raise RuntimeError(f"Bad in-place call: input tensor size {list(self._mt_array.shape)} and output tensor size "
                           f"{list(spec.shape)} should match")
    return self


def in_one_order(operands: tuple) -> bool:
    """Whether tensors are of one shape and lie in C order without gaps, as most do."""
    first: Tensor = operands[0]
    for operand in operands:
        tensor: Tensor = operand
        if not strided.is_contiguous(tensor._mt_array) or not strided.same_shape(tensor._mt_array, first._mt_array):
            return False
    return True


def result_for(operands: tuple, dtype: DType, out: Tensor | None = None) -> Tensor:
    """Where an elementwise result goes: a new tensor that lies as its operands do, or an ``out=`` tensor, resized."""
    first: Tensor = operands[0]
    if out is None:
        if in_one_order(operands):
            return blank(shape_of(first), dtype)
    elif len(operands) == 1 and strided.same_shape(out._mt_array, first._mt_array):
        return out
    spec = elementwise(operands, dtype)
    return allocate(spec) if out is None else out_argument.resize_output(out, spec.shape, spec.strides)

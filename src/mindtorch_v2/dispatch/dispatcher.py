"""What every call goes through: record a row, ask autograd, run the kernel, make the node of the graph."""

from __future__ import annotations

import numpy as np

from ..autograd import node, op_node
from ..core import describe, executed, modes, strided
from ..core.device import device as DEVICE  # noqa: N812 - locals here are called device
from ..core.overrides import NO
from ..core.tensor import Tensor, count_write, new_tensor
from ..devices.kernel import arrays_of
from ..opdef.operator import INTO, KERNEL, VIEW, Operator
from ..record import rows
from ..record.layout import EXECUTED, INPUTS, TENSORS
from . import (
    autocast,
    errors,
    forward_mode,
    inplace_and_views,
    kinds,
    on_device,
    pointwise,
    python_dispatch,
    rare_types,
    structured,
    written_memory,
)


def call(op: Operator, args):
    """Run one op on bound arguments."""
    if modes.reasons == 0 and (op.device_at < 0 or is_cpu(args[op.device_at])):
        return recorded(op, args)
    return call_inside(op, args)


def is_cpu(place):
    """Whether a call that names this device, or none, and has tensors of no other, is the CPU's."""
    return place is None or (type(place) is DEVICE and place.type == "cpu")


def is_unobserved():
    """Whether nobody can tell what an op below autograd is made of: its steps may then be taken without their rows."""
    return modes.reasons == 0 and rows.listening() == 0


def is_plain():
    """Whether nobody sees more of an op below autograd than its row: its caller may then do its work himself."""
    return modes.reasons == 0 and modes.current().below and not rows.listening() & EXECUTED


def begin_row(op: Operator, args):
    """The row of an op whose work its caller does, begun; -1 if nobody listens."""
    wanted = rows.listening()
    return opened(op, args, wanted) if wanted else -1


def end_row(row):
    """And ended."""
    rows.close_row(row)


def is_shown(op: Operator, args):
    """Show the row of an op that has nothing to do, if anybody looks; False where its call can be seen otherwise."""
    if not is_plain():
        return False
    wanted = rows.listening()
    if wanted:
        rows.close_row(opened(op, args, wanted))
    return True


def call_inside(op: Operator, args):
    """The same where some ``__torch_function__`` is about, another device is in use or named, or autocast is on.

    Nobody is asked about what the op itself does, and what it makes is made on the device of its tensors.
    """
    state = modes.current()
    inside, device = state.inside, state.device
    here = on_device.device_of_call(op, args, device) if modes.devices or op.device_at >= 0 else 0
    state.inside, state.device = True, here
    if here:
        modes.count_device(1)  # what it makes may be the first there
    try:
        return autocasted(op, args) if state.autocast and op.autocast and state.device == 0 else recorded(op, args)
    finally:
        if here:
            modes.count_device(-1)
        state = modes.current()
        state.inside, state.device = inside, device


def autocasted(op: Operator, args):
    """The op on what autocast makes of its arguments, and off inside: a row around the casts, another of the op."""
    state = modes.current()
    wanted = rows.listening()
    row = opened(op, args, wanted) if wanted else -1
    state.autocast = False
    try:
        result = recorded(op, autocast.cast_arguments(op, args))
        if wanted & EXECUTED:
            executed.note_returned(row, result)
        return result
    finally:
        modes.current().autocast = True
        if row >= 0:
            rows.close_row(row)


def recorded(op: Operator, args):
    """One row, if somebody listens, around the op."""
    wanted = rows.listening()
    if wanted == 0:
        return route(op, args)
    row = opened(op, args, wanted)
    try:
        result = route(op, args)
        if wanted & EXECUTED:
            executed.note_returned(row, result)
        return result
    finally:
        rows.close_row(row)


def opened(op: Operator, args, wanted):
    """The row of a call, begun."""
    state = modes.current()
    sequence = -1
    if state.grad and not state.below and op.has_tensors:
        sequence = state.sequence
    if wanted & (INPUTS | TENSORS):
        return describe.open_row(op.name_id, 0, sequence, args, wanted, 0)
    return rows.open_row(op.name_id, 0, sequence, -1, 0)


def route(op: Operator, args):
    """Autograd's decision: look through a composition, or run the op and note how to go back."""
    state = modes.current()
    if op.composite:
        if modes.rare_types:
            rare_types.check_composition(op, args)
        return op.work(*args) if modes.reasons == 0 else look_through(op, args)
    if state.below:
        result = compute(op, args)
        return result if op.result_type is None else named(op, result)  # kernels of users read its names
    if modes.kinds and forward_mode.has_tangents(op, args):
        return forward_mode.differentiated(op, args)
    return differentiated(op, args)


def look_through(op: Operator, args):
    """A composition: what it is made of, unless a handler or a kind of tensor takes the whole."""
    answer = asked(op, args)
    return op.work(*args) if answer is NO else answer


def differentiated(op: Operator, args):
    """The op below autograd, and the node that leads back from what it made."""
    state = modes.current()
    needs = state.grad and op.differentiable and wants_grad(op, args)
    if needs and modes.kinds:
        needs = kinds.wants_grad(op, args)
    saved = args
    if op.mutates >= 0:
        saved = inplace_and_views.before_writing(op, args, needs)
    step = begun(op, args, saved) if needs else None
    state.below = True
    try:
        result = compute(op, args)
    except MemoryError as error:
        raise RuntimeError(errors.out_of_memory(error)) from error
    finally:
        state.below = False
    if op.result_type is not None:
        result = named(op, result)
    if needs and isinstance(result, Tensor) and not inplace_and_views.gets_gradient(result):
        needs = False
    if needs:
        attach(op, args, step, result)
    elif op.aliases >= 0:
        inplace_and_views.mark_view(op, args, result)
    if op.mutates >= 0 and not needs:
        count_write(args[op.mutates])
        if op.is_out:
            for i in op.outs[1:]:
                count_write(args[i])
    if state.inference and op.mutates < 0:
        inplace_and_views.mark_inference(result)
    return result


def named(op: Operator, result):
    """Results with the names that torch gives them; what was written by the op's own rule is as many as they are."""
    if type(result) is op.result_type:
        return result
    return tuple.__new__(op.result_type, result) if op.how == INTO else op.result_type(*result)


def wants_grad(op: Operator, args):
    """Whether a gradient can flow into any differentiable argument."""
    for i in op.backward.params:
        value = args[i]
        if isinstance(value, Tensor):
            tensor: Tensor = value
            if tensor._mt_base is not None and tensor._mt_version.count != tensor._mt_view_version:
                inplace_and_views.refresh(tensor)
            if tensor._mt_requires:
                return True
        elif isinstance(value, (list, tuple)):
            for item in value:
                if item is not None and item._mt_requires:
                    return True
    return False


def compute(op: Operator, args):
    """The op's own work, on arrays for a kernel, on tensors for a view or a body."""
    if modes.reasons:
        answer = asked(op, args)
        if answer is not NO:
            return answer
    if modes.rare_types and op.how != VIEW:
        kind = rare_types.group_of_call(op, args)
        if kind:
            return rare_types.compute(op, args, kind)
    return compute_plain(op, args)


def asked(op: Operator, args):
    """What a ``__torch_dispatch__`` or a kind of tensor among the arguments says; NO if there is none."""
    if modes.overrides:
        answer = python_dispatch.ask(op, args)
        if answer is not NO:
            return answer
    return kinds.ask(op, args) if modes.kinds else NO


def compute_plain(op: Operator, args):
    """The same on types that are known to suit the op."""
    if op.mutates >= 0:
        written_memory.check(op, args)
    if op.how == INTO:
        return structured.compute(op, args)
    if op.how != KERNEL:
        if op.meta is not None:
            op.meta(*args)
        if op.kernel_types is not None:
            op.kernel_types.check(args[op.tensor0].dtype)
        if op.scalars is not None:
            args = op.scalars.convert(args, args[op.tensor0].dtype)
        return op.work(*args)
    return run_kernel(op, args)


def run_kernel(op: Operator, args):
    """An op that is a kernel, on the device of the op at work; also without a row of its own, inside another op."""
    if modes.devices and modes.current().device:
        return on_device.compute(op, args)
    if op.pointwise:
        if op.is_out:
            inplace_and_views.fit_out(op, args, args[op.mutates])
        return pointwise.run(op, args)
    spec = None
    if op.meta is not None:
        spec = op.meta(*args)
    if op.kernel_types is not None:
        op.kernel_types.check(args[op.tensor0].dtype)
    if op.scalars is not None:
        args = op.scalars.convert(args, args[op.tensor0].dtype)
    arrays = arrays_of(args)
    if op.mutates >= 0:
        return write(op, args, arrays)
    result = op.work(*arrays)
    if isinstance(result, tuple):
        return tuple([wrap(m, s.dtype) for m, s in zip(result, spec)])
    return wrap(result, spec.dtype)


def wrap(array, dtype):
    """A kernel's array as a tensor; NumPy's scalars become arrays again."""
    if not strided.is_array(array) or array.dtype is not dtype.numpy:
        array = np.asarray(array, dtype.numpy)
    return new_tensor(array, dtype)


def write(op: Operator, args, arrays):
    """Run a kernel into a tensor that exists: the in-place and ``out=`` forms."""
    into: Tensor = args[op.mutates]
    if op.is_out:
        arrays.pop()
        inplace_and_views.fit_out(op, args, into)
    if op.takes_out:
        op.work(*arrays, out=into._mt_array)
    else:
        np.copyto(into._mt_array, op.work(*arrays), casting="unsafe")
    return into


def begun(op: Operator, args, saved):
    """The node that leads back to the arguments, with what it keeps of them: hooks see that before the op runs."""
    backward = op.backward
    step = op_node.op_node(backward)
    mask, bit = 0, 1
    spans = [] if op.lists else None
    for i in backward.params:
        value = args[i]
        if isinstance(value, (list, tuple)):
            for item in value:
                if node.connect(step, item):
                    mask |= bit
            spans.append(len(value))
        else:
            if node.connect(step, value):
                mask |= bit
            if spans is not None:
                spans.append(1)
        bit <<= 1
    step.spans = spans
    node.number(step)
    op_node.save(step, saved, backward.saved_for(mask))
    return step


def attach(op: Operator, args, step, result):
    """Lead back from a result to the arguments."""
    if op.mutates >= 0:
        count_write(args[op.mutates])
        inplace_and_views.rebase(op, args[op.mutates], step)
    elif isinstance(result, Tensor):
        node.adopt(step, result, 0)
        if op.aliases >= 0:
            inplace_and_views.mark_view(op, args, result)
    else:
        inplace_and_views.adopt_all(op, step, args, result)
    for at in op.backward.saved_results:
        op_node.save_result(step, at, result if isinstance(result, Tensor) else result[at])

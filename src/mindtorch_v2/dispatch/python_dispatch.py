"""``__torch_dispatch__``: modes and subclasses take an op over below autograd, each under a row of its own."""

from __future__ import annotations

from ..core import describe, modes
from ..core.overrides import NO, disabled_dispatch, place, stacks
from ..core.slots import Work
from ..core.storage import Version
from ..core.tensor import Tensor, share_storage
from ..opdef.operator import Operator
from ..record import rows
from ..record.names import names

MODE, SUBCLASS = names.declare("PythonDispatchMode"), names.declare("PythonSubclass")
# Compositions here that are ops of their own in torch: shown as they are, not by what they are made of.
_WHOLE = ("_foreach_", "_fused_", "_amp_", "bitwise_", "__lshift__", "__rshift__", "__ilshift__", "__irshift__",
          "resize_", "is_same_size", "equal", "allclose", "isnan", "isinf")


def ask(op: Operator, args):
    """The answer of the innermost mode or of a subclass among the arguments; NO if there is nobody to ask."""
    state = modes.current()
    if state.dispatch_off:
        return NO
    overriding = collect(op, args)
    if state.dispatch_modes == 0 and not overriding:
        return NO
    if op.composite and not (state.below or state.inference):
        if not op.name.startswith(_WHOLE) or (state.grad and any_requires(op, args)):
            return NO  # what it is made of is asked about instead: it has the derivatives
    row = -1
    wanted = rows.listening()
    if wanted:
        row = describe.open_row(MODE if state.dispatch_modes else SUBCLASS, 0, -1, args, wanted, 0)
    try:
        answer = outside(op, overriding, args)
    finally:
        if row >= 0:
            rows.close_row(row)
    if op.aliases >= 0:
        _share_version(args[op.aliases], answer)
    return answer


def any_requires(op: Operator, args):
    """Whether any tensor among the arguments requires a gradient."""
    for i in op.tensors:
        value = args[i]
        if value is not None and value._mt_requires:
            return True
    for i in op.lists:
        for value in args[i] or ():
            if value is not None and value._mt_requires:
                return True
    return False


def collect(op: Operator, args):
    """The tensors whose class has a ``__torch_dispatch__``, one of each class, subclasses first."""
    overriding = None
    for i in op.tensors:
        value = args[i]
        if type(value) is not Tensor and value is not None:
            overriding = _place(overriding, value)
    for i in op.lists:
        for value in args[i] or ():
            if type(value) is not Tensor and value is not None:
                overriding = _place(overriding, value)
    return overriding


def _place(overriding, value):
    if type(value).__torch_dispatch__ is disabled_dispatch:
        return overriding
    overriding = [] if overriding is None else overriding
    place(overriding, value)
    return overriding


def outside(op: Operator, overriding, args):
    """Call the handlers as user code: not inside an op any more, but still below autograd and below autocast."""
    state = modes.current()
    below, inside, autocast = state.below, state.inside, state.autocast
    state.below, state.inside, state.autocast = True, False, False
    try:
        return handled(op, overriding or [], args)
    finally:
        state = modes.current()
        state.below, state.inside, state.autocast = below, inside, autocast


def handled(op, overriding, args):
    """The first answer that is not NotImplemented, or torch's complaint that everybody passed."""
    func = Work.overload_of(op)
    by_position, by_name = given(op, args)
    types = tuple([type(value) for value in overriding])
    asked = stacks.dispatch
    mode = None
    if asked:
        mode = asked.pop()
        modes.set_dispatch_modes(len(asked))
        try:
            answer = mode.__torch_dispatch__(func, types, by_position, by_name)
        finally:
            asked.append(mode)
            modes.set_dispatch_modes(len(asked))
        if answer is not NotImplemented:
            return answer
    for value in overriding:
        answer = type(value).__torch_dispatch__(func, types, by_position, by_name)
        if answer is not NotImplemented:
            return answer
    passed = ([] if mode is None else [f"  - mode object {mode!r}"]) + [f"  - tensor subclass {t!r}" for t in types]
    raise TypeError(f"Multiple dispatch failed for 'torch._ops.{func}'; all __torch_dispatch__ handlers returned "
                    "NotImplemented:\n\n" + "\n".join(passed)
                    + "\n\nFor more information, try re-running with TORCH_LOGS=not_implemented")


def given(op: Operator, args):
    """Arguments as torch shows them: trailing defaults left out, wrapped numbers as numbers, lists as lists."""
    values = [_as_python(value) for value in args]
    n = op.n_positional
    while n > op.n_required and _is_default(values[n - 1], op.defaults[n - 1]):
        n -= 1
    by_name = {}
    for i in range(op.n_positional, op.n_params):
        if not _is_default(values[i], op.defaults[i]):
            by_name[op.schema.params[i].name] = values[i]
    return tuple(values[:n]), by_name


def _as_python(value):
    if isinstance(value, Tensor):
        return value._mt_array.item() if value._mt_is_number else value
    return list(value) if type(value) is tuple else value


def _is_default(value, default):
    if isinstance(value, Tensor):
        return False
    if type(value) is list:
        return isinstance(default, (tuple, list)) and value == list(default)
    return value is default or (type(value) is type(default) and value == default)


def _share_version(source, views):
    """What a handler returns for a view counts writes with what it shows, even if it has no memory of its own."""
    for view in views if isinstance(views, (list, tuple)) else (views,):
        if isinstance(view, Tensor) and view._mt_version is None:
            if source._mt_version is None:
                source._mt_version = Version()
            view._mt_version = source._mt_version


def kept(tensor):
    """A tensor on the same data without history; its class, or a mode, makes it where it has a say."""
    if not takes_part(tensor):
        return share_storage(tensor, tensor._mt_array)
    copied = Work.detach(tensor)
    _share_version(tensor, copied)
    return copied


def takes_part(tensor):
    """Whether a tensor's class, or a mode, has a say in what becomes of it."""
    state = modes.current()
    return not state.dispatch_off and (state.dispatch_modes > 0 or is_opaque(tensor))


def is_opaque(tensor):
    """Whether a tensor's memory says nothing: its class answers for it."""
    return type(tensor) is not Tensor and type(tensor).__torch_dispatch__ is not disabled_dispatch

"""Per-thread switches: is a gradient wanted, are we inside an op's own work. The reading of modes.pyx."""

from __future__ import annotations

import threading


class _Modes(threading.local):
    """One thread's switches and its counter of autograd nodes."""

    grad = True
    inference = False
    below = False  # inside an op that autograd already knows: what it calls is not differentiated again
    sequence = 0
    inside = False  # inside an op: no __torch_function__ is asked about what it does
    functions_off = 0
    function_modes = 0
    dispatch_off = False
    dispatch_modes = 0
    device = 0  # the number of the device that the op at work runs on; 0 is the CPU
    autocast = False  # whether ops cast their operands on the CPU first


_modes = _Modes()
overrides = 0  # reasons to ask Python code before a function or an op runs: classes that want it, modes that are on
devices = 0  # storages on a device other than the CPU, and calls at work there
kinds = 0  # tensors of a kind (core/kinds.py), and levels of forward-mode derivatives
reasons = 0  # all of these, and threads that autocast: as long as there are none, a call is recorded and routed at once


rare_types = 0  # whether there were tensors of types that few ops take


def note_rare_type() -> None:
    """Say that there are tensors of types that few ops take."""
    global rare_types
    rare_types = 1


def current() -> _Modes:
    return _modes


def watch(change: int) -> None:
    """Count a reason, or one less, to ask Python code before a function or an op runs."""
    global overrides, reasons
    overrides += change
    reasons += change


def count_device(change: int) -> None:
    """Count a storage on a device other than the CPU, or a call at work there; or one less."""
    global devices, reasons
    devices += change
    reasons += change


def count_kind(change: int) -> None:
    """Count a tensor that is more than strided memory, or a level of forward-mode derivatives; or one less."""
    global kinds, reasons
    kinds += change
    reasons += change


def are_kinds_used() -> bool:
    """Whether there are tensors of a kind, levels of vmap or of forward-mode derivatives."""
    return kinds != 0


def count_reasons() -> int:
    """How many reasons there are to look closer at every call; none in a plain program."""
    return reasons


def are_devices_used() -> bool:
    return devices != 0


def current_device() -> int:
    """The number of the device that the op at work on this thread runs on."""
    return _modes.device


def set_device(number: int) -> int:
    return _switch("device", number)


def is_autocast() -> bool:
    """Whether ops on this thread cast their operands on the CPU as autocast says."""
    return _modes.autocast


def set_autocast(on: bool) -> bool:
    """Switch autocast for this thread and hand back what it was."""
    global reasons
    reasons += on - _modes.autocast
    return _switch("autocast", on)


def set_inside(on: bool) -> bool:
    """Say whether this thread is inside an op, and hand back what it was."""
    return _switch("inside", on)


def function_state() -> int:
    """Whose ``__torch_function__`` is asked: 0 everybody's, 1 only modes', 2 nobody's."""
    return _modes.functions_off


def set_function_state(state: int) -> int:
    return _switch("functions_off", state)


def set_function_modes(count: int) -> None:
    _modes.function_modes = count


def set_dispatch_modes(count: int) -> None:
    _modes.dispatch_modes = count


def set_dispatch_off(off: bool) -> bool:
    return _switch("dispatch_off", off)


def _switch(name: str, on: bool) -> bool:
    before = getattr(_modes, name)
    setattr(_modes, name, on)
    return before


def is_grad_enabled() -> bool:
    return _modes.grad


def set_grad(on: bool) -> bool:
    """Switch grad mode for this thread and hand back what it was."""
    return _switch("grad", on)


def is_inference_mode_enabled() -> bool:
    return _modes.inference


def set_inference(on: bool) -> bool:
    return _switch("inference", on)


def is_below_autograd() -> bool:
    return _modes.below


def set_below(on: bool) -> bool:
    return _switch("below", on)


def next_sequence() -> int:
    """This thread's next sequence number, counted up."""
    taken = _modes.sequence
    _modes.sequence = taken + 1
    return taken


def peek_sequence() -> int:
    return _modes.sequence

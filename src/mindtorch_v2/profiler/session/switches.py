"""torch's switches for all profiles of a process."""

from __future__ import annotations

arrows = True


def _set_fwd_bwd_enabled_val(value: bool) -> None:
    """Whether profiles made from now on link ops to their backward nodes."""
    global arrows
    arrows = _checked("_set_fwd_bwd_enabled_val", value)


def _set_record_concrete_inputs_enabled_val(value: bool) -> None:
    """Accepted; as in torch, ops of the processor show their inputs' values all the same."""
    _checked("_set_record_concrete_inputs_enabled_val", value)


def _set_cuda_sync_enabled_val(value: bool) -> None:
    """Accepted; it concerns a device that is not here."""
    _checked("_set_cuda_sync_enabled_val", value)


def _checked(function: str, value) -> bool:
    if not isinstance(value, (bool, int)):
        raise TypeError(f"{function}(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. (arg0: bool) -> None\n\nInvoked with: {value!r}")
    return bool(value)

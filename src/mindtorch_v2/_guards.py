"""torch._guards: what a compiler is tracing, for libraries that ask (nothing is), and the mode of fake tensors."""

from __future__ import annotations

from ._subclasses.fake_rules import fakes_of
from ._subclasses.fake_tensor import FakeTensorMode
from .core.entered_modes import stacks
from .core.missing_name import missing as _missing


def active_fake_mode() -> FakeTensorMode | None:
    """The innermost FakeTensorMode that is entered."""
    return next((mode for mode in reversed(stacks.dispatch) if isinstance(mode, FakeTensorMode)), None)


def detect_fake_mode(inputs: object = None) -> FakeTensorMode | None:
    """The mode that is entered, or that of fake tensors among some inputs; there may only be one."""
    active = active_fake_mode()
    modes = [active] if active is not None else []
    modes += [fake.fake_mode for fake in fakes_of(inputs)]
    if not modes:
        return None
    for number, mode in enumerate(modes):
        if mode is not modes[0]:
            raise AssertionError(f"fake mode ({modes[0]!r}) of the first input does not match that of input {number}: "
                                 f"{mode!r}")
    return modes[0]


class TracingContext:
    """What a compiler knows while it traces a program."""

    @staticmethod
    def try_get() -> None:
        """None: no program is being traced."""


__getattr__ = _missing(__name__)

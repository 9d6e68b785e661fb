"""torch._guards: what a compiler is tracing, for libraries that ask; nothing is ever traced."""

from __future__ import annotations

from .core.missing_name import missing as _missing


def active_fake_mode() -> None:
    """None: no tensor is without its values but on the meta device."""


def detect_fake_mode(inputs: object = None) -> None:
    """None, whatever the inputs are."""


class TracingContext:
    """What a compiler knows while it traces a program."""

    @staticmethod
    def try_get() -> None:
        """None: no program is being traced."""


__getattr__ = _missing(__name__)

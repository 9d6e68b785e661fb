"""torch.autograd.enforce_grad_layout_policy: whether a leaf's gradient lies in memory as the leaf does."""

from __future__ import annotations

import threading

from .grad_mode import Switch


class _Setting(threading.local):
    enforced = True


_setting = _Setting()


def _is_grad_layout_enforcement_enabled() -> bool:
    """Whether this thread copies a gradient that it could take over, if it does not lie as its leaf does."""
    return _setting.enforced


def _set_grad_layout_enforcement_enabled(enabled: bool) -> None:
    _setting.enforced = bool(enabled)


class enforce_grad_layout_policy(Switch):  # noqa: N801  torch's name
    """Have gradients lie as their leaves do, or be taken over as they come: at once, and until a block ends."""

    def __init__(self, enable: bool = True):
        self.mode = enable
        self.before = _setting.enforced
        _setting.enforced = bool(enable)

    def __call__(self, function):
        _setting.enforced = self.before
        return super().__call__(function)

    def __enter__(self) -> None:
        """The constructor has done it."""

    def __exit__(self, *args) -> None:
        _setting.enforced = self.before

    def clone(self):
        return enforce_grad_layout_policy(self.mode)

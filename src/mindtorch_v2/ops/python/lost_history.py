"""torch's warning that a number has no history where a tensor that wants gradients becomes one."""

from __future__ import annotations

from ...core.modes import is_grad_enabled
from ...core.tensor import Tensor
from ...core.user_warning import warn_user
from ...core.warn_always import is_warn_always_enabled


class _Said:
    once = False


def warn_of_lost_history(tensor: Tensor) -> None:
    """Warn the first time, and always where that is wanted."""
    if tensor._mt_requires and is_grad_enabled() and (not _Said.once or is_warn_always_enabled()):
        _Said.once = True
        warn_user("Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                  "Consider using tensor.detach() first.", each_time=is_warn_always_enabled())

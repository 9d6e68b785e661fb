"""torch.utils._mode_utils: blocks in which no ``__torch_dispatch__`` is asked."""

from collections.abc import Sequence

from ..core.mode_stack import DisableTorchDispatch as no_dispatch  # noqa: N813  torch's name for it

__all__ = ["all_same_mode", "no_dispatch"]


def all_same_mode(modes: Sequence) -> bool:
    """Whether all modes are one."""
    return all(mode == modes[0] for mode in modes)

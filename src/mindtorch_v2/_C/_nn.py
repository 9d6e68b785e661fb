"""torch._C._nn: how the arguments of ``to()`` are read."""

from __future__ import annotations

from ..nn.modules.to_arguments import parse_to


def _parse_to(*args, **kwargs) -> tuple:
    """Device, type, whether not to wait, and memory format."""
    return parse_to(args, kwargs)

"""torch.backends.nnpack: NNPACK is not part of this build."""

from __future__ import annotations


def is_available() -> bool:
    return False

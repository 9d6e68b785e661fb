"""torch.backends.mkldnn: oneDNN is not part of this build."""

from __future__ import annotations

enabled = False
deterministic = False


def is_available() -> bool:
    return False


def is_acl_available() -> bool:
    return False

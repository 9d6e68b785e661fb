"""torch.backends.cudnn: there is none; programs may set its switches, which switch nothing."""

from __future__ import annotations

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    return False


def version() -> int | None:
    return None

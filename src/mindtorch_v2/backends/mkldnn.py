"""torch.backends.mkldnn: oneDNN is not part of this build."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .settings import Settings

enabled = False
deterministic = False
allow_tf32 = True
fp32_precision = "none"
matmul, conv, rnn = (Settings(fp32_precision="none") for _ in range(3))


def is_available() -> bool:
    return False


def is_acl_available() -> bool:
    return False


@contextlib.contextmanager
def flags(enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True,
          fp32_precision: str = "none") -> Iterator[None]:
    """Switches inside a block; there is nothing that they switch."""
    yield

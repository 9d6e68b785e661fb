"""torch.backends.cuda: there is none."""

from __future__ import annotations


def is_built() -> bool:
    return False


def is_flash_attention_available() -> bool:
    return False

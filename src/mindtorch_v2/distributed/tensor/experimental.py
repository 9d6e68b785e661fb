"""torch.distributed.tensor.experimental: how plain tensors meet divided ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...core.missing_name import missing as _missing

__all__ = ["implicit_replication"]


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Let plain tensors stand beside divided ones as if every process held them whole: here all tensors are plain."""
    yield


__getattr__ = _missing(__name__)

"""torch.set_vital: what loaders of data note for PyTorch's own statistics, which are not kept here."""

from __future__ import annotations


def set_vital(vital: str, attr: str, value: str) -> None:
    """Nothing: nobody reads it."""

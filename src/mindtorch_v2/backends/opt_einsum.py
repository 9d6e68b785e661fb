"""torch.backends.opt_einsum: the package that orders the products of an einsum is not used."""

from __future__ import annotations

enabled = False
strategy: str | None = None


def is_available() -> bool:
    return False


def get_opt_einsum() -> None:
    """The package: None."""

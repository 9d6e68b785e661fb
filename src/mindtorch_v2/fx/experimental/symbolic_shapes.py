"""torch.fx.experimental.symbolic_shapes: sizes are numbers here, so every condition on them has an answer."""

from __future__ import annotations

from ...core.missing_name import missing as _missing


def guard_or_false(a) -> bool:
    """A condition on sizes."""
    return bool(a)


guard_or_true = guard_size_oblivious = statically_known_true = guard_or_false


def is_symbolic(value) -> bool:
    """False: numbers are numbers."""
    return False


def has_free_symbols(value) -> bool:
    """False."""
    return False


def free_symbols(value) -> set:
    """None of them."""
    return set()


free_unbacked_symbols = free_symbols
__getattr__ = _missing(__name__)

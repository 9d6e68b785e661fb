"""torch.fx.experimental.symbolic_shapes: sizes are numbers here, so every condition on them has an answer."""

from __future__ import annotations

from ...core.missing_name import missing as _missing


def guard_or_false(a) -> bool:
    """A condition on sizes."""
    return bool(a)


guard_or_true = guard_or_false


def guard_size_oblivious(expr) -> bool:
    """A condition on sizes."""
    return bool(expr)


def statically_known_true(x) -> bool:
    """A condition on sizes."""
    return bool(x)


def is_symbolic(val) -> bool:
    """False: numbers are numbers."""
    return False


def has_free_symbols(val) -> bool:
    """False."""
    return False


def free_symbols(val) -> set:
    """None of them."""
    return set()


free_unbacked_symbols = free_symbols
__getattr__ = _missing(__name__)

"""The few ops the engine itself needs; they stand above it and are handed down when ops/ is loaded."""

from __future__ import annotations


class Work:
    """Each is a callable on tensors."""

    add = add_ = sum_to = detach = clone_for = cast = ones_like = zeros = as_strided = describe = None

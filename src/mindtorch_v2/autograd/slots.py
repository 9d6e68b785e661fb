"""The few ops the engine itself needs; they stand above it and are handed down when ops/ is loaded."""

from __future__ import annotations


class Work:
    """Each is a callable on tensors, but for ``as_strided_node``, the derivative of a view by geometry."""

    add = add_ = sum_to = detach = clone = clone_for = cast = ones_like = zeros_like = zeros = empty = None
    as_strided = copy_ = zero_ = new_empty_strided = stack = view_as = as_strided_node = conj = kept = None
    call = None  # run an op on bound arguments

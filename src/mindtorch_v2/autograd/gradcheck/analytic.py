"""Derivatives by backward, worked out twice: they must come out the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.tensor import Tensor
from ..api import grad
from .errors import NOT_REENTRANT, GradcheckError
from .values import array_of, like, tensor_of


@dataclass
class Backward:
    """The gradients of one output: for each input a column for each start."""

    jacobians: list[Tensor]
    is_reentrant: bool
    has_types: bool
    has_sizes: bool

    def checked(self, nondet_tol: float, check_grad_dtypes: bool) -> list[Tensor]:
        """The gradients, if they are as gradients must be."""
        if check_grad_dtypes and not self.has_types:
            raise GradcheckError("Gradient has dtype mismatch")
        if not self.has_sizes:
            raise GradcheckError("Analytical gradient has incorrect size")
        if not self.is_reentrant:
            raise GradcheckError(NOT_REENTRANT.format(nondet_tol))
        return self.jacobians


def backward(wanted: list[Tensor], output: Tensor, starts: np.ndarray, nondet_tol: float) -> Backward:
    """Go back from an output once, and once more, with each row of ``starts`` as its gradient."""
    first, has_types, has_sizes = _columns(wanted, output, starts)
    again, _, _ = _columns(wanted, output, starts)
    is_reentrant = all(one.size == 0 or not np.abs(one - other).max() > nondet_tol for one, other in zip(first, again))
    jacobians = [tensor_of(values, t.dtype) for values, t in zip(first, wanted)]
    return Backward(jacobians, is_reentrant, has_types, has_sizes)


def units(output: Tensor) -> np.ndarray:
    """A start for each element of an output."""
    return np.eye(output.numel(), dtype=array_of(output).dtype)


def _columns(wanted: list[Tensor], output: Tensor, starts: np.ndarray) -> tuple[list[np.ndarray], bool, bool]:
    columns = [np.zeros((t.numel(), len(starts)), array_of(t).dtype) for t in wanted]
    has_types = has_sizes = True
    for j, start in enumerate(starts):
        gradients = grad([output], wanted, [like(output, start)], retain_graph=True, allow_unused=True)
        for i, (gradient, t) in enumerate(zip(gradients, wanted)):
            if gradient is None:
                continue
            has_sizes &= tuple(gradient.shape) == tuple(t.shape)
            has_types &= gradient.dtype is t.dtype
            columns[i][:, j] = array_of(gradient).reshape(-1)
    return columns, has_types, has_sizes

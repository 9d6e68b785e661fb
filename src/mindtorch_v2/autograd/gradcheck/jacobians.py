"""torch's two older functions: Jacobians by differences and by backward."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ...core.tensor import Tensor
from . import analytic, numeric
from .values import is_complex, outputs_of, wanted_of

DEPRECATED = ("`{}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it and it will "
              "be removed in a future version of PyTorch. If you have a specific use for this or feature request for "
              "this to be a stable API, please file us an issue at https://github.com/pytorch/pytorch/issues/new")


def get_numerical_jacobian(fn: Callable, inputs, target=None, eps: float = 1e-3, grad_out: float = 1.0) -> tuple:
    """The derivatives of the first result of ``fn(inputs)``, by differences."""
    _tell("get_numerical_jacobian", grad_out)

    def unpacked(*given):
        return fn(given)

    outputs = outputs_of(unpacked, tuple(inputs))
    _check_real("get_numerical_jacobian", outputs)
    targets = inputs if target is None else (target,) if isinstance(target, Tensor) else target
    return tuple(numeric.jacobians(unpacked, tuple(inputs), t, eps, outputs)[0] for t in wanted_of(targets))


def get_analytical_jacobian(inputs, output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0) -> tuple:
    """The derivatives of an output by backward, and whether they are repeatable and of the right sizes and types."""
    _tell("get_analytical_jacobian", grad_out)
    _check_real("get_analytical_jacobian", (output,))
    going_back = analytic.backward(wanted_of(inputs), output, analytic.units(output), nondet_tol)
    return tuple(going_back.jacobians), going_back.is_reentrant, going_back.has_sizes, going_back.has_types


def _tell(name: str, grad_out: float) -> None:
    warnings.warn(DEPRECATED.format(name), FutureWarning, stacklevel=3)
    if grad_out != 1.0:
        raise ValueError(f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0.")


def _check_real(name: str, outputs: tuple[Tensor, ...]) -> None:
    if any(is_complex(out) for out in outputs):
        raise ValueError(f"Expected output to be non-complex. {name} no longer supports functions that return complex "
                         "outputs.")

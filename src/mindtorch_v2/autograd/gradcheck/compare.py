"""Derivatives compared with differences: element by element, or, in fast mode, multiplied by random vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.tensor import Tensor
from . import analytic, numeric, sparse
from .errors import ELEMENT_BY_ELEMENT, SLOW_MODE_PASSES, GradcheckError, mismatch
from .values import Directions, array_of, is_close, is_complex, outputs_of, tensor_of, wanted_of

NOT_ZERO = "Numerical gradient for function expected to be zero"


@dataclass(frozen=True)
class Tolerances:
    """How far differences may be from derivatives."""

    eps: float
    rtol: float
    atol: float
    nondet_tol: float
    check_grad_dtypes: bool
    masked: bool = False  # whether elements that sparse inputs do not keep are left out


def compare(func: Callable, inputs: tuple, tolerances: Tolerances, is_fast: bool) -> None:
    """Compare all derivatives of a function; of complex results the imaginary parts first, then the real ones."""
    compare_real = fast if is_fast else slow
    outputs = outputs_of(func, inputs)
    if not any(is_complex(out) for out in outputs):
        compare_real(func, inputs, tolerances, {})
        return
    complex_outputs = [i for i, out in enumerate([out for out in outputs if out._mt_requires]) if is_complex(out)]
    for part, name in (("imag", "imaginary"), ("real", "real")):
        compare_real(_part_of(func, part), inputs, tolerances, dict.fromkeys(complex_outputs, name))


def _part_of(func: Callable, part: str) -> Callable:
    def real_function(*inputs):
        return tuple(getattr(out, part) if is_complex(out) else out for out in outputs_of(func, inputs))

    return real_function


def slow(func: Callable, inputs: tuple, tolerances: Tolerances, parts: dict[int, str]) -> None:
    """Element by element; ``parts`` says which part of which output of the user's function an output is."""
    outputs = outputs_of(func, inputs)
    varied = _varied(inputs, tolerances)
    by_input = [numeric.jacobians(func, varied, t, tolerances.eps, outputs) for t in wanted_of(varied)]
    differentiable = [o for o, out in enumerate(outputs) if out._mt_requires]
    if not differentiable and any(np.any(jacobian._mt_array) for row in by_input for jacobian in row):
        raise GradcheckError(NOT_ZERO)
    for place, o in enumerate(differentiable):
        going_back = analytic.backward(wanted_of(inputs), outputs[o], analytic.units(outputs[o]), tolerances.nondet_tol)
        jacobians = going_back.checked(tolerances.nondet_tol, tolerances.check_grad_dtypes)
        for i, jacobian in enumerate(jacobians):
            if not is_close(jacobian, by_input[i][o], tolerances.rtol, tolerances.atol):
                raise GradcheckError(mismatch(place, i, by_input[i][o], jacobian, parts.get(place)))


def fast(func: Callable, inputs: tuple, tolerances: Tolerances, parts: dict[int, str]) -> None:
    """Each Jacobian multiplied from both sides by a random vector."""
    outputs, wanted, directions = outputs_of(func, inputs), wanted_of(inputs), Directions()
    along = [_direction(directions, t) for t in wanted]
    differentiable = [o for o, out in enumerate(outputs) if out._mt_requires]
    weights = {o: directions.draw(outputs[o].numel(), array_of(outputs[o]).dtype) for o in differentiable}
    varied = _varied(inputs, tolerances)
    by_input = [numeric.directional(func, varied, t, [u.reshape(tuple(t.shape)) for u in direction], tolerances.eps)
                for t, direction in zip(wanted_of(varied), along)]
    furthest = max([np.abs(change).max(initial=0) for row in by_input for change in row], default=0)
    if not differentiable and furthest > tolerances.nondet_tol:
        raise GradcheckError(NOT_ZERO)
    gradients = {o: _weighted(wanted, outputs[o], weights[o], tolerances) for o in differentiable}
    for i, direction in enumerate(along):
        for place, o in enumerate(differentiable):
            numeric_product = _number(np.sum(weights[o] * by_input[i][o]), wanted[i], outputs[o])
            analytic_product = _number(_product(gradients[o][i], direction), wanted[i], wanted[i])
            atol = tolerances.atol * float(sum(u.sum() for u in direction)) * float(weights[o].sum())
            if not is_close(analytic_product, numeric_product, tolerances.rtol, atol):
                raise GradcheckError(mismatch(place, i, numeric_product, analytic_product, parts.get(place))
                                     + _element_by_element(func, inputs, i, o, tolerances))


def _varied(inputs: tuple, tolerances: Tolerances) -> tuple:
    """The inputs that differences are taken of: of sparse ones all elements, unless some are left out."""
    return inputs if tolerances.masked else tuple(sparse.whole(value) for value in inputs)


def _direction(directions: Directions, t: Tensor) -> tuple[np.ndarray, ...]:
    """Where to go from an input: a vector, or one for each part of complex numbers."""
    return tuple(_vector(directions, t) for _ in range(2 if is_complex(t) else 1))


def _vector(directions: Directions, t: Tensor) -> np.ndarray:
    if not sparse.is_sparse(t):
        return directions.draw(t.numel(), array_of(t).real.dtype)
    vector = np.zeros(t.numel(), array_of(t).real.dtype)
    places = sparse.places_of(t)
    vector[places] = directions.draw(places.size, vector.dtype).reshape(places.shape)
    return vector


def _weighted(wanted: list[Tensor], output: Tensor, weights: np.ndarray, tolerances: Tolerances) -> list[np.ndarray]:
    going_back = analytic.backward(wanted, output, weights.reshape(1, -1), tolerances.nondet_tol)
    jacobians = going_back.checked(tolerances.nondet_tol, tolerances.check_grad_dtypes)
    return [jacobian._mt_array[:, 0] for jacobian in jacobians]


def _product(gradient: np.ndarray, direction: tuple[np.ndarray, ...]):
    if len(direction) == 1:
        return gradient @ direction[0]
    return gradient.real @ direction[0] + 1j * (gradient.imag @ direction[1])


def _number(value, given: Tensor, output: Tensor) -> Tensor:
    return tensor_of(np.asarray(value), given.dtype if is_complex(given) else output.dtype)


def _element_by_element(func: Callable, inputs: tuple, i: int, o: int, tolerances: Tolerances) -> str:
    """What slow mode would show."""
    outputs, wanted = outputs_of(func, inputs), wanted_of(inputs)
    varied = _varied(inputs, tolerances)
    numbers = numeric.jacobians(func, varied, wanted_of(varied)[i], tolerances.eps, outputs)[o]
    jacobian = analytic.backward(wanted, outputs[o], analytic.units(outputs[o]), float("inf")).jacobians[i]
    furthest = np.abs(numbers._mt_array - jacobian._mt_array).max(initial=0)
    text = ELEMENT_BY_ELEMENT.format(numbers, jacobian, furthest)
    return text + SLOW_MODE_PASSES if is_close(jacobian, numbers, tolerances.rtol, tolerances.atol) else text

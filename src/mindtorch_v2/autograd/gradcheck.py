"""gradcheck and gradgradcheck: derivatives against differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import modes
from ..core.tensor import Tensor
from .api import grad
from .work import Work


class GradcheckError(RuntimeError):
    """A derivative that does not agree with the function."""


def gradcheck(func: Callable, inputs, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
              raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
              check_grad_dtypes: bool = False, check_batched_grad: bool = False,
              check_batched_forward_grad: bool = False, check_forward_ad: bool = False, check_backward_ad: bool = True,
              fast_mode: bool = False, masked: bool | None = None) -> bool:
    """Whether backward of ``func`` equals the numeric derivative in every input that requires grad."""
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    try:
        _check(func, inputs, eps, atol, rtol, nondet_tol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func: Callable, inputs, grad_outputs=None, *, eps: float = 1e-6, atol: float = 1e-5,
                  rtol: float = 1e-3, raise_exception: bool = True, **_) -> bool:
    """gradcheck of a function's gradient."""
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        rng = np.random.default_rng(0)
        grad_outputs = tuple(_like(out, rng.standard_normal(out.array.shape)) for out in _outputs(func, inputs))
    grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    for g in grad_outputs:
        g.requires = True
    wanted = [t for t in inputs if isinstance(t, Tensor) and t.requires]

    def first(*everything):
        given, grads = everything[:len(inputs)], everything[len(inputs):]
        aimed = [t for t in given if isinstance(t, Tensor) and t.requires]
        found = grad(_outputs(func, given), aimed, grads, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    assert wanted, "gradgradcheck expects at least one input that requires grad"
    return gradcheck(first, (*inputs, *grad_outputs), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


def _outputs(func: Callable, inputs) -> tuple[Tensor, ...]:
    found = func(*inputs)
    found = (found,) if isinstance(found, Tensor) else tuple(found)
    return tuple(t for t in found if isinstance(t, Tensor) and t.requires)


def _like(t: Tensor, values) -> Tensor:
    made = Work.zeros_like(t).detach()
    made.array[...] = values
    return made


def _check(func: Callable, inputs: tuple, eps: float, atol: float, rtol: float, nondet_tol: float) -> None:
    wanted = [t for t in inputs if isinstance(t, Tensor) and t.requires]
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of the them have "
                         "requires_grad=True.")
    for i, t in enumerate(inputs):
        if isinstance(t, Tensor) and t.requires and _repeats(t.array):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that "
                               "are non-overlapping to be able to compute the numerical gradients correctly. You "
                               "should call .contiguous on the input before passing it to gradcheck.")
    for o in range(len(_outputs(func, inputs))):
        for i, t in enumerate(wanted):
            numeric = _numeric(func, inputs, t, o, eps)
            analytic = _analytic(func, inputs, t, o)
            again = _analytic(func, inputs, t, o)
            if not np.allclose(analytic, again, rtol=0, atol=nondet_tol):
                raise GradcheckError("Backward is not reentrant, i.e., running backward with same input and "
                                     "grad_output multiple times gives different values, although analytical gradient "
                                     "matches numerical gradient.")
            if not np.allclose(analytic, numeric, rtol=rtol, atol=atol):
                raise GradcheckError(f"Jacobian mismatch for output {o} with respect to input {i},\n"
                                     f"numerical:{numeric}\nanalytical:{analytic}\n")


def _repeats(array: np.ndarray) -> bool:
    return any(step == 0 and size > 1 for step, size in zip(array.strides, array.shape))


def _numeric(func: Callable, inputs: tuple, t: Tensor, o: int, eps: float) -> np.ndarray:
    """Central differences, one column of the Jacobian per element of the input."""
    flat = t.array.flat
    columns = []
    before = modes.set_grad(True)
    try:
        for k in range(t.array.size):
            kept = flat[k]
            flat[k] = kept + eps
            high = _outputs(func, inputs)[o].array.astype(np.float64)
            flat[k] = kept - eps
            low = _outputs(func, inputs)[o].array.astype(np.float64)
            flat[k] = kept
            columns.append((high - low).reshape(-1) / (2 * eps))
    finally:
        modes.set_grad(before)
    return np.array(columns)


def _analytic(func: Callable, inputs: tuple, t: Tensor, o: int) -> np.ndarray:
    """The same by backward, one row of the transposed Jacobian per element of the output."""
    out = _outputs(func, inputs)[o]
    rows = np.zeros((t.array.size, out.array.size))
    for k in range(out.array.size):
        start = np.zeros(out.array.shape)
        start.reshape(-1)[k] = 1
        (found,) = grad([out], [t], [_like(out, start)], retain_graph=True, allow_unused=True)
        if found is not None:
            rows[:, k] = found.array.reshape(-1)
    return rows

"""gradcheck and gradgradcheck: derivatives against differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from ..core import dtype as dtypes
from ..core import modes
from ..core.slots import Work
from ..core.tensor import Tensor
from .api import grad


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
        grad_outputs = tuple(_like(out, rng.standard_normal(out._mt_array.shape)) for out in _watched(func, inputs))
        for g in grad_outputs:
            g._mt_requires = True
    grad_outputs = (grad_outputs,) if isinstance(grad_outputs, Tensor) else tuple(grad_outputs)
    wanted = [t for t in inputs if isinstance(t, Tensor) and t._mt_requires]

    def first(*everything):
        given, grads = everything[:len(inputs)], everything[len(inputs):]
        aimed = [t for t in given if isinstance(t, Tensor) and t._mt_requires]
        gradients = grad(_watched(func, given), aimed, grads, create_graph=True, allow_unused=True)
        return tuple(g for g in gradients if g is not None)

    assert wanted, "gradgradcheck expects at least one input that requires grad"
    return gradcheck(first, (*inputs, *grad_outputs), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


def _outputs(func: Callable, inputs) -> tuple[Tensor, ...]:
    outputs = func(*inputs)
    outputs = (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)
    return tuple(t for t in outputs if isinstance(t, Tensor))


def _watched(func: Callable, inputs) -> tuple[Tensor, ...]:
    return tuple(t for t in _outputs(func, inputs) if t._mt_requires)


def _like(t: Tensor, values) -> Tensor:
    tensor = Work.zeros_like(t).detach()
    if type(tensor) is Tensor:
        tensor._mt_array[...] = values
        return tensor
    plain = Work.zeros(tuple(t.shape), t.dtype)
    plain._mt_array[...] = values
    Work.copy_(tensor, plain)
    return tensor


def _check(func: Callable, inputs: tuple, eps: float, atol: float, rtol: float, nondet_tol: float) -> None:
    wanted = _wanted(inputs)
    outputs = _outputs(func, inputs)
    if not any(out._mt_requires for out in outputs):
        if any(_numeric(func, inputs, t, o, eps).any() for o in range(len(outputs)) for t in wanted):
            raise GradcheckError("Numerical gradient for function expected to be zero")
    for o in [o for o, out in enumerate(outputs) if out._mt_requires]:
        for i, t in enumerate(wanted):
            numeric = _numeric(func, inputs, t, o, eps)
            analytic = _analytic(func, inputs, t, o)
            if not np.allclose(analytic, numeric, rtol=rtol, atol=atol):
                dtype = outputs[o].dtype.to_real()
                raise GradcheckError(f"Jacobian mismatch for output {o} with respect to input {i},\n"
                                     f"numerical:{_shown(numeric, dtype)}\nanalytical:{_shown(analytic, dtype)}\n")
            if not np.allclose(analytic, _analytic(func, inputs, t, o), rtol=0, atol=nondet_tol):
                raise GradcheckError("Backward is not reentrant, i.e., running backward with same input and "
                                     "grad_output multiple times gives different values, although analytical gradient "
                                     "matches numerical gradient.")


def _wanted(inputs: tuple) -> list[Tensor]:
    """The inputs to differentiate by, if they are fit for it."""
    wanted = []
    for i, t in enumerate(inputs):
        if not isinstance(t, Tensor) or not t._mt_requires:
            continue
        wanted.append(t)
        if t.dtype not in (dtypes.float64, dtypes.complex128):
            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This "
                          "check will likely fail if all the inputs are not of double precision floating point or "
                          "complex. ", stacklevel=4)
        if _repeats(t._mt_array):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that "
                               "are non-overlapping to be able to compute the numerical gradients correctly. You "
                               "should call .contiguous on the input before passing it to gradcheck.")
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")
    return wanted


def _repeats(array: np.ndarray) -> bool:
    return any(step == 0 and size > 1 for step, size in zip(array.strides, array.shape))


def _shown(jacobian: np.ndarray, dtype) -> str:
    shown = Work.zeros(jacobian.shape, dtype=dtype)
    shown._mt_array[...] = jacobian
    return str(shown)


# A complex number is two real ones, for derivatives as for differences: that is what torch's gradients mean.


def _array(t: Tensor) -> np.ndarray:
    """A tensor's values; where its class answers for its memory, they are asked for by an op."""
    if type(t) is Tensor:
        return t._mt_array
    plain = Work.zeros(tuple(t.shape), t.dtype)
    Work.copy_(plain, t.detach())
    return plain._mt_array


def _put(t: Tensor, at: int, value) -> None:
    """Change one value of a tensor, the same way."""
    if type(t) is Tensor:
        t._mt_array.flat[at] = value
    else:
        t.detach()[np.unravel_index(at, tuple(t.shape))] = complex(value) if np.iscomplexobj(value) else float(value)


def _parts(array: np.ndarray) -> np.ndarray:
    """All real numbers of an array, in double precision."""
    flat = array.reshape(-1)
    return np.stack([flat.real, flat.imag], -1).reshape(-1) if np.iscomplexobj(flat) else flat.astype(np.float64)


def _units(array: np.ndarray) -> list[tuple[int, complex]]:
    """The element and the direction of each real number of an array."""
    directions = (1, 1j) if np.iscomplexobj(array) else (1,)
    return [(k, direction) for k in range(array.size) for direction in directions]


def _numeric(func: Callable, inputs: tuple, t: Tensor, o: int, eps: float) -> np.ndarray:
    """Central differences, one row of the transposed Jacobian per number of the input."""
    rows = []
    before = modes.set_grad(True)
    try:
        for k, direction in _units(_array(t)):
            kept = _array(t).flat[k]
            _put(t, k, kept + eps * direction)
            high = _parts(_array(_outputs(func, inputs)[o]))
            _put(t, k, kept - eps * direction)
            low = _parts(_array(_outputs(func, inputs)[o]))
            _put(t, k, kept)
            with np.errstate(all="ignore"):
                rows.append((high - low) / (2 * eps))
    finally:
        modes.set_grad(before)
    return np.array(rows)


def _analytic(func: Callable, inputs: tuple, t: Tensor, o: int) -> np.ndarray:
    """The same by backward, one column per number of the output."""
    out = _outputs(func, inputs)[o]
    columns = []
    for k, direction in _units(out._mt_array):
        start = np.zeros(out._mt_array.shape, out._mt_array.dtype)
        start.reshape(-1)[k] = direction
        (gradient,) = grad([out], [t], [_like(out, start)], retain_graph=True, allow_unused=True)
        columns.append(np.zeros(len(_units(t._mt_array))) if gradient is None else _parts(_array(gradient)))
    return np.array(columns).T

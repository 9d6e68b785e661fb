"""gradcheck and gradgradcheck."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from ...core import dtype as dtypes
from ...core.tensor import Tensor
from ..api import grad
from .backward_rules import check_goes_in_batches, check_scales_with_start, check_takes_missing_starts
from .compare import Tolerances, compare
from .errors import GradcheckError
from .forward import check_takes_missing_tangents, check_tangents_go_in_batches, compare_forward
from .sparse import is_sparse, kept
from .values import as_tuple, like, outputs_of


def gradcheck(func: Callable, inputs, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
              raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
              check_grad_dtypes: bool = False, check_batched_grad: bool = False,
              check_batched_forward_grad: bool = False, check_forward_ad: bool = False, check_backward_ad: bool = True,
              fast_mode: bool = False, masked: bool | None = None) -> bool:
    """Whether backward of ``func`` equals the numeric derivative in every input that requires grad."""
    _check_options(check_forward_ad, check_backward_ad, check_batched_grad, check_batched_forward_grad)
    inputs = as_tuple(inputs)
    _check_inputs(inputs)
    tolerances = Tolerances(eps, rtol, atol, nondet_tol, check_grad_dtypes, bool(masked))
    try:
        if check_backward_ad:
            _check_backward(func, inputs, tolerances, fast_mode, check_batched_grad, check_undefined_grad)
        if check_forward_ad:
            _check_forward(func, inputs, tolerances, fast_mode, check_batched_forward_grad, check_undefined_grad)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_backward(func: Callable, inputs: tuple, tolerances: Tolerances, fast_mode: bool, in_batches: bool,
                    missing_starts: bool) -> None:
    outputs = [out for out in outputs_of(func, inputs) if out._mt_requires]
    if any(is_sparse(out) for out in outputs):
        raise ValueError("Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on "
                         "the output of fn for gradcheck.")
    compare(func, inputs, tolerances, fast_mode)
    if in_batches:
        for number, out in enumerate(outputs):
            check_goes_in_batches(inputs, out, number)
    check_scales_with_start(outputs, inputs, tolerances.masked)
    if missing_starts:
        check_takes_missing_starts(func, inputs)


def _check_forward(func: Callable, inputs: tuple, tolerances: Tolerances, fast_mode: bool, in_batches: bool,
                   missing_tangents: bool) -> None:
    compare_forward(func, inputs, tolerances, fast_mode)
    if in_batches:
        check_tangents_go_in_batches(func, inputs)
    if missing_tangents:
        check_takes_missing_tangents(func, inputs)


def _check_options(forward: bool, backward: bool, batched: bool, batched_forward: bool) -> None:
    if not (forward or backward):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if batched and not backward:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if batched_forward and not forward:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")


def _check_inputs(inputs: tuple) -> None:
    """Refuse inputs that differences can't be taken of, and warn of those that are not precise enough."""
    wants_any = False
    for i, t in enumerate(inputs):
        if not isinstance(t, Tensor) or not t._mt_requires:
            continue
        wants_any = True
        if t.dtype not in (dtypes.float64, dtypes.complex128):
            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This "
                          "check will likely fail if all the inputs are not of double precision floating point or "
                          "complex. ", stacklevel=3)
        values = kept(t)
        if any(step == 0 and size > 1 for step, size in zip(values.stride(), values.shape)):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that "
                               "are non-overlapping to be able to compute the numerical gradients correctly. You "
                               "should call .contiguous on the input before passing it to gradcheck.")
    if not wants_any:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")


def gradgradcheck(func: Callable, inputs, grad_outputs=None, *, eps: float = 1e-6, atol: float = 1e-5,
                  rtol: float = 1e-3, gen_non_contig_grad_outputs: bool = False, raise_exception: bool = True,
                  nondet_tol: float = 0.0, check_undefined_grad: bool = True, check_grad_dtypes: bool = False,
                  check_batched_grad: bool = False, check_fwd_over_rev: bool = False, check_rev_over_rev: bool = True,
                  fast_mode: bool = False, masked: bool = False) -> bool:
    """gradcheck of a function's gradient."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    for name, asked in (("check_undefined_grad", check_undefined_grad), ("check_batched_grad", check_batched_grad)):
        if asked and not check_rev_over_rev:
            raise AssertionError(f"Setting {name}=True requires check_rev_over_rev to be True")
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        outputs = [out for out in outputs_of(func, inputs) if out._mt_requires]
        grad_outputs = _random_starts(outputs, gen_non_contig_grad_outputs)
    grad_outputs = as_tuple(grad_outputs)
    wanted = [i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t._mt_requires]
    differentiable = {*wanted, *(i for i, t in enumerate(grad_outputs, len(inputs)) if t._mt_requires)}

    def first_derivative(*everything):
        everything = [t.requires_grad_() if i in differentiable else t for i, t in enumerate(everything)]  # duals too
        given, starts = everything[:len(inputs)], everything[len(inputs):]
        outputs = [out for out in outputs_of(func, given) if out._mt_requires]
        gradients = grad(outputs, [given[i] for i in wanted], starts, create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in gradients if gradient is not None)

    return gradcheck(first_derivative, (*inputs, *grad_outputs), eps=eps, atol=atol, rtol=rtol,
                     raise_exception=raise_exception, nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad,
                     check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad, fast_mode=fast_mode,
                     check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, masked=masked)


def _random_starts(outputs: list[Tensor], with_gaps: bool) -> tuple[Tensor, ...]:
    """Numbers between -1 and 1 as gradients of outputs, on every second element of their memory if asked for."""
    random, starts = np.random.default_rng(0), []
    for out in outputs:
        start = like(out, random.uniform(-1, 1, tuple(out.shape)))
        if with_gaps and start.numel() > 1:
            start = start.repeat_interleave(2, -1)[..., ::2]
        starts.append(start.requires_grad_())
    return tuple(starts)

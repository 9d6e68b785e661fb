"""What backward must do whatever its derivative is: scale with its start, take missing starts, and go in batches."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from ...core.slots import Work
from ...core.tensor import Tensor
from ..api import grad
from ..special_nodes import UndefinedGrad
from .errors import BATCHED, NOT_ZERO, UNDEFINED, UNDEFINED_IS_NEW, GradcheckError
from .sparse import is_sparse
from .values import Directions, array_of, like, outputs_of, wanted_of

BATCH = 2


def check_scales_with_start(outputs: list[Tensor], inputs: tuple, masked: bool) -> None:
    """Zeros in, zeros out, of the shape, type and layout of the inputs; almost zeros, where elements are left out."""
    wanted = wanted_of(inputs)
    gradients = grad(outputs, wanted, [Work.zeros_like(out) for out in outputs], allow_unused=True) if outputs else ()
    for gradient, t in zip(gradients, wanted):
        if gradient is None:
            continue
        if is_sparse(gradient):
            _check_layout(gradient, t)
        values = array_of(gradient)
        if not np.allclose(values, 0) if masked else np.any(values):
            raise GradcheckError("backward not multiplied by grad_output")
        if gradient.dtype is not t.dtype:
            raise GradcheckError("grad is incorrect type")
        if gradient.device != t.device:
            raise GradcheckError("grad is incorrect device")
        if gradient.shape != t.shape:
            raise GradcheckError("grad is incorrect size")


def _check_layout(gradient: Tensor, t: Tensor) -> None:
    if gradient.layout is not t.layout:
        raise GradcheckError(f"grad is incorrect layout ({gradient.layout} is not {t.layout})")
    kind = str(gradient.layout).removeprefix("torch.").replace("_coo", "")
    for name in ("sparse_dim", "dense_dim"):
        have, wanted = getattr(gradient, name)(), getattr(t, name)()
        if have != wanted:
            raise GradcheckError(f"grad is {kind} tensor, but has incorrect {name} {have}, expected {wanted}")


def check_takes_missing_starts(func: Callable, inputs: tuple) -> None:
    """A gradient that is missing counts as zeros: for all outputs, and for each where there are several."""
    count = len(_differentiable(func, inputs))
    for missing in [range(count), *([o] for o in range(count if count > 1 else 0))]:
        outputs = [UndefinedGrad()(out) if o in missing else out
                   for o, out in enumerate(_differentiable(func, inputs))]
        if outputs:
            _check_zeros(outputs, wanted_of(inputs))


def _differentiable(func: Callable, inputs: tuple) -> list[Tensor]:
    return [out for out in outputs_of(func, inputs) if out._mt_requires]


def _check_zeros(outputs: list[Tensor], wanted: list[Tensor]) -> None:
    try:
        gradients = grad(outputs, wanted, [Work.zeros_like(out) for out in outputs], allow_unused=True)
    except RuntimeError as error:
        warnings.warn(UNDEFINED_IS_NEW, stacklevel=4)
        raise GradcheckError(UNDEFINED) from error
    if any(gradient is not None and np.any(array_of(gradient)) for gradient in gradients):
        warnings.warn(UNDEFINED_IS_NEW, stacklevel=4)
        raise GradcheckError(NOT_ZERO)


def check_goes_in_batches(inputs: tuple, output: Tensor, number: int) -> None:
    """Several gradients of one output at once give what each gives alone."""
    wanted, directions = wanted_of(inputs), Directions()
    starts = [like(output, directions.draw(output.numel(), array_of(output).dtype)) for _ in range(BATCH)]
    alone = [grad([output], wanted, [start], retain_graph=True, allow_unused=True) for start in starts]
    try:
        together = grad([output], wanted, [Work.stack(starts)], retain_graph=True, allow_unused=True,
                        is_grads_batched=True)
    except RuntimeError as error:
        raise GradcheckError(f"While computing batched gradients, got: {error}\n\n{BATCHED}") from error
    for i, (batch, *each) in enumerate(zip(together, *alone)):
        if batch is None:
            continue
        expected = Work.stack(list(each))
        if not np.allclose(array_of(batch), array_of(expected)):
            raise GradcheckError(f"For output {number} and input {i}:\n\n{BATCHED}\n\nGot:\n{batch}\n\n"
                                 f"Expected:\n{expected}")

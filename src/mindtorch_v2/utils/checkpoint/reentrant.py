"""A checkpoint as a Function: forward without history, backward runs it again and goes back through it at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from ...autograd import backward, passes
from ...autograd.function import Function
from ...autograd.grad_mode import enable_grad, no_grad
from ...core.tensor import Tensor
from .surroundings import Surroundings

INCOMPATIBLE = ("When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument.")


def detach_variable(inputs: tuple) -> tuple:
    """Tensors among the inputs without their history; each asks for a gradient if it did before."""
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    return tuple(value.detach().requires_grad_(value.requires_grad) if isinstance(value, Tensor) else value
                 for value in inputs)


def check_backward_validity(inputs: Iterable) -> None:
    """Warn where no input asks for a gradient: nothing inside will get one either."""
    if not any(isinstance(value, Tensor) and value.requires_grad for value in inputs):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(Function):
    """``apply(function, preserve_rng_state, *args)``."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state: bool, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.surroundings = Surroundings(preserve_rng_state)
        ctx.tensor_places = [i for i, value in enumerate(args) if isinstance(value, Tensor)]
        ctx.inputs = [None if isinstance(value, Tensor) else value for value in args]
        ctx.save_for_backward(*[args[i] for i in ctx.tensor_places])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if passes.is_selective():
            raise RuntimeError(INCOMPATIBLE)
        inputs = list(ctx.inputs)
        for i, tensor in zip(ctx.tensor_places, ctx.saved_tensors):
            inputs[i] = tensor
        with ctx.surroundings.restored(), enable_grad():
            given = detach_variable(tuple(inputs))
            results = ctx.run_function(*given)
        results = (results,) if isinstance(results, Tensor) else results
        pairs = [(result, grad) for result, grad in zip(results, grads)
                 if isinstance(result, Tensor) and result.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([result for result, _ in pairs], [grad for _, grad in pairs])
        return (None, None, *[value.grad if isinstance(value, Tensor) else None for value in given])

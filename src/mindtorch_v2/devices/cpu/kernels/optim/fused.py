"""Whole steps of optimisers, for lists of parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ... import update

Arrays = Sequence[np.ndarray]


def _update(loop: Callable, arrays: Sequence[np.ndarray | None], *numbers) -> None:
    """Run a loop on arrays without gaps; those with gaps are copied out and back. None passes through."""
    dense = [a if a is None or a.flags.c_contiguous else a.copy(order="C") for a in arrays]
    loop(*dense, *numbers)
    for array, updated in zip(arrays, dense):
        if array is not updated:
            array[...] = updated


def unscale(grads: Arrays, scale: np.ndarray) -> None:
    """Gradients divided by their scale where they lie."""
    for grad in grads:
        grad /= grad.dtype.type(scale.item())


def adam_steps(params: Arrays, grads: Arrays, exp_avgs: Arrays, exp_avg_sqs: Arrays, max_exp_avg_sqs: Arrays,
               steps: Sequence[float], *numbers) -> None:
    """Adam's step for every parameter; the largest squares are a list for amsgrad, else empty."""
    for i, step in enumerate(steps):
        largest = max_exp_avg_sqs[i] if max_exp_avg_sqs else None
        _update(update.fused_adam, (params[i], grads[i], exp_avgs[i], exp_avg_sqs[i], largest), *numbers, step)


def sgd_steps(params: Arrays, grads: Arrays, buffers: Arrays, *numbers) -> None:
    """SGD's step for every parameter; without momentum there are no buffers."""
    for i, param in enumerate(params):
        _update(update.fused_sgd, (param, grads[i], buffers[i] if buffers else None), *numbers)


def adagrad_steps(params: Arrays, grads: Arrays, state_sums: Arrays, steps: Sequence[float], *numbers) -> None:
    """Adagrad's step for every parameter."""
    for i, step in enumerate(steps):
        _update(update.fused_adagrad, (params[i], grads[i], state_sums[i]), *numbers, step)

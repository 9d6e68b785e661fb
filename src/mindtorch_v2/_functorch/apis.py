"""torch._functorch.apis: vmap under its other address, and vmap in a given number of parts."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..func.batch_arguments import _process_batched_inputs
from ..func.grads import grad, grad_and_value
from ..func.vmap import vmap

__all__ = ["chunk_vmap", "grad", "grad_and_value", "vmap"]


def chunk_vmap(func: Callable, in_dims=0, out_dims=0, randomness: str = "error", chunks: int = 2) -> Callable:
    """vmap that divides its batch into so many parts and computes one after the other."""
    @functools.wraps(func)
    def of_batches(*args, **kwargs):
        size, *_ = _process_batched_inputs(in_dims, args, func)
        chunk_size = None if chunks == 1 else -(-size // chunks)
        return vmap(func, in_dims, out_dims, randomness, chunk_size=chunk_size)(*args, **kwargs)

    return of_batches


_answer_for_missing(__name__)

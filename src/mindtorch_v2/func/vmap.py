"""torch.vmap: a function of single members becomes one of batches."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable

from ..core.tensor import Tensor
from ..dispatch import batch_levels
from ..dispatch.aten import aten
from ..ops.random.generator import get_rng_state, set_rng_state
from ..utils._pytree import TreeSpec, _broadcast_to_and_flatten, tree_flatten, tree_unflatten
from . import batch_function
from .batch_arguments import _check_out_dims, _create_batched_inputs, _process_batched_inputs, _unwrap_batched

RANDOMNESS = (batch_levels.ERROR, batch_levels.DIFFERENT, batch_levels.SAME)


def vmap(func: Callable, in_dims=0, out_dims=0, randomness: str = "error", *,
         chunk_size: int | None = None) -> Callable:
    """A function that applies ``func`` to every member of a batch at once.

    ``in_dims`` says which dimension of each input is the batch (None: the input is the same for all members),
    ``out_dims`` where it goes in each output; both may be trees that mirror the inputs and outputs. ``randomness`` says
    what random functions draw: "different" numbers for every member, the "same", or that they are an "error". With
    ``chunk_size``, so many members are computed at a time. Arguments given by name are the same for all members.
    """
    if randomness not in RANDOMNESS:
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def of_batches(*args, **kwargs):
        _check_out_dims(out_dims, func)
        size, dims, inputs, spec = _process_batched_inputs(in_dims, args, func)
        if chunk_size is None:
            return _mapped(func, size, dims, inputs, spec, out_dims, randomness, kwargs)
        return _mapped_in_chunks(func, size, dims, inputs, spec, out_dims, randomness, chunk_size, kwargs)

    return of_batches


def vmap_of_autograd(func: Callable) -> Callable:
    """vmap as autograd itself uses it, where the program's Functions are called as if there were none."""
    def of_batches(*args):
        with batch_function.letting_functions_through():
            return vmap(func)(*args)

    return of_batches


@contextlib.contextmanager
def vmap_increment_nesting(batch_size: int, randomness: str):
    """Inside of one more vmap; gives the number of its level."""
    level = batch_levels.push(batch_size, randomness)
    try:
        yield level
    finally:
        batch_levels.pop()


def _mapped(func: Callable, size: int, dims: list, inputs: list, spec: TreeSpec, out_dims, randomness: str,
            kwargs: dict):
    """All members at once."""
    with vmap_increment_nesting(size, randomness) as level:
        outputs = func(*_create_batched_inputs(dims, inputs, level, spec), **kwargs)
        return _unwrap_batched(outputs, out_dims, level, size, func)


def _mapped_in_chunks(func: Callable, size: int, dims: list, inputs: list, spec: TreeSpec, out_dims, randomness: str,
                      chunk_size: int, kwargs: dict):
    """So many members at a time; what they gave is joined where their batches stand."""
    state = get_rng_state() if randomness == batch_levels.SAME else None
    chunks, structure = [], None
    for start in range(0, size, chunk_size):
        if state is not None:
            set_rng_state(state)
        length = min(chunk_size, size - start)
        part = [value if dim is None else aten.slice(value, dim, start, start + length)
                for dim, value in zip(dims, inputs)]
        outputs, structure = tree_flatten(_mapped(func, length, dims, part, spec, out_dims, randomness, kwargs))
        chunks.append(outputs)
    places = _broadcast_to_and_flatten(out_dims, structure)
    return tree_unflatten([_joined(list(column), dim) for column, dim in zip(zip(*chunks), places)], structure)


def _joined(parts: list, dim: int | None):
    """An output from those of all chunks."""
    return aten.cat(parts, dim) if isinstance(parts[0], Tensor) and dim is not None else parts[0]

"""How an op of the user's own is computed for a whole batch: the function that register_vmap() was given."""

from __future__ import annotations

from collections.abc import Callable

from ..core.overrides import NO
from ..core.tensor import Tensor
from ..dispatch import batch_levels, batched
from ..dispatch.batch_call import outside


def mapped(rule: Callable, args: tuple):
    """What a rule makes of the wholes of batched arguments, as members; NO where no argument is batched."""
    level = batch_levels.innermost()
    if level is None:
        return NO
    wholes, dims = _taken_apart(args, level.number)
    if not any(_is_mapped(dim) for dim in dims):
        return NO
    info = batch_levels.VmapInfo(level.size, level.randomness)
    outputs, out_dims = outside(level.number, rule, info, dims, *wholes)
    return _put_together(outputs, out_dims, level.number)


def _is_mapped(dim) -> bool:
    return any(map(_is_mapped, dim)) if isinstance(dim, tuple) else dim is not None


def _taken_apart(args: tuple, level: int) -> tuple[tuple, tuple]:
    """Arguments, and lists of them, as wholes; and the batch dimension of each."""
    pairs = [batched.unwrap(arg, level) if isinstance(arg, Tensor) else
             _taken_apart(arg, level) if isinstance(arg, (list, tuple)) else (arg, None) for arg in args]
    return tuple(value for value, _ in pairs), tuple(dim for _, dim in pairs)


def _put_together(outputs, dims, level: int):
    """Wholes as members; one dimension may stand for all of them."""
    if isinstance(outputs, (list, tuple)):
        dims = dims if isinstance(dims, (list, tuple)) else (dims,) * len(outputs)
        return type(outputs)(_put_together(output, dim, level) for output, dim in zip(outputs, dims))
    if not isinstance(outputs, Tensor) or dims is None:
        return outputs
    return batched.wrap(outputs, dims % outputs.dim(), level)

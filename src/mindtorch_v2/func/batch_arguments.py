"""What vmap is given: which dimension of each input is the batch, and where it goes in each output."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..core.tensor import Tensor
from ..dispatch import batched
from ..dispatch.batch_mapping import add_batch_dim, remove_batch_dim
from ..utils._pytree import TreeSpec, _broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_unflatten


def _get_name(func: Callable) -> str:
    """What complaints call a function."""
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({_get_name(func.func)}, ...)"
    return repr(func)


def _process_batched_inputs(in_dims, args: tuple, func: Callable) -> tuple[int, list, list, TreeSpec]:
    """The size of the batch, the batch dimension of each input, the inputs, and the structure they stand in."""
    head = f"vmap({_get_name(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(f"{head}expected `in_dims` to be int or a (potentially nested) tuple matching the structure "
                         f"of inputs, got: {type(in_dims)}.")
    if not args:
        raise ValueError(f"vmap({_get_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you "
                         "are trying to vmap over a function with no inputs. The latter is unsupported.")
    inputs, spec = tree_flatten(args)
    dims = _broadcast_to_and_flatten(in_dims, spec)
    if dims is None:
        raise ValueError(f"{head}in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                         f"{tree_flatten(in_dims)[1]} but inputs has structure {spec}.")
    dims = [_counted(value, dim, head) for value, dim in zip(inputs, dims)]
    return _validate_and_get_batch_size(dims, inputs), dims, inputs, spec


def _counted(value, dim, head: str) -> int | None:
    """The batch dimension of one input, counted from the front."""
    if dim is None:
        return None
    if not isinstance(dim, int):
        raise ValueError(f"{head}Got in_dim={dim} for an input but in_dim must be either an integer dimension or None.")
    if not isinstance(value, Tensor):
        raise ValueError(f"{head}Got in_dim={dim} for an input but the input is of type {type(value)}. We cannot vmap "
                         "over non-Tensor arguments, please use None as the respective in_dim")
    rank = value.dim()
    if not -rank <= dim < rank:
        raise ValueError(f"{head}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {rank} "
                         f"so expected in_dim to satisfy -{rank} <= in_dim < {rank}.")
    return dim % rank


def _validate_and_get_batch_size(dims: list, inputs: list) -> int:
    """The size that all batches have."""
    sizes = [value.size(dim) for dim, value in zip(dims, inputs) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                         f"{sizes} for the mapped dimension")
    return sizes[0]


def _create_batched_inputs(dims: list, inputs: list, level: int, spec: TreeSpec):
    """The inputs, those with a batch dimension as members."""
    members = [value if dim is None else add_batch_dim(value, dim, level) for dim, value in zip(dims, inputs)]
    return tree_unflatten(members, spec)


def _check_out_dims(out_dims, func: Callable) -> None:
    """Refuse what is no place of the batch in an output."""
    for dim in tree_leaves(out_dims):
        if dim is not None and not isinstance(dim, int):
            raise ValueError(f"vmap({_get_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a "
                             "python collection of ints representing where in the outputs the vmapped dimension should "
                             "appear.")


def _unwrap_batched(outputs, out_dims, level: int, size: int, func: Callable):
    """The outputs as wholes, their batch dimensions where ``out_dims`` says."""
    members, spec = tree_flatten(outputs)
    if not isinstance(outputs, Tensor):
        dims = _broadcast_to_and_flatten(out_dims, spec)
    elif out_dims is None or isinstance(out_dims, int):
        dims = [out_dims]
    else:
        dims = list(out_dims) if isinstance(out_dims, tuple) and len(out_dims) == 1 else None
    if dims is None:
        raise ValueError(f"vmap({_get_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible "
                         f"with the structure of `outputs`. out_dims has structure {tree_flatten(out_dims)[1]} but "
                         f"outputs has structure {spec}.")
    name = _get_name(func)
    return tree_unflatten([_maybe_remove_batch_dim(name, member, level, size, dim)
                           for member, dim in zip(members, dims)], spec)


def _maybe_remove_batch_dim(name: str, member, level: int, size: int, dim: int | None):
    """One output as a whole; as it is, where it has no batch dimension."""
    if dim is None:
        if isinstance(member, Tensor) and batched.unwrap(member, level)[1] is not None:
            raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
        return member
    if not isinstance(member, Tensor):
        raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(member)}. Did you mean "
                         "to set out_dims= to None for output?")
    return remove_batch_dim(member, level, size, dim)

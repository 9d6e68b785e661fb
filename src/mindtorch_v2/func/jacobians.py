"""torch.func.jacrev, jacfwd and hessian: whole Jacobians, all rows or all columns at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from ..core.tensor import Tensor
from ..dispatch.aten import aten
from ..utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten
from .argnums import ArgNums, chosen
from .grads import vjp_by
from .jvp import jvp_by
from .vmap import vmap


def jacrev(func: Callable, argnums: ArgNums = 0, *, has_aux: bool = False, chunk_size: int | None = None,
           _preallocate_and_copy: bool = False) -> Callable:
    """A function that computes the Jacobian of ``func``, row by row: ``chunk_size`` rows at once, or all."""
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args):
        _refuse_complex("jacrev", args, "inputs")
        output, products, *aux = vjp_by(func, args, argnums, has_aux)
        outputs, out_spec = tree_flatten(output)
        _refuse_complex("jacrev", outputs, "outputs")
        by, by_spec = tree_flatten(chosen(args, argnums))
        rows = _rows(products, outputs, out_spec, chunk_size)
        sizes = [out.numel() for out in outputs]
        parts = [aten.split_with_sizes(row, sizes) for row in rows]
        blocks = [[aten.view(part, (*out.shape, *t.shape)) for part, out in zip(of_input, outputs)]
                  for of_input, t in zip(parts, by)]
        result = _arranged(list(zip(*blocks)), by_spec, out_spec, argnums)
        return (result, aux[0]) if has_aux else result

    return jacobian


def _rows(products: Callable, outputs: list[Tensor], spec, chunk_size: int | None) -> list[Tensor]:
    """For each input the products of its Jacobian with all unit vectors of the outputs, one below the other."""
    chunks = []
    for basis in _bases(outputs, chunk_size):
        if chunk_size == 1:  # no vmap, so that any function can be differentiated
            row = tree_leaves(products(tree_unflatten([aten.squeeze(unit, 0) for unit in basis], spec)))
            chunks.append([aten.unsqueeze(t, 0) for t in row])
        else:
            chunks.append(tree_leaves(vmap(products)(tree_unflatten(basis, spec))))
    return chunks[0] if len(chunks) == 1 else [aten.cat(list(parts)) for parts in zip(*chunks)]


def _bases(tensors: list[Tensor], chunk_size: int | None) -> Iterator[list[Tensor]]:
    """The unit vectors of several tensors together, so many at a time; each as a part of every tensor."""
    total = sum(t.numel() for t in tensors)
    step = total if chunk_size is None or not total else min(chunk_size, total)
    for start in range(0, total, step) if total else (0,):
        count, parts, at = min(step, total - start), [], 0
        for t in tensors:
            part = aten.new_zeros(t, (count, t.numel()))
            aten.fill_(aten.diagonal(part, start - at), 1)
            at += t.numel()
            parts.append(aten.view(part, (count, *t.shape)))
        yield parts


def jacfwd(func: Callable, argnums: ArgNums = 0, has_aux: bool = False, *, randomness: str = "error") -> Callable:
    """A function that computes the Jacobian of ``func``, all columns at once."""
    @functools.wraps(func)
    def jacobian(*args):
        _refuse_complex("jacfwd", args, "inputs")
        by, by_spec = tree_flatten(chosen(args, argnums))

        def column(basis):
            value, *product = jvp_by(func, args, basis, argnums, has_aux=has_aux)
            _refuse_complex("jacfwd", value, "outputs")
            return tuple(product) if has_aux else product[0]

        (basis,) = _bases(by, None)
        columns = vmap(column, randomness=randomness)(tree_unflatten(basis, by_spec))
        aux = None
        if has_aux:
            columns, aux = columns
            aux = tree_map(lambda value: value[0], aux)
        outputs, out_spec = tree_flatten(columns)
        sizes = [t.numel() for t in by]
        parts = [aten.split_with_sizes(aten.movedim(out, 0, -1), sizes, -1) for out in outputs]
        blocks = [[aten.reshape(part, (*out.shape[1:], *t.shape)) for part, t in zip(of_output, by)]
                  for of_output, out in zip(parts, outputs)]
        result = _arranged(blocks, by_spec, out_spec, argnums)
        return (result, aux) if has_aux else result

    return jacobian


def _arranged(blocks: list, by_spec, out_spec, argnums: ArgNums):
    """A tree like the outputs of trees like the inputs."""
    trees = [tree_unflatten(list(row), by_spec) for row in blocks]
    return tree_unflatten([tree[0] if isinstance(argnums, int) else tree for tree in trees], out_spec)


def hessian(func: Callable, argnums: ArgNums = 0) -> Callable:
    """A function that computes the second derivatives of ``func``: forward over backward."""
    return jacfwd(jacrev(func, argnums), argnums)


def _refuse_complex(function: str, tree, what: str) -> None:
    for i, value in enumerate(tree_leaves(tree)):
        if isinstance(value, Tensor) and value.is_complex():
            raise RuntimeError(f"{function}: Expected all {what} to be real but received complex tensor at flattened "
                               f"input idx: {i}")

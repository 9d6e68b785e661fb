"""Derivatives of functions: vjp, jvp, jacobian, hessian, hvp, vhp."""

from __future__ import annotations

from collections.abc import Callable

from ..core import modes
from ..core.tensor import Tensor
from .api import grad
from .work import Work


def _tuple(value) -> tuple:
    return (value,) if isinstance(value, Tensor) else tuple(value)


def _as_leaves(inputs, create_graph: bool) -> tuple[Tensor, ...]:
    """Inputs that collect gradients of their own; with a graph wanted, they stay connected to the caller's."""
    leaves = []
    for t in inputs:
        if create_graph and t._mt_requires:
            leaves.append(t.view_as(t))
        else:
            leaf = t.detach()
            leaf.requires_grad_(True)
            leaves.append(leaf)
    return tuple(leaves)


def _shape_of(values: tuple, single: bool):
    return values[0] if single else values


def _filled(found, like: tuple, strict: bool, what: str) -> tuple:
    if strict and any(g is None for g in found):
        at = found.index(None)
        if what == "output":
            raise RuntimeError(f"Output of the user-provided function is independent of input {at}. This is not "
                               "allowed in strict mode.")
        raise RuntimeError(f"The jacobian of the user-provided function is independent of input {at}. This is not "
                           "allowed in strict mode when create_graph=True.")
    return tuple(Work.zeros_like(t) if g is None else g for g, t in zip(found, like))


def vjp(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
    """``func(*inputs)`` and the product of ``v`` with its Jacobian."""
    single = isinstance(inputs, Tensor)
    before = modes.set_grad(True)
    try:
        leaves = _as_leaves(_tuple(inputs), create_graph)
        outputs = func(*leaves)
        single_output = isinstance(outputs, Tensor)
        outs = _tuple(outputs)
        if v is None and not (len(outs) == 1 and outs[0].numel() == 1):
            raise RuntimeError("The vector v can only be None if the user-provided function returns a single Tensor "
                               "with a single element.")
        found = grad(outs, leaves, None if v is None else _tuple(v), create_graph=create_graph, allow_unused=True)
    finally:
        modes.set_grad(before)
    result = _filled(list(found), leaves, strict, "output")
    if not create_graph:
        outs = tuple(o.detach() for o in outs)
    return _shape_of(outs, single_output), _shape_of(result, single)


def jvp(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
    """``func(*inputs)`` and the product of its Jacobian with ``v``, by going back twice."""
    before = modes.set_grad(True)
    try:
        leaves = _as_leaves(_tuple(inputs), create_graph)
        if v is None:
            if len(leaves) != 1 or leaves[0].numel() != 1:
                raise RuntimeError("The vector v can only be None if the input to the user-provided function is a "
                                   "single Tensor with a single element.")
            v = Work.ones_like(leaves[0])
        outputs = func(*leaves)
        single_output = isinstance(outputs, Tensor)
        outs = _tuple(outputs)
        dummies = tuple(Work.zeros_like(o).requires_grad_(True) for o in outs)
        first = grad(outs, leaves, dummies, create_graph=True, allow_unused=True)
        kept = [(g, t) for g, t in zip(first, _tuple(v)) if g is not None]
        found = grad([g for g, _ in kept], dummies, [t for _, t in kept], create_graph=create_graph, allow_unused=True)
    finally:
        modes.set_grad(before)
    result = _filled(list(found), outs, strict, "output")
    if not create_graph:
        outs = tuple(o.detach() for o in outs)
    return _shape_of(outs, single_output), _shape_of(result, single_output)


def jacobian(func: Callable, inputs, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
             strategy: str = "reverse-mode"):
    """The Jacobian of a function, one backward pass per output element."""
    single = isinstance(inputs, Tensor)
    before = modes.set_grad(True)
    try:
        leaves = _as_leaves(_tuple(inputs), create_graph)
        outputs = func(*leaves)
        single_output = isinstance(outputs, Tensor)
        found = tuple(_rows(out, leaves, create_graph, strict) for out in _tuple(outputs))
    finally:
        modes.set_grad(before)
    found = tuple(_shape_of(row, single) for row in found)
    return _shape_of(found, single_output)


def _rows(out: Tensor, leaves: tuple, create_graph: bool, strict: bool) -> tuple[Tensor, ...]:
    """One output's Jacobian with respect to each input, of shape output × input."""
    flat = out.reshape(-1)
    columns: list[list[Tensor]] = [[] for _ in leaves]
    for k in range(flat.numel()):
        found = grad([flat[k]], leaves, create_graph=create_graph, retain_graph=True, allow_unused=True)
        for column, g in zip(columns, _filled(list(found), leaves, strict, "output")):
            column.append(g.reshape(-1))
    made = []
    for column, leaf in zip(columns, leaves):
        shape = (*out.shape, *leaf.shape)
        made.append(_stack(column, leaf).reshape(shape))
    return tuple(made)


def _stack(rows: list[Tensor], like: Tensor) -> Tensor:
    return Work.stack(rows) if rows else Work.zeros((0,), like.dtype)


def hessian(func: Callable, inputs, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
            outer_jacobian_strategy: str = "reverse-mode"):
    """The matrix of second derivatives of a function with one result."""
    single = isinstance(inputs, Tensor)

    def gradient(*given):
        out = func(*given)
        if not isinstance(out, Tensor):
            raise RuntimeError("The function given to hessian should return a single Tensor")
        if out.numel() != 1:
            raise RuntimeError("The Tensor returned by the function given to hessian should contain a single element")
        found = grad([out.reshape(())], given, create_graph=True, allow_unused=True)
        return tuple(_filled(list(found), given, strict, "output"))

    found = jacobian(gradient, inputs, create_graph=create_graph, strict=strict)
    return found[0] if single else found


def vhp(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
    """``func(*inputs)`` and the product of ``v`` with its Hessian."""
    single = isinstance(inputs, Tensor)
    before = modes.set_grad(True)
    try:
        leaves = _as_leaves(_tuple(inputs), create_graph)
        out = func(*leaves)
        first = _filled(list(grad([out], leaves, create_graph=True, allow_unused=True)), leaves, strict, "output")
        given = _tuple(v) if v is not None else tuple(Work.ones_like(t) for t in leaves)
        pairs = [(g, t) for g, t in zip(first, given) if g._mt_requires]
        found = grad([g for g, _ in pairs], leaves, [t for _, t in pairs], create_graph=create_graph, allow_unused=True)
    finally:
        modes.set_grad(before)
    result = _filled(list(found), leaves, strict, "output")
    return (out if create_graph else out.detach()), _shape_of(result, single)


hvp = vhp  # the Hessian is symmetric: both products are the same numbers

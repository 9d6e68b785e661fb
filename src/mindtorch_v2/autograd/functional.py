"""Derivatives of functions: vjp, jvp, jacobian, hessian, hvp, vhp."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.slots import Work
from ..core.tensor import Tensor
from .api import grad
from .functional_checks import OUTPUTS, as_tuple, check_requires_grad, check_v, filled
from .functional_forward import forward_jacobian
from .grad_mode import enable_grad

STRATEGIES = ("forward-mode", "reverse-mode")
NO_V = ("The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
        "element.")


def _as_leaves(inputs: tuple[Tensor, ...], create_graph: bool, wanted: bool = True) -> tuple[Tensor, ...]:
    """Inputs that collect gradients of their own; with a graph wanted, they stay connected to the caller's."""
    leaves = []
    for t in inputs:
        if create_graph and t._mt_requires:
            leaves.append(t.view_as(t))
        else:
            leaves.append(t.detach().requires_grad_(wanted))
    return tuple(leaves)


def _grads(outputs: Sequence[Tensor | None], inputs: tuple[Tensor, ...], given: Sequence[Tensor] | None = None,
           create_graph: bool = False, retain_graph: bool | None = None,
           is_batched: bool = False) -> tuple[Tensor | None, ...]:
    """The gradients from those outputs that are in a graph; None for every input if none has."""
    given = [None] * len(outputs) if given is None else given
    pairs = [(out, g) for out, g in zip(outputs, given) if out is not None and out._mt_requires]
    if not pairs:
        return (None,) * len(inputs)
    return grad([out for out, _ in pairs], inputs, [g for _, g in pairs], create_graph=create_graph,
                retain_graph=retain_graph, allow_unused=True, is_grads_batched=is_batched)


def _finished(tensors: tuple[Tensor, ...], create_graph: bool, is_tuple: bool):
    """What the caller gets: without history unless it is wanted, alone if it was not in a tuple."""
    finished = tensors if create_graph else tuple(t.detach() for t in tensors)
    return finished if is_tuple else finished[0]


def _v_for_inputs(v, inputs: tuple[Tensor, ...], is_tuple: bool, create_graph: bool,
                  function: str) -> tuple[Tensor, ...] | None:
    """A vector as large as the inputs; None for a single number."""
    if v is None:
        if len(inputs) != 1 or inputs[0].numel() != 1:
            raise RuntimeError(NO_V)
        return None
    _, v = as_tuple(v, "v", function)
    check_v(v, inputs, is_tuple)
    return _as_leaves(v, create_graph, wanted=False)


def vjp(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
    """``func(*inputs)`` and the product of ``v`` with its Jacobian."""
    with enable_grad():
        in_tuple, inputs = as_tuple(inputs, "inputs", "vjp")
        leaves = _as_leaves(inputs, create_graph)
        out_tuple, outputs = as_tuple(func(*leaves), OUTPUTS, "vjp")
        check_requires_grad(outputs, "outputs", strict)
        if v is not None:
            _, v = as_tuple(v, "v", "vjp")
            check_v(v, outputs, out_tuple)
            v = _as_leaves(v, create_graph, wanted=False)
        elif len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError("The vector v can only be None if the user-provided function returns a single Tensor "
                               "with a single element.")
    gradients = filled(_grads(outputs, leaves, v, create_graph), leaves, strict, create_graph, "back")
    return _finished(outputs, create_graph, out_tuple), _finished(gradients, create_graph, in_tuple)


def jvp(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
    """``func(*inputs)`` and the product of its Jacobian with ``v``, by going back twice."""
    with enable_grad():
        is_tuple, inputs = as_tuple(inputs, "inputs", "jvp")
        leaves = _as_leaves(inputs, create_graph)
        v = _v_for_inputs(v, leaves, is_tuple, create_graph, "jvp")
        out_tuple, outputs = as_tuple(func(*leaves), OUTPUTS, "jvp")
        check_requires_grad(outputs, "outputs", strict)
        dummies = tuple(Work.zeros_like(o).requires_grad_(True) for o in outputs)
        first = _grads(outputs, leaves, dummies, create_graph=True)
        check_requires_grad(first, "grad_inputs", strict)
    products = filled(_grads(first, dummies, v, create_graph), outputs, strict, create_graph, "back_trick")
    return _finished(outputs, create_graph, out_tuple), _finished(products, create_graph, out_tuple)


def jacobian(func: Callable, inputs, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
             strategy: str = "reverse-mode"):
    """The Jacobian of a function, one backward pass per output element."""
    if strategy not in STRATEGIES:
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function '
                             'has more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, '
                             'prefer to use "reverse-mode".')
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedError("torch.autograd.functional.jacobian: `create_graph=True` and "
                                  '`strategy="forward-mode"` are not supported together (yet). Please either set '
                                  '`create_graph=False` or `strategy="reverse-mode"`.')
    if strategy == "forward-mode":
        return forward_jacobian(func, inputs, _construct_standard_basis_for, strict, vectorize)
    with enable_grad():
        in_tuple, inputs = as_tuple(inputs, "inputs", "jacobian")
        leaves = _as_leaves(inputs, create_graph)
        out_tuple, outputs = as_tuple(func(*leaves), OUTPUTS, "jacobian")
        check_requires_grad(outputs, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                               "supported together. Please either set `strict=False` or `vectorize=False`.")
        rows = _all_rows(outputs, leaves, create_graph) if vectorize else \
            [_rows(i, out, leaves, create_graph, strict) for i, out in enumerate(outputs)]
        jacobians = tuple(_finished(row, create_graph, in_tuple) for row in rows)
    return jacobians if out_tuple else jacobians[0]


def _construct_standard_basis_for(tensors: Sequence[Tensor], tensor_numels: Sequence[int]) -> tuple[Tensor, ...]:
    """Rows of the identity over all numbers of some tensors, cut into one matrix for each tensor."""
    total, at, chunks = sum(tensor_numels), 0, []
    for tensor, numel in zip(tensors, tensor_numels):
        chunk = tensor.new_zeros(total, numel)
        chunk.diagonal(-at).fill_(1)
        at += numel
        chunks.append(chunk)
    return tuple(chunks)


def _all_rows(outputs: tuple, leaves: tuple, create_graph: bool) -> list[tuple[Tensor, ...]]:
    """The same for all outputs in one pass, which starts from all their elements at once."""
    numels = [out.numel() for out in outputs]
    starts = [start.reshape(-1, *out.shape) for start, out in
              zip(_construct_standard_basis_for(outputs, numels), outputs)]
    grads = _grads(outputs, leaves, starts, create_graph, is_batched=True)
    columns = [(leaf.new_zeros(sum(numels), *leaf.shape) if g is None else g).split(numels) for g, leaf in
               zip(grads, leaves)]
    return [tuple(part.reshape((*out.shape, *leaf.shape)) for part, leaf in zip(parts, leaves))
            for out, parts in zip(outputs, zip(*columns))]


def _rows(number: int, out: Tensor, leaves: tuple, create_graph: bool, strict: bool) -> tuple[Tensor, ...]:
    """One output's Jacobian with respect to each input, of shape output × input."""
    flat = out.reshape(-1)
    columns: list[list[Tensor]] = [[] for _ in leaves]
    for k in range(flat.numel()):
        row_grads = _grads([flat[k]], leaves, create_graph=create_graph, retain_graph=True)
        for i, (column, g, leaf) in enumerate(zip(columns, row_grads, leaves)):
            if strict and g is None:
                raise RuntimeError(f"Output {number} of the user-provided function is independent of input {i}. This "
                                   "is not allowed in strict mode.")
            if strict and create_graph and not g._mt_requires:
                raise RuntimeError(f"The jacobian of the user-provided function is independent of input {number}. This "
                                   "is not allowed in strict mode when create_graph=True.")
            column.append((Work.zeros_like(leaf) if g is None else g).reshape(-1))
    return tuple(_stack(column, leaf).reshape((*out.shape, *leaf.shape)) for column, leaf in zip(columns, leaves))


def _stack(rows: list[Tensor], like: Tensor) -> Tensor:
    return Work.stack(rows) if rows else Work.zeros((0,), like.dtype)


def hessian(func: Callable, inputs, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
            outer_jacobian_strategy: str = "reverse-mode"):
    """The matrix of second derivatives of a function with one result."""
    is_tuple, inputs = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in STRATEGIES:
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def gradient(*given):
        if outer_jacobian_strategy == "forward-mode":
            given = tuple(t.requires_grad_() for t in given)  # or what has tangents would be detached
        gradients = jacobian(lambda *t: _one_number(func(*t), "hessian", strict).reshape(()), given, create_graph=True)
        check_requires_grad(gradients, "jacobian", strict)
        return gradients

    gradients = jacobian(gradient, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize,
                     strategy=outer_jacobian_strategy)
    return gradients if is_tuple else gradients[0][0]


def _one_number(outputs, function: str, strict: bool) -> Tensor:
    """The single number that a function returned."""
    is_tuple, tensors = as_tuple(outputs, OUTPUTS, function)
    check_requires_grad(tensors, "outputs", strict)
    if is_tuple:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs.numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
    return outputs


def _second(function: str, stage: str):
    """A product with the Hessian. It is symmetric, so that both sides give the same numbers."""
    def product(func: Callable, inputs, v=None, create_graph: bool = False, strict: bool = False):
        with enable_grad():
            is_tuple, inputs = as_tuple(inputs, "inputs", function)
            leaves = _as_leaves(inputs, create_graph)
            v = _v_for_inputs(v, leaves, is_tuple, create_graph, function)
            out = _one_number(func(*leaves), function, strict)
            first = _grads([out], leaves, create_graph=True)
            check_requires_grad(first, "jacobian", strict)
        products = filled(_grads(first, leaves, v, create_graph), leaves, strict, create_graph, stage)
        return _finished((out,), create_graph, False), _finished(products, create_graph, is_tuple)

    product.__name__ = product.__qualname__ = function
    product.__doc__ = f"``func(*inputs)`` and the product of its Hessian with ``v``, from the {SIDES[function]}."
    return product


SIDES = {"vhp": "left", "hvp": "right"}
vhp, hvp = _second("vhp", "double_back"), _second("hvp", "double_back_trick")

"""torch.func.grad, grad_and_value and vjp: derivatives by going back."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..autograd import saved
from ..autograd.grad_mode import inference_mode
from ..autograd.graph import disable_saved_tensors_hooks
from ..core import modes
from ..core.dtype import FLOATING
from ..core.tensor import Tensor
from ..utils._pytree import TreeSpec, tree_flatten, tree_map, tree_unflatten
from .argnums import ArgNums, chosen, replaced
from .watched import Transform, differentiating, released_tree

NO_HOOKS = ("torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. Please open an issue with "
            "your use case.")


def without_hooks(function: Callable) -> Callable:
    """A function inside of which no hooks on saved tensors may be set."""
    @functools.wraps(function)
    def inside(*args, **kwargs):
        if saved.entered():
            raise RuntimeError(NO_HOOKS)
        with disable_saved_tensors_hooks(NO_HOOKS):
            return function(*args, **kwargs)

    return inside


def grad(func: Callable, argnums: ArgNums = 0, has_aux: bool = False) -> Callable:
    """A function that computes the gradient of ``func``, which returns one number (and, with ``has_aux``, more)."""
    @functools.wraps(func)
    def gradient(*args, **kwargs):
        derived, value = _grad_and_value(func, argnums, has_aux, args, kwargs)
        return (derived, value[1]) if has_aux else derived

    return gradient


def grad_and_value(func: Callable, argnums: ArgNums = 0, has_aux: bool = False) -> Callable:
    """A function that computes the gradient of ``func`` and its value, or (gradient, (value, aux))."""
    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        return _grad_and_value(func, argnums, has_aux, args, kwargs)

    return gradient_and_value


@without_hooks
def _grad_and_value(func: Callable, argnums: ArgNums, has_aux: bool, args: tuple, kwargs: dict):
    transform = Transform()
    with differentiating():
        by = tree_map(transform.watch, chosen(args, argnums))
        output = func(*replaced(args, argnums, by), **kwargs)
        transform.call.is_running = False
        aux = None
        if has_aux:
            output, aux = with_aux(output, "grad_and_value(f)(*args)")
        _check_number(output)
        gradients = transform.gradients([output], None, retain_graph=False, create_graph=transform.goes_on)
        derived = tree_unflatten(gradients, tree_flatten(by)[1])
        derived = derived if isinstance(argnums, tuple) else derived[0]
        value = transform.released(output, transform.goes_on)
        return derived, (value, released_tree(transform, aux)) if has_aux else value


def with_aux(output, function: str) -> tuple:
    """What a function returned that was to return two things: the output, and what is handed through."""
    if not (isinstance(output, tuple) and len(output) == 2):
        raise RuntimeError(f"{function}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return output


def _check_number(output) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}")
    if output.dim() != 0:
        raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                           f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")


def vjp(func: Callable, *primals, has_aux: bool = False):
    """``func(*primals)``, and a function that multiplies vectors with its Jacobian from the left (and the aux)."""
    return vjp_by(func, primals, None, has_aux)


@without_hooks
def vjp_by(func: Callable, primals: tuple, argnums: ArgNums | None, has_aux: bool = False):
    """The same by some of the arguments; the products then have the structure of those."""
    transform = Transform()
    with differentiating():
        by = tree_map(transform.watch, primals if argnums is None else chosen(primals, argnums))
        output = func(*(by if argnums is None else replaced(primals, argnums, by)))
        transform.call.is_running = False
        by = by[0] if isinstance(argnums, int) else by
        aux = None
        if has_aux:
            output, aux = with_aux(output, "vjp(f, *primals)")
            aux = released_tree(transform, aux)
        outputs, spec = tree_flatten(output)
        check_tensors(outputs, "vjp(f, *primals)")
        _check_differentiable(outputs)
        value = released_tree(transform, output)

    def products(cotangents, retain_graph: bool = True, create_graph: bool | None = None):
        starts, given = tree_flatten(cotangents)
        if given != spec:
            raise RuntimeError("Expected pytree structure of cotangents to be the same as pytree structure of outputs "
                               f"to the function. cotangents: {shown(given)}, primal output: {shown(spec)}")
        goes_on = modes.is_grad_enabled() if create_graph is None else create_graph
        with inference_mode(False):
            gradients = transform.gradients(outputs, starts, retain_graph, goes_on)
        return tree_unflatten(gradients, tree_flatten(by)[1])

    return (value, products, aux) if has_aux else (value, products)


def check_tensors(outputs: list, function: str) -> None:
    """Complain of a function that returned nothing, or anything but tensors."""
    if not outputs or outputs == [None]:
        raise RuntimeError(f"{function}: Expected f to be a function that has non-empty output (got output = "
                           f"{outputs})")
    for output in outputs:
        if not isinstance(output, Tensor):
            raise RuntimeError(f"{function}: expected f(*primals) to return only tensors, got unsupported type "
                               f"{type(output)}")


def _check_differentiable(outputs: list[Tensor]) -> None:
    for output in outputs:
        if output.dtype.category < FLOATING:
            raise RuntimeError("vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor "
                               f"with dtype {output.dtype}")


class _Leaf:
    def __repr__(self) -> str:
        return "*"


def shown(spec: TreeSpec) -> str:
    """The structure of a tree, with a star for each leaf."""
    return repr(tree_unflatten([_Leaf() for _ in range(spec.num_leaves)], spec))

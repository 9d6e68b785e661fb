"""torch.func.jvp and linearize: derivatives by going forward."""

from __future__ import annotations

from collections.abc import Callable

from ..autograd import forward_ad
from ..autograd.grad_mode import inference_mode
from ..core.slots import Work
from ..core.tensor import Tensor
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten
from .argnums import ArgNums, chosen, replaced
from .grads import check_tensors, with_aux
from .watched import Transform, differentiating, released_tree

NAME = "jvp(f, primals, tangents)"


def jvp(func: Callable, primals: tuple, tangents: tuple, *, strict: bool = False, has_aux: bool = False):
    """``func(*primals)`` and the product of its Jacobian with ``tangents`` (and the aux)."""
    return jvp_by(func, primals, tangents, None, strict=strict, has_aux=has_aux)


def jvp_by(func: Callable, primals: tuple, tangents: tuple, argnums: ArgNums | None, *, strict: bool = False,
           has_aux: bool = False):
    """The same by some of the arguments."""
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{NAME}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    by, spec = tree_flatten(primals if argnums is None else chosen(primals, argnums))
    given, given_spec = tree_flatten(tangents)
    if spec != given_spec:
        raise RuntimeError(f"{NAME}: Expected primals and tangents to have the same python structure. For example, if "
                           "primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
                           f"{spec} and tangents with structure {given_spec}")
    _check_inputs(by, "primals")
    _check_inputs(given, "tangents")
    with inference_mode(False), forward_ad.nested_level() as level, forward_ad._set_fwd_grad_enabled(True):
        duals = tree_unflatten([forward_ad.make_dual(p, t) for p, t in zip(by, given)], spec)
        output = func(*(duals if argnums is None else replaced(primals, argnums, duals)))
        aux = None
        if has_aux:
            output, aux = with_aux(output, NAME)
            aux = tree_map(lambda value: _primal(value, level), aux)
        outputs, out_spec = tree_flatten(output)
        check_tensors(outputs, NAME)
        pairs = [_unpacked(dual, level, strict) for dual in outputs]
    value, product = [tree_unflatten([pair[i] for pair in pairs], out_spec) for i in range(2)]
    return (value, product, aux) if has_aux else (value, product)


def _check_inputs(tensors: list, name: str) -> None:
    if not tensors:
        raise RuntimeError(f"{NAME}: Expected {name} to contain at least one Tensor.")
    for value in tensors:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{NAME}: Expected {name} to only contain Tensors, got {type(value)}")


def _primal(value, level: int) -> Tensor:
    if not isinstance(value, Tensor):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
    return forward_ad.unpacked_at(value, level).primal


def _unpacked(dual: Tensor, level: int, strict: bool) -> tuple[Tensor, Tensor]:
    primal, tangent = forward_ad.unpacked_at(dual, level)
    if tangent is None:
        if strict:
            raise RuntimeError("jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
                               "This is not allowed with strict=True.")
        tangent = Work.zeros_like(primal)
    return primal, tangent


def linearize(func: Callable, *primals):
    """``func(*primals)``, and a function that multiplies its Jacobian with tangents without calling ``func`` again.

    Backward is linear in the gradients it begins with: its own backward is the forward derivative.
    """
    flat, spec = tree_flatten(primals)
    transform = Transform()
    with differentiating():
        output = func(*tree_unflatten([transform.watch(p) for p in flat], spec))
        transform.call.is_running = False
        outputs, out_spec = tree_flatten(output)
        check_tensors(outputs, "linearize(f, *primals)")
        starts = Transform()
        begin = [starts.watch(Work.zeros_like(out)) for out in outputs]
        back = transform.gradients(outputs, begin, retain_graph=True, create_graph=True)
        starts.call.is_running = False

    def products(*tangents):
        given, given_spec = tree_flatten(tangents)
        if given_spec != spec:
            raise RuntimeError(f"Expected the tangents {given_spec} to have the same argspec as the primals {spec}")
        for number, (tangent, primal) in enumerate(zip(given, flat)):
            _check_like(number, tangent, primal)
        return tree_unflatten(starts.gradients(back, given, retain_graph=True, create_graph=True), out_spec)

    return released_tree(transform, output), products


def _check_like(number: int, tangent: Tensor, primal: Tensor) -> None:
    for what in ("shape", "device", "dtype"):
        if getattr(tangent, what) != getattr(primal, what):
            raise RuntimeError(f"tangent:{number} with {what} {getattr(tangent, what)} in flattened pytree doesn't "
                               f"match the {what} {getattr(primal, what)} of the corresponding primal.")

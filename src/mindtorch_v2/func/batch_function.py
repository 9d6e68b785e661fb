"""autograd.Function under vmap: its own ``vmap``, or one that is generated of its forward and backward."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable

from ..autograd.function import Function, FunctionCtx, run_function
from ..core import modes
from ..core.overrides import NO
from ..core.tensor import Tensor
from ..dispatch import batch_levels, batched
from ..dispatch.aten import aten
from ..dispatch.batch_call import outside
from ..dispatch.batch_levels import VmapInfo
from ..dispatch.batch_mapping import remove_batch_dim
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_map, tree_unflatten

MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"


class _Thread(threading.local):
    lets_through = False


_thread = _Thread()


@contextlib.contextmanager
def letting_functions_through():
    """Inside, Functions see members and need no rule."""
    before, _thread.lets_through = _thread.lets_through, True
    try:
        yield
    finally:
        _thread.lets_through = before


def applied(cls: type, args: tuple):
    """A Function on batched tensors; NO where none is, or no vmap is around."""
    level = batch_levels.innermost()
    if level is None or _thread.lets_through:
        return NO
    if cls.setup_context is Function.setup_context:
        raise RuntimeError("In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
                           f"...), it must override the setup_context staticmethod. {MORE}")
    tensors = [leaf for leaf in tree_leaves(args) if isinstance(leaf, Tensor)]
    if not any([batched.unwrap(tensor, level.number)[1] is not None for tensor in tensors]):
        return NO
    watched = [tensor._mt_requires for tensor in tensors if batched.level_of(tensor) == level.number]
    rule = functools.partial(on_wholes, cls, level)
    if modes.is_grad_enabled() and any(watched):
        return run_function(cls, args, lambda *members: watching(rule, members))
    return rule(*args)


def watching(rule: Callable, members: tuple):
    """A rule where autograd watches wholes, whether or not it watches members."""
    before = modes.set_grad(True)
    try:
        return rule(*members)
    finally:
        modes.set_grad(before)


def on_wholes(cls: type, level: batch_levels.Level, *args):
    """The rule of a Function: what it makes of wholes, as members."""
    has_rule = cls.vmap is not Function.vmap
    if cls.generate_vmap_rule and has_rule:
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an "
                           "overridden vmap staticmethod. Please set generate_vmap_rule=False or delete the overridden "
                           f"vmap staticmethod to avoid ambiguity. {MORE}")
    if not cls.generate_vmap_rule and not has_rule:
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override "
                           f"and implement the vmap staticmethod or set generate_vmap_rule=True. {MORE}")
    wholes, dims = taken_apart(args, level.number)
    if has_rule:
        info = VmapInfo(level.size, level.randomness)
        outputs, out_dims = outside(level.number, _by_own_rule, cls, info, dims, wholes)
    else:
        outputs, out_dims = outside(level.number, _generated, cls, level, dims, wholes)
    return put_together(outputs, out_dims, level.number)


def taken_apart(tree, level: int) -> tuple:
    """A tree with its members as wholes, and one of their batch dimensions."""
    leaves, spec = tree_flatten(tree)
    pairs = [batched.unwrap(leaf, level) if isinstance(leaf, Tensor) else (leaf, None) for leaf in leaves]
    return tree_unflatten([value for value, _ in pairs], spec), tree_unflatten([dim for _, dim in pairs], spec)


def put_together(tree, dims, level: int):
    """The reverse: wholes as members."""
    leaves, spec = tree_flatten(tree)
    places = _broadcast_to_and_flatten(dims, spec)
    if places is None:
        raise RuntimeError("The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
                           f"tuple. Expected out_dims={dims} to be compatible with the structure of `output`. out_dims "
                           f"has structure {tree_flatten(dims)[1]} but output has structure {spec}. {MORE}")
    return tree_unflatten([batched.wrap(leaf, dim % leaf.dim(), level) if isinstance(leaf, Tensor) and dim is not None
                           else leaf for leaf, dim in zip(leaves, places)], spec)


def _by_own_rule(cls: type, info: VmapInfo, dims: tuple, wholes: tuple) -> tuple:
    result = cls.vmap(info, dims, *wholes)
    expected = ("Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure "
                "compatible with the output. ")
    if not isinstance(result, tuple):
        raise RuntimeError(f"{expected}Got a {type(result)} instead")
    if len(result) != 2:
        raise RuntimeError(f"{expected}Got {len(result)} returns instead")
    return result


def _generated(cls: type, level: batch_levels.Level, dims: tuple, wholes: tuple) -> tuple:
    """A Function of wholes, made of one of members."""
    of_members = Members(cls, dims, level.size, level.randomness)
    outputs = of_wholes(cls).apply(of_members, *wholes)
    return outputs, of_members.out_dims


class Members:
    """How a Function of members is called where wholes are at hand."""

    def __init__(self, cls: type, dims: tuple, size: int, randomness: str):
        self.cls, self.dims, self.size, self.randomness = cls, dims, size, randomness
        self.out_dims = self.saved_dims = self.shapes = self.ctx = None

    def called(self, function: Callable, *trees):
        """A function of members, given wholes with their batch dimensions; wholes again, and theirs."""
        level = batch_levels.push(self.size, self.randomness)
        try:
            result = function(*[put_together(tree, dims, level) for tree, dims in trees])
            return taken_apart(result, level)
        finally:
            batch_levels.pop()


class MemberCtx:
    """What ``setup_context`` and ``backward`` of members see as ctx: they may note on it what they like."""

    def __init__(self, needs_input_grad: tuple):
        self.needs_input_grad = needs_input_grad
        self.to_save = self.not_differentiable = self.dirty = self.saved_tensors = ()
        self.materialize = True

    save_for_backward, save_for_forward = FunctionCtx.save_for_backward, FunctionCtx.save_for_forward
    mark_dirty, mark_non_differentiable = FunctionCtx.mark_dirty, FunctionCtx.mark_non_differentiable
    set_materialize_grads = FunctionCtx.set_materialize_grads


@functools.cache
def of_wholes(cls: type) -> type:
    """The Function of wholes; its first argument says how members are called."""

    def forward(members: Members, *wholes):
        outputs, members.out_dims = members.called(cls.forward, *zip(wholes, members.dims))
        return outputs

    def setup_context(ctx, inputs: tuple, outputs) -> None:
        members, *wholes = inputs
        ctx.members, ctx.inner = members, MemberCtx(ctx.needs_input_grad[1:])

        def note(given: tuple, results):
            members.shapes = tree_map(lambda leaf: leaf.shape if isinstance(leaf, Tensor) else None, given)
            cls.setup_context(ctx.inner, given, results)
            leaves = [leaf for leaf in tree_leaves(results) if isinstance(leaf, Tensor)]
            apart = [any(leaf is tensor for tensor in ctx.inner.not_differentiable) for leaf in leaves]
            return list(ctx.inner.to_save), apart

        (saved, apart), (ctx.saved_dims, _) = members.called(note, (tuple(wholes), members.dims),
                                                             (outputs, members.out_dims))
        ctx.save_for_backward(*saved)
        ctx.set_materialize_grads(ctx.inner.materialize)
        results = [leaf for leaf in tree_leaves(outputs) if isinstance(leaf, Tensor)]
        ctx.mark_non_differentiable(*[leaf for leaf, is_apart in zip(results, apart) if is_apart])
        ctx.inner.to_save = ctx.inner.not_differentiable = ()

    def backward(ctx, *grads):
        members: Members = ctx.members
        dims = members.out_dims if isinstance(members.out_dims, tuple) else (members.out_dims,)
        dims = [None if grad is None else dim for grad, dim in zip(grads, dims)]

        def go_back(saved: list, given: list):
            ctx.inner.saved_tensors = tuple(saved)
            results = cls.backward(ctx.inner, *given)
            ctx.inner.saved_tensors = ()
            return list(results) if isinstance(results, (list, tuple)) else [results]

        results, places = members.called(go_back, (list(ctx.saved_tensors), list(ctx.saved_dims)), (list(grads), dims))
        return (None, *[reduced(grad, place, dim, shape, members.size) for grad, place, dim, shape in
                        zip(results, places, members.dims, members.shapes)])

    return type(f"Vmapped{cls.__name__}", (Function,), {
        "forward": staticmethod(forward), "setup_context": staticmethod(setup_context),
        "backward": staticmethod(backward), "generate_vmap_rule": True})


def reduced(grad, place: int | None, dim: int | None, shape: tuple | None, size: int):
    """The gradient of an input that has its batch at a dimension, or is the same for all members: then their sum."""
    if not isinstance(grad, Tensor):
        return grad
    if place is None:
        grad, place = aten.expand(grad, (size, *grad.shape)), 0
        if dim is None:
            return aten.sum_to_size(aten.sum(grad, (0,)), tuple(shape))
    level = batch_levels.push(size, batch_levels.ERROR)
    try:
        member = aten.sum_to_size(batched.wrap(grad, place, level), tuple(shape))
        if dim is not None:
            return remove_batch_dim(member, level, size, dim)
        value, place = batched.unwrap(member, level)
    finally:
        batch_levels.pop()
    return aten.sum(value, (place,))

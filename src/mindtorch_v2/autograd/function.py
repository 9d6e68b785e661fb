"""Functions with a derivative of their own: torch.autograd.Function."""

from __future__ import annotations

import functools
import inspect
import warnings
from functools import partial

from ..core import describe, forward_levels, modes
from ..core.dtype import FLOATING
from ..core.fields import node_of, set_history
from ..core.overrides import NO
from ..core.slots import Work
from ..core.tensor import Tensor
from ..record import rows
from ..record.names import names
from ..record.plain_text import name_of_type
from . import dirty, function_inputs, function_jvp, view_replay
from . import node as nodes
from .copy_slices import write_through
from .node import FREED, INFERENCE, Node
from .saved import Packed, pack
from .special_nodes import DelayedError
from .view_kinds import CUSTOM, ONE_OF_SEVERAL, PLAIN

ENGINE_ARGUMENTS = 2  # gradients and edges


class FunctionCtx(Node):
    """What forward notes for backward; it is also the node of the graph."""

    def __init__(self):
        super().__init__()
        self.saved = self.saved_for_forward = None
        self.dirty = self.to_save = self.not_differentiable = ()
        self.materialize = True
        self._is_pure_view = False
        self._materialize_non_diff_grads = True
        self.apart = set()  # outputs that get no gradient
        self.needs_input_grad = ()
        self.wants_undefined = True

    def name(self) -> str:
        return type(self).__name__

    __repr__ = object.__repr__  # with the class's module, unlike the nodes of ops

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward, without keeping them alive in a circle."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for ``jvp``, which finds them as ``saved_tensors``."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward wrote in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs get no gradient."""
        self.not_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether a missing gradient arrives as zeros (default) or as None."""
        self.materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        if self.saved_for_forward is not None:
            return self.saved_for_forward
        if self.released:
            raise RuntimeError(FREED)
        return tuple([self.unpacked(at) for at in range(len(self.saved or ()))])

    def unpacked(self, at: int) -> Tensor | None:
        """One of the saved tensors, as it was saved."""
        tensor, version, number = self.saved[at]
        if isinstance(tensor, Packed):
            tensor = tensor.unpack()
        elif tensor is not None and tensor._version != version:
            if number < 0:
                raise RuntimeError(nodes.overwritten_input(tensor, tensor._version, version))
            raise RuntimeError(nodes.overwritten(tensor, tensor._version, version, self, number))
        if number >= 0:
            tensor = Work.kept(tensor)
            set_history(tensor, self, number, True)
        return tensor

    @property
    def _raw_saved_tensors(self) -> tuple:
        from .saved_tensor import of_function
        return of_function(self)

    @property
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """The old name of saved_tensors."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    def release(self) -> None:
        if self.saved:  # a function that saved nothing can be gone through again
            self.released = True
            self.saved = None

    def keep(self, outputs: list) -> None:
        """Turn what forward asked to save into what backward will find."""
        saved = []
        to_save, self.to_save = self.to_save, ()  # hooks may end this early, and a result would hold its node for good
        for i, tensor in enumerate(to_save):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(f"save_for_backward can only save variables, but argument {i} is of type "
                                f"{type(tensor).__name__}")
            if tensor is not None and tensor._mt_inference:
                raise RuntimeError(INFERENCE)
            number = next((n for n, out in enumerate(outputs) if out is tensor and tensor is not None), -1)
            if number < 0 or not tensor._mt_requires or (
                    node_of(tensor) is not self and not any(tensor is t for t in self.dirty)):
                number = -1
            version = 0 if tensor is None else tensor._version
            kept = tensor if tensor is None else pack(tensor, number >= 0)
            saved.append((Work.kept(kept) if kept is tensor and number >= 0 else kept, version, number))
        self.saved = saved

    def called(self, grads: list):
        """What backward returns: it gets the gradients one by one, or, if it wants to let go of them, in a list."""
        backward = _backward_of(self.function)
        if self.function.boxed_grads_call:
            return backward(self, grads)
        given = tuple(grads)
        grads.clear()
        return backward(self, *given)

    def gradients(self, grads: list, edges: list) -> list:
        """What backward says, checked; a gradient that is missing arrives as zeros if forward left it at that."""
        if self.released:
            raise RuntimeError(FREED)
        if self.materialize:
            for i in range(len(grads)):  # no name for a gradient here: backward may want to let go of it
                if grads[i] is None and self.outputs[i] is not None and (
                        self._materialize_non_diff_grads or i not in self.apart):
                    grads[i] = Work.zeros(*self.outputs[i])
        results = self.called(grads)
        results = results if isinstance(results, tuple) else tuple(results) if isinstance(results, list) else (results,)
        expected = len(self.positions)
        if len(results) > expected and all(g is None for g in results[expected:]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(f"function {self.name()} returned an incorrect number of gradients (expected "
                               f"{expected}, got {len(results)})")
        wanted = []
        for i, grad in enumerate(results):
            if not self.positions[i]:
                if grad is not None:
                    raise RuntimeError(f"function {self.name()} returned a gradient different from None at position "
                                       f"{i + 1}, but the corresponding forward input was not a Variable")
                continue
            if grad is not None and not isinstance(grad, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
            wanted.append(grad)
        return wanted


class BackwardCFunction(FunctionCtx):
    """The node of a Function in the graph."""

    def apply(self, *given):
        """The engine's call with gradients and edges, or a user's with gradients."""
        if len(given) == ENGINE_ARGUMENTS and isinstance(given[1], list):
            return self.gradients(*given)
        return self.called(list(given))


class Function(FunctionCtx):
    """Subclass it with static ``forward(ctx, ...)`` and ``backward(ctx, *grads)``, call it with ``apply``."""

    generate_vmap_rule = False
    boxed_grads_call = False  # whether backward takes all gradients in one list

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        members = {"function": cls, "_forward_cls": cls}
        cls._backward_cls = type(cls.__name__ + "Backward", (BackwardCFunction,), members)

    def __init__(self, *args, **kwargs):
        super().__init__()
        warnings.warn(f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you "
                      "should invoke them on the class itself. Instantiating an autograd function will raise an error "
                      "in a future version of PyTorch.", DeprecationWarning, stacklevel=2)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Legacy autograd function with non-static forward method is deprecated. Please use "
                           "new-style autograd function with static forward method. (Example: "
                           "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)")

    @staticmethod
    def forward(*args, **kwargs):
        """Compute the result; with ``setup_context`` defined, it gets no ctx."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Note on ctx what backward needs, for a forward that has no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of the inputs, given those of the outputs."""
        raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                  "autograd.Function to use it with backward mode AD.")

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """The tangents of the outputs, given those of the inputs."""
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with "
                                  "forward mode AD.")

    @staticmethod
    def vmap(info, in_dims, *args):
        """The outputs for a batch and where its dimension is in each, given where it is in each argument."""
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod "
                                  "or set generate_vmap_rule=True.")

    vjp = backward  # the same under its other name: a Function defines one of the two

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run forward, and remember backward; what is given by name takes its place among the arguments."""
        if kwargs or cls.setup_context is not Function.setup_context:
            args = _in_order(cls, args, kwargs)
        answer = Work.apply_to_members(cls, args)
        if answer is not NO:
            return answer
        if not rows.is_listening():
            return run_function(cls, args)
        sequence = modes.peek_sequence() if modes.is_grad_enabled() else -1
        row = describe.open_call(names.number(name_of_type(cls)), 0, sequence, function_inputs.shown(args),
                                 rows.is_listening(), 0)
        try:
            return run_function(cls, args)
        finally:
            rows.close_range(row)


def _backward_of(cls):
    """What goes back through a Function: its ``backward``, or ``vjp``."""
    if cls.vjp is Function.vjp:
        return cls.backward
    if cls.backward is not Function.backward:
        raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should "
                           "only implement one of them.")
    return cls.vjp


def _in_order(cls, args: tuple, kwargs: dict) -> tuple:
    """All arguments by position, as forward declares them; for ``setup_context``, defaults are among them."""
    signature = inspect.signature(cls.forward)
    takes_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    for name in kwargs:
        if name not in signature.parameters and not takes_any:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    apart = cls.setup_context is not Function.setup_context
    try:
        bound = signature.bind(*args, **kwargs) if apart else signature.bind(None, *args, **kwargs)
    except TypeError as error:
        raise TypeError(f"forward() got {error}" if str(error).startswith("multiple") else str(error)) from None
    if apart:
        bound.apply_defaults()
    for name in bound.kwargs:
        raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return bound.args if apart else bound.args[1:]


def run_function(cls, args: tuple, forward=None):
    """Forward, or what is given in its place, and the node that leads back through backward."""
    ctx = cls._backward_cls()
    tensors = [a for a in args if isinstance(a, Tensor)]
    needs = modes.is_grad_enabled() and any(t._mt_requires for t in tensors)
    ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._mt_requires for a in args)
    ctx.positions = [isinstance(a, Tensor) for a in args]
    if needs:
        for t in tensors:
            nodes.connect(ctx, t)
        nodes.number(ctx)
    levels = function_jvp.levels_among(args)
    before, enabled = modes.set_grad(False), forward_levels.set_enabled(False)
    try:
        if cls.setup_context is Function.setup_context:
            output = cls.forward(ctx, *args)
        else:
            output = cls.forward(*args) if forward is None else forward(*args)
            cls.setup_context(ctx, args, output)
    finally:
        modes.set_grad(before)
        forward_levels.set_enabled(enabled)
    several = isinstance(output, tuple)  # a list is not looked into
    if ctx.dirty:
        dirty.check(ctx.dirty, tensors, output if several else (output,), needs)
    has_tangents = bool(levels)
    outputs = [_attach(ctx, out, i, tensors, needs, has_tangents)
               for i, out in enumerate(output if several else (output,))]
    _mark_views(cls, ctx, args, outputs)
    if needs:
        ctx.keep(outputs)
    if levels:
        ctx.saved_for_forward = ctx.saved_for_forward or ()
        function_jvp.carry(ctx, args, outputs, levels)
    ctx.saved_for_forward = None
    ctx.dirty = ctx.not_differentiable = ctx.to_save = ()  # else a result and its node would hold each other
    return tuple(outputs) if several else outputs[0]


def _mark_views(cls, ctx: FunctionCtx, args: tuple, outputs: list) -> None:
    """Say of outputs that are views why nobody may write into them, or, of a pure view, how it is made anew."""
    tensors = [out for out in outputs if isinstance(out, Tensor)]
    if ctx._is_pure_view and (len(tensors) != 1 or ctx.positions.count(True) != 1):
        raise RuntimeError("Pure view custom Function can only have one input Tensor and one output Tensor. Open an "
                           "issue if you need to support more.")
    differentiable = [out for out in tensors if node_of(out) is ctx]
    for out in tensors:
        if out._mt_base is None or any(out is t for t in ctx.dirty):
            continue
        if ctx._is_pure_view:
            out._mt_view_kind = PLAIN
            view_replay.note_function(out, args, partial(_forward_alone, cls))
        else:
            out._mt_view_kind = ONE_OF_SEVERAL if len(differentiable) > 1 else CUSTOM


def _forward_alone(cls, *args):
    """What a Function's forward makes of arguments, without its backward."""
    if cls.setup_context is Function.setup_context:
        return cls.forward(cls._backward_cls(), *args)
    return cls.forward(*args)


def _attach(ctx: FunctionCtx, out, number: int, inputs: list, needs: bool, has_tangents: bool):
    """An output's place in the graph; an input handed back untouched becomes a new tensor on the same data."""
    if not isinstance(out, Tensor):
        ctx.outputs += (None,)
        return out
    is_dirty = any(out is t for t in ctx.dirty)
    apart = not needs or any(out is t for t in ctx.not_differentiable) or out.dtype.category < FLOATING
    if not is_dirty and (needs or has_tangents) and any(out is t for t in inputs):
        out = _seen_anew(out)
    if apart:
        ctx.outputs += ((out._mt_array.shape, out.dtype),)
        ctx.apart.add(number)
        return out
    if is_dirty and out._mt_base is not None:
        write_through(out, ctx)  # what it is a view of was written, too
        return out
    nodes.adopt(ctx, out, number)
    return out


def once_differentiable(fn):
    """Mark a backward that can't itself be differentiated; trying to raises."""
    @functools.wraps(fn)
    def once(ctx, *grads):
        before = modes.set_grad(False)
        try:
            results = fn(ctx, *grads)
        finally:
            modes.set_grad(before)
        if not modes.is_grad_enabled() or not any(isinstance(g, Tensor) and g._mt_requires for g in grads):
            return results
        results = results if isinstance(results, tuple) else (results,)
        refuse = DelayedError("trying to differentiate twice a function that was marked with @once_differentiable",
                              len(results))
        refused = refuse(*[g if g is None else g.detach().requires_grad_() for g in results])
        return refused if isinstance(refused, tuple) else (refused,)

    return once


FunctionMeta = type(Function)


class InplaceFunction(Function):
    """A Function that may be told to work in place."""

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


def _seen_anew(tensor: Tensor) -> Tensor:
    """A view of a tensor itself, without history; torch shows it as a row."""
    before = modes.set_grad(False)
    try:
        with forward_levels.below(0):
            return Work.view_as(tensor, tensor)
    finally:
        modes.set_grad(before)

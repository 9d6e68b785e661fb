"""An op of the user's own: its schema, and the Python functions that answer for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ..api import namespace
from ..autograd.function import Function
from ..core import modes
from ..core.dtype import DType
from ..core.overrides import NO
from ..core.tensor import Tensor, count_write
from ..devices.facts import has_values
from ..dispatch import python_dispatch
from ..opdef import form, table
from ..opdef.operator import Operator
from . import autocast_rule
from .fake_context import FakeImplCtx
from .keys import AUTOGRAD, BACKEND, IMPLICIT
from .vmap_rule import mapped

NO_BACKWARD = ("{name}: an autograd kernel was not registered to the Autograd key(s) but we are trying to backprop "
               "through it. This may lead to silently incorrect behavior. This behavior is deprecated and will be "
               "removed in a future version of PyTorch. If your operator is differentiable, please ensure you have "
               "registered an autograd kernel to the correct Autograd key (e.g. DispatchKey::Autograd, "
               "DispatchKey::CompositeImplicitAutograd). If your operator is not differentiable, or to squash this "
               "warning and use the previous behavior, please register torch::CppFunction::makeFallthrough() to "
               "DispatchKey::Autograd.")


def fallthrough_kernel():
    """Registered for a key, it stands for no function: the next key is asked."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


class Definition:
    """One overload; ``run`` is what the engine calls for it, under the op's own row."""

    def __init__(self, schema: str):
        self.kernels: dict[str, Callable] = {}
        self.vmap: Callable | None = None  # computes it for a whole batch; see vmap_rule.py
        self.autocast: dict[str, DType] = {}  # what inputs are cast to, by kind of device; see autocast_rule.py
        self.differentiated: Callable | None = None  # runs it where a gradient is wanted; see formula.py
        self.op: Operator = form.declare(schema, "Defined by torch.library.", body=self.run).op
        self.op.composite = True  # whether autograd looks into it is decided here
        namespace.added(self.op)
        DEFINITIONS[self.name] = self
        if self.name in AWAITED_FAKES:
            self.kernels["Meta"] = AWAITED_FAKES.pop(self.name)

    @property
    def name(self) -> str:
        return f"{self.op.event}{'.' + self.op.overload if self.op.overload else ''}"

    def forget(self) -> None:
        """Take the definition back."""
        table.NAMESPACES[self.op.schema.namespace].remove(self.op)
        namespace.removed(self.op)
        DEFINITIONS.pop(self.name, None)

    def run(self, *args):
        kind = autocast_rule.wanted(self.autocast) if self.autocast else None
        if kind is not None:
            return autocast_rule.run_cast(self.run, args, kind, self.autocast[kind])
        if self.vmap is not None:
            result = mapped(self.vmap, args)
            if result is not NO:
                return result
        if modes.is_below_autograd():
            return self.below(args)
        for key in AUTOGRAD:
            if key in self.kernels and self.kernels[key] is not fallthrough_kernel:
                return self._call(key, args)
        wants_gradient = modes.is_grad_enabled() and any(t._mt_requires for t in tensors_in(args))
        if wants_gradient and self.differentiated is not None:
            return self.differentiated(args)
        if self._backend_key(args) is None and IMPLICIT in self.kernels:
            return self._call(IMPLICIT, args)
        if wants_gradient and "Autograd" not in self.kernels:
            return _Warned.apply(self, args, *tensors_in(args))
        return self.below(args)

    def below(self, args: tuple):
        """The work itself; autograd does not see what it is made of, modes see the op as a whole."""
        before = modes.set_below(True)
        try:
            answer = python_dispatch.ask(self.op, args)
            if answer is python_dispatch.NO:
                answer = self._call(self._backend_key(args) or IMPLICIT, args)
        finally:
            modes.set_below(before)
        for param, value in zip(self.op.schema.params, args):
            if param.alias.endswith("!") and isinstance(value, Tensor):
                count_write(value)
        return answer

    def _backend_key(self, args: tuple) -> str | None:
        keys = BACKEND if all(map(has_values, tensors_in(args))) else ("Meta", *BACKEND[1:])
        return next((key for key in keys if self.kernels.get(key, fallthrough_kernel) is not fallthrough_kernel),
                    None)

    def _call(self, key: str, args: tuple):
        if key not in self.kernels:
            raise NotImplementedError(
                f"Could not run '{self.name}' with arguments from the 'CPU' backend. This could be because the "
                "operator doesn't exist for this backend, or was omitted during the selective/custom build process. "
                f"'{self.name}' is only available for these backends: [{', '.join(self.kernels)}].")
        positional, by_name = python_dispatch.given(self.op, args)
        if key == "Meta":
            with FakeImplCtx(self.name, tensors_in(args)):
                return self.kernels[key](*positional, **by_name)
        return self.kernels[key](*positional, **by_name)


DEFINITIONS: dict[str, Definition] = {}
# What register_fake() was given for ops that are not defined yet: libraries do that for ops of their compiled half.
AWAITED_FAKES: dict[str, Callable] = {}


def tensors_in(args: tuple) -> list[Tensor]:
    """The tensors among arguments, lists opened."""
    return [t for value in args for t in (value if isinstance(value, (list, tuple)) else (value,))
            if isinstance(t, Tensor)]


class _Warned(Function):
    """An op without a derivative whose result is differentiated all the same: no gradient comes back, but a warning."""

    @staticmethod
    def forward(ctx, definition: Definition, args: tuple, *tensors):
        ctx.name, ctx.n_inputs = definition.name, len(tensors)
        return definition.below(args)

    @staticmethod
    def backward(ctx, *grads):
        warnings.warn(NO_BACKWARD.format(name=ctx.name), stacklevel=2)
        return (None, None, *(None,) * ctx.n_inputs)

"""A derivative that the user gives for an op of their own: an autograd.Function around it, made once."""

from __future__ import annotations

from collections.abc import Callable

from ..autograd.function import Function
from ..core.tensor import Tensor
from .definition import Definition, tensors_in


def differentiated(definition: Definition, backward: Callable | None, setup_context: Callable | None) -> Callable:
    """What runs an op where a gradient is wanted; without ``backward``, going back is refused."""
    shown = f"{definition.op.schema.namespace}.{definition.op.name}.{definition.op.overload or 'default'}"

    def forward(ctx, args: tuple, *tensors):
        output = definition.below(args)
        ctx._args = args
        if setup_context is not None:
            n = definition.op.n_positional
            by_name = {p.name: v for p, v in zip(definition.op.schema.params[n:], args[n:])}
            more = {"keyword_only_inputs": by_name} if by_name else {}
            setup_context(ctx, inputs=args[:n], output=output, **more)
        return output

    def back(ctx, *grads):
        if backward is None:
            raise RuntimeError(f"Trying to backward through {shown} but no autograd formula was registered. Please "
                               "use register_autograd to add one.")
        gradients = backward(ctx, *grads)
        return None, *_per_tensor(shown, ctx._args, gradients if isinstance(gradients, tuple) else (gradients,))

    name = f"GeneratedBackwardFor_{shown.replace('.', '_')}"
    function = type(name, (Function,), {"forward": staticmethod(forward), "backward": staticmethod(back)})
    return lambda args: function.apply(args, *tensors_in(args))


def _per_tensor(shown: str, args: tuple, gradients: tuple) -> list[Tensor | None]:
    """The gradients of the tensors alone, from one for each argument; that of a list is a list."""
    if len(gradients) < len(args):
        gradients += (None,) * (len(args) - len(gradients))
    grads: list[Tensor | None] = []
    for value, grad in zip(args, gradients):
        if isinstance(value, (list, tuple)) and tensors_in((value,)):
            if grad is not None and len(grad) != len(value):
                raise RuntimeError(f"backward of {shown} returned {len(grad)} gradients for a list of {len(value)} "
                                   "tensors")
            grads += [None if grad is None else grad[i] for i, t in enumerate(value) if isinstance(t, Tensor)]
        elif isinstance(value, Tensor):
            grads.append(grad)
    return grads

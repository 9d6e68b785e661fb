"""Full backward hooks: a module's inputs and outputs are led through identities whose nodes report gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ...autograd.function import Function
from ...core import modes
from ...core.tensor import Tensor

_FIRING = ("Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
           "require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
           "#torch.nn.Module.register_full_backward_hook for more details.")


class BackwardHookFunction(Function):
    """Hands tensors on, and their gradients back."""

    @staticmethod
    def forward(ctx, *args):
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*[a for a in args if not a.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *args):
        return args


class BackwardHook:
    """One call of a module, watched in backward."""

    def __init__(self, module, user_hooks: list[Callable], user_pre_hooks: list[Callable]):
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs: tuple | None = None
        self.input_places: list[int] | None = None
        self.output_places: list[int] | None = None
        self.n_inputs = self.n_outputs = 0

    def setup_input_hook(self, args: tuple) -> tuple:
        """Arguments through which the gradients of the inputs are seen."""
        self.n_inputs = len(args)
        args, self.input_places = _lead_through(args, lambda node: node.register_hook(self._inputs_hook()))
        return args

    def setup_output_hook(self, result):
        """A result through which the gradients of the outputs are seen; dicts and other objects stay as they are."""
        if not isinstance(result, (Tensor, tuple)):
            return result
        results = result if isinstance(result, tuple) else (result,)
        self.n_outputs = len(results)
        results, self.output_places = _lead_through(results, lambda node: node.register_hook(self._outputs_hook()))
        return results if isinstance(result, tuple) else results[0]

    def _outputs_hook(self) -> Callable:
        def hook(grad_output, _):  # the identity hands its gradient on as it came
            self.grad_outputs = _spread(self.output_places, grad_output, self.n_outputs)
            for user_hook in self.user_pre_hooks:
                changed = user_hook(self.module, self.grad_outputs)
                if changed is not None:
                    _expect(self.n_outputs, changed, "Backward pre hook", "grad_output")
                    self.grad_outputs = changed
            given = self.grad_outputs
            if self.input_places is None:
                self._without_inputs()
            return tuple([given[i] for i in self.output_places])

        return hook

    def _without_inputs(self) -> None:
        """No input wants a gradient, so the hooks hear of the outputs' alone."""
        warnings.warn(_FIRING, stacklevel=2)
        nothing = (None,) * self.n_inputs
        for user_hook in self.user_hooks:
            changed = user_hook(self.module, nothing, self.grad_outputs)
            if changed is not None and not (isinstance(changed, tuple) and all(g is None for g in changed)):
                raise RuntimeError("Backward hook for Modules where no input requires gradient should always return "
                                   "None or None for all gradients.")
        self.grad_outputs = None

    def _inputs_hook(self) -> Callable:
        def hook(grad_input, _):
            if self.grad_outputs is None:
                return None  # the gradient came past the module's output
            grads = _spread(self.input_places, grad_input, self.n_inputs)
            for user_hook in self.user_hooks:
                changed = user_hook(self.module, grads, self.grad_outputs)
                if changed is not None:
                    _expect(self.n_inputs, changed, "Backward hook", "grad_input")
                    grads = changed
            self.grad_outputs = None
            return tuple([grads[i] for i in self.input_places])

        return hook


def _lead_through(values: tuple, attach: Callable):
    """The values with their tensors led through one identity, and where those stand; None if none is watched."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    tensors = [values[i] for i in places]
    if not modes.is_grad_enabled() or not any(t.requires_grad for t in tensors):
        return values, None
    led = BackwardHookFunction.apply(*tensors)
    led = led if isinstance(led, tuple) else (led,)
    attach(next(t.grad_fn for t in led if t.grad_fn is not None))
    replaced = list(values)
    for place, tensor in zip(places, led):
        replaced[place] = tensor
    return (type(values)(*replaced) if hasattr(values, "_fields") else tuple(replaced)), places


def _spread(places: list[int], grads: tuple, count: int) -> tuple:
    """Gradients at the places of their tensors, None elsewhere."""
    spread = [None] * count
    for place, grad in zip(places, grads):
        spread[place] = grad
    return tuple(spread)


def _expect(count: int, changed, who: str, what: str) -> None:
    if len(changed) != count:
        raise RuntimeError(f"{who} returned an invalid number of {what}, got {len(changed)}, but expected {count}")

"""The form most optimisers have: one rule for every parameter, one at a time, by lists, or fused into one op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.functions import torch
from ..autograd.grad_mode import enable_grad
from ..core.device import preserve_format
from ..core.sparse import is_sparse
from ..core.tensor import Tensor
from ..dispatch.dispatcher import call
from ..opdef import table
from .optimizer import Optimizer
from .step_range import graded_if_differentiable
from .steps import CAPTURABLE_DEVICES, number, scalar, scalar_dtype  # noqa: F401  optimizers take all of these from here

FUSED_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


class Rule(Optimizer):
    """Subclasses say what state a parameter has and how a step changes it; the choice of the way is made here.

    ``_single(group, params, grads, states)`` goes parameter by parameter and is what the CPU does unless told not to,
    ``_foreach`` uses list ops on parameters of one type, ``_fused`` one op for everything.
    """

    # Options that pickles from older versions lack, and what they meant then.
    added: dict[str, Any] = {}
    # What torch lists when a step is to be captured on a device that cannot.
    captured = "params and state_steps"
    captures_on_xla = True
    foreach_knows_differentiable = False
    takes_sparse = False
    no_sparse = "{} does not support sparse gradients"  # where it does not

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self.added.items():
                group.setdefault(name, value)
            for p in group["params"]:
                own = self.state.get(p)
                if own and "step" in own and not isinstance(own["step"], Tensor):
                    own["step"] = torch.tensor(float(own["step"]), dtype=scalar_dtype())

    @graded_if_differentiable
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Change every parameter that has a gradient; a closure computes the loss anew first."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            params, grads, states = self._gather(group)
            if params:
                lr = scalar(group["lr"])
                self._update(group if lr is group["lr"] else {**group, "lr": lr}, params, grads, states)
        return loss

    def _gather(self, group: dict[str, Any]) -> tuple[list[Tensor], list[Tensor], list[dict]]:
        """Parameters with a gradient, and the state of each, made on its first step."""
        params, grads, states = [], [], []
        find = self.state
        for p in group["params"]:
            grad = p.grad
            if grad is None:
                continue
            if grad._mt_kind is not None:
                self._check_kind(grad)
            state = find[p]
            if not state:
                self._new_state(state, p, group)
            params.append(p)
            grads.append(grad)
            states.append(state)
        return params, grads, states

    def _check_kind(self, grad: Tensor) -> None:
        """Refuse sparse gradients, as all rules but a few do."""
        if not self.takes_sparse and is_sparse(grad):
            raise RuntimeError(self.no_sparse.format(type(self).__name__))

    def _new_state(self, state: dict[str, Any], p: Tensor, group: dict[str, Any]) -> None:
        """Fill an empty state; a rule without memory leaves it empty."""

    def _update(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        if group.get("fused"):
            for of_type in by_dtype(params, grads, states):
                _check_fusable(of_type[0][0])
                self._fused(group, *of_type)
            return
        foreach = group["foreach"]
        if group.get("capturable"):
            devices = CAPTURABLE_DEVICES if self.captures_on_xla and not foreach else CAPTURABLE_DEVICES[:-1]
            raise AssertionError(f"If capturable=True, {self.captured} must be on supported devices: {devices}.")
        if not foreach or any(grad._mt_kind is not None for grad in grads):
            self._single(group, params, grads, states)
            return
        if group.get("differentiable") and not self.foreach_knows_differentiable:
            raise AssertionError("_foreach ops don't support autograd")
        for of_type in by_dtype(params, grads, states):
            self._foreach(group, *of_type)

    def _single(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        raise NotImplementedError

    def _foreach(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        raise NotImplementedError

    def _fused(self, group: dict[str, Any], params: list, grads: list, states: list) -> None:
        raise NotImplementedError

    def _scaling(self, params: list[Tensor]) -> dict[str, Tensor | None]:
        """What a GradScaler left here for a fused step: the scale of gradients, and whether one overflowed."""
        left = {name: getattr(self, name, None) for name in ("grad_scale", "found_inf")}
        return {name: None if value is None else value.to(params[0].device) for name, value in left.items()}


def by_dtype(params: list, grads: list, states: list) -> list[tuple[list, list, list]]:
    """The three lists, split by the parameters' type: list ops want one type."""
    kinds = {p.dtype for p in params}
    if len(kinds) == 1:
        return [(params, grads, states)]
    groups: dict = {}
    for p, grad, state in zip(params, grads, states):
        of_type = groups.setdefault(p.dtype, ([], [], []))
        of_type[0].append(p)
        of_type[1].append(grad)
        of_type[2].append(state)
    return list(groups.values())


def column(states: list[dict], name: str) -> list:
    """One entry of every state."""
    return [state[name] for state in states]


def real(*tensors: Tensor) -> list[Tensor]:
    """Complex tensors as pairs of numbers."""
    return [torch.view_as_real(t) for t in tensors]


def real_lists(*lists: list[Tensor]) -> list[list[Tensor]]:
    """The same for lists that belong together; the first one says whether they are complex."""
    if not lists[0][0].is_complex():
        return list(lists)
    pairs = [real(*row) for row in zip(*lists)]
    return [list(one) for one in zip(*pairs)]


def zeros_like(p: Tensor) -> Tensor:
    return torch.zeros_like(p, memory_format=preserve_format)


def new_step(group: dict[str, Any]) -> Tensor:
    """A step count at zero, made the way torch makes it for this kind of group."""
    if group.get("capturable") or group.get("fused"):
        return torch.zeros((), dtype=scalar_dtype(bool(group.get("fused"))))
    return torch.tensor(0.0, dtype=scalar_dtype())


def count(steps: list[Tensor]) -> None:
    """Add one to every step count; on the CPU torch adds a tensor, so as not to wrap the number for each of them."""
    call(table.find("_foreach_add_", "Tensor"), (steps, torch.tensor(1.0), 1.0))


def uncount(steps: list[Tensor], found_inf: Tensor | None) -> None:
    """Take back a step that a fused op left out, because a scaled gradient overflowed (``found_inf`` is one then)."""
    if found_inf is not None:
        torch._foreach_sub_(steps, [found_inf] * len(steps))


def decayed(grad: Tensor, p: Tensor, weight_decay) -> Tensor:
    """A gradient plus the decayed weights; a decay that is itself trained stays in the graph."""
    if isinstance(weight_decay, Tensor):
        if weight_decay.requires_grad:
            return grad.addcmul_(p.clone(), weight_decay)
        weight_decay = weight_decay.item()
    return grad.add(p, alpha=weight_decay)


def decay(grads: list, params: list, weight_decay, fresh: bool) -> list:
    """The same for lists, in place if the list was made during this step."""
    if fresh:
        torch._foreach_add_(grads, params, alpha=weight_decay)
        return grads
    return torch._foreach_add(grads, params, alpha=weight_decay)


def _check_fusable(p: Tensor) -> None:
    if not p.is_floating_point():
        raise RuntimeError("`fused=True` requires all the params to be floating point Tensors of supported devices: "
                           f"{FUSED_DEVICES} but {p.dtype} and {p.device}")

"""Clipping gradients, by their common norm or value by value."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable

from ...autograd.grad_mode import no_grad
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...ops.python.construct import tensor as make_tensor


@no_grad()
def get_total_norm(tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                   foreach: bool | None = None) -> Tensor:
    """The norm of several tensors taken as one vector."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return make_tensor(0.0)
    norms: list[Tensor] = []
    for group in _by_dtype(tensors):
        if foreach is None or foreach:
            norms.extend(aten._foreach_norm(group, norm_type))
        else:
            norms.extend([aten.linalg_vector_norm(t, norm_type) for t in group])
    device = tensors[0].device
    total = aten.linalg_vector_norm(aten.stack([n.to(device) for n in norms]), norm_type)
    if error_if_nonfinite and aten.logical_or(total.isnan(), total.isinf()):
        raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
                           "cannot be clipped. To disable this error and scale the gradients by the non-finite norm "
                           "anyway, set `error_if_nonfinite=False`")
    return total


@no_grad()
def clip_grads_with_norm_(parameters, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Scale gradients whose norm is known, so that it does not exceed a bound."""
    grads = _grads(parameters)
    max_norm = float(max_norm)
    if not grads:
        return
    factor = max_norm / (total_norm + 1e-6)
    at_most_one = factor.clamp(max=1.0)
    for group in _by_dtype(grads):
        here = at_most_one.to(group[0].device)
        if foreach is None or foreach:
            aten._foreach_mul_(group, here)
        else:
            for grad in group:
                grad.mul_(here)


@no_grad()
def clip_grad_norm_(parameters, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                    foreach: bool | None = None) -> Tensor:
    """Scale gradients so that their common norm does not exceed a bound; the norm they had is returned."""
    if isinstance(parameters, Tensor):
        parameters = [parameters]
    else:
        generated = isinstance(parameters, types.GeneratorType)
        parameters = list(parameters)
        if generated and not parameters:
            warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3)
    grads = [p.grad for p in parameters if p.grad is not None]
    total_norm = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total_norm, foreach)
    return total_norm


@no_grad()
def clip_grad_value_(parameters, clip_value: float, foreach: bool | None = None) -> None:
    """Bring every gradient between ``-clip_value`` and ``clip_value``."""
    clip_value = float(clip_value)
    for group in _by_dtype(_grads(parameters)):
        if foreach is None or foreach:
            aten._foreach_clamp_min_(group, -clip_value)
            aten._foreach_clamp_max_(group, clip_value)
        else:
            for grad in group:
                grad.clamp_(min=-clip_value, max=clip_value)


def clip_grad_norm(parameters, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                   foreach: bool | None = None) -> Tensor:
    """The older name of clip_grad_norm_."""
    warnings.warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
                  FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def _grads(parameters) -> list[Tensor]:
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in parameters if p.grad is not None]


def _by_dtype(tensors: Iterable[Tensor]) -> list[list[Tensor]]:
    """Tensors of one type together, as the ops on lists want them."""
    groups: dict = {}
    for tensor in tensors:
        groups.setdefault(tensor.dtype, []).append(tensor)
    return list(groups.values())

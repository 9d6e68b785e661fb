"""Reductions of what a mask lets through, with gradients that have the mask again."""

from __future__ import annotations

from collections.abc import Callable

from ...autograd import grad as gradients_of
from ...autograd.function import Function
from ...autograd.grad_mode import enable_grad
from ...core.device import strided
from ...core.tensor import Tensor
from .. import reductions as of_masks
from ..masks import Dims
from .core import MaskedTensor


def _all(data: Tensor, dim: Dims = None, *, mask: Tensor, keepdim: bool = False) -> Tensor:
    filled = data.bool() | ~mask
    return filled.all() if dim is None else filled.all(dim, keepdim)


_REDUCTIONS = {"sum": of_masks.sum, "mean": of_masks.mean, "prod": of_masks.prod, "amax": of_masks.amax,
               "amin": of_masks.amin, "argmax": of_masks.argmax, "argmin": of_masks.argmin, "all": _all,
               "var": of_masks.var, "std": of_masks.std}
_WITHOUT_GRADIENT = ("argmax", "argmin", "all")


class _Reduced(Function):
    """A reduction by torch.masked, whose gradient is found by it again."""

    @staticmethod
    def forward(ctx, masked: MaskedTensor, name: str, dim: Dims, options: dict) -> MaskedTensor:
        data, mask = masked._masked_data, masked._masked_mask
        if data.layout != strided:
            data, mask = data.to_dense(), mask.to_dense()
        ctx.name, ctx.dim, ctx.options = name, dim, options
        ctx.save_for_backward(data, mask)
        if name in _WITHOUT_GRADIENT:
            ctx.set_materialize_grads(False)
        result = _REDUCTIONS[name](data, dim, mask=mask, **options)
        keepdim = options.get("keepdim", False)
        kept = mask.any() if dim is None and not keepdim else _any(mask, dim, keepdim)
        return MaskedTensor(result, kept)

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple:
        data, mask = ctx.saved_tensors
        with enable_grad():
            leaf = data.detach().requires_grad_()
            result = _REDUCTIONS[ctx.name](leaf, ctx.dim, mask=mask, **ctx.options)
        given = grad._masked_data if isinstance(grad, MaskedTensor) else grad
        (found_grad,) = gradients_of(result, leaf, given.expand(result.shape))
        return MaskedTensor(found_grad, mask), None, None, None


def _any(mask: Tensor, dim: Dims, keepdim: bool) -> Tensor:
    """Where anything is left, over one dimension or several."""
    dims = range(mask.dim()) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    for place in sorted((d % max(mask.dim(), 1) for d in dims), reverse=True):
        mask = mask.any(place, keepdim)
    return mask


def reduction_named(func: Callable) -> Callable | None:
    """The reduction that a function or a method of torch's stands for."""
    name = getattr(func, "__name__", "")
    if name not in _REDUCTIONS:
        return None

    def reduce(input: MaskedTensor, dim: Dims = None, *, keepdim: bool = False, **options) -> MaskedTensor:
        if keepdim:
            options["keepdim"] = True
        return _Reduced.apply(input, name, dim, options)
    return reduce

"""Ways of pruning: which elements or channels go."""

from __future__ import annotations

import numbers

from ...api.install import FUNCTIONS
from ...core.device import contiguous_format
from ...core.tensor import Tensor
from ..modules.module import Module
from .pruning_method import BasePruningMethod

abs_, kthvalue, norm, rand, rand_like, topk, zeros_like = (
    FUNCTIONS[name] for name in ("abs", "kthvalue", "norm", "rand", "rand_like", "topk", "zeros_like"))


class Identity(BasePruningMethod):
    """Nothing goes; the parameter is only taken apart."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str):
        return super().apply(module, name)


class RandomUnstructured(BasePruningMethod):
    """Elements at random."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=contiguous_format)
        if count != 0:
            chances = rand_like(t)
            highest = topk(chances.view(-1), k=count)
            mask.view(-1)[highest.indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount):
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """The elements nearest to zero."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=contiguous_format)
        if count != 0:
            lowest = topk(abs_(t).view(-1), k=count, largest=False)
            mask.view(-1)[lowest.indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount, importance_scores: Tensor | None = None):
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Channels at random."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        _check_channels(t, self.dim)
        channels = t.shape[self.dim]
        count = _count(self.amount, channels)
        if count == 0:
            return default_mask
        mask = _of_channels(t, self.dim, _drawn(channels, count))
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount, dim: int = -1):
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """The channels with the smallest norms."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim: int = -1) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        _check_channels(t, self.dim)
        channels = t.shape[self.dim]
        count = _count(self.amount, channels)
        norms = _compute_norm(t, self.n, self.dim)
        highest = topk(norms, k=channels - count, largest=True)
        if count == 0:
            return default_mask
        mask = _of_channels(t, self.dim, highest.indices)
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount, n, dim: int, importance_scores: Tensor | None = None):
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """What a mask of the user's own leaves out."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"default_mask shape {default_mask.shape} must match self.mask shape "
                                 f"{self.mask.shape}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Tensor):
        return super().apply(module, name, mask=mask)


def _drawn(channels: int, count: int) -> Tensor:
    """Which channels stay where some of them go at random."""
    chances = rand(channels)
    return chances > kthvalue(chances, k=count).values


def _of_channels(t: Tensor, dim: int, kept: Tensor) -> Tensor:
    """The mask that keeps some channels."""
    mask = zeros_like(t)
    index = [slice(None)] * len(t.shape)
    index[dim] = kept
    mask[tuple(index)] = 1
    return mask


def _validate_pruning_amount_init(amount) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    is_count = isinstance(amount, numbers.Integral)
    if amount < 0 if is_count else not 0.0 <= float(amount) <= 1.0:
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _validate_pruning_amount(amount, tensor_size: int) -> None:
    if isinstance(amount, numbers.Integral) and amount > tensor_size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}")


def _compute_nparams_toprune(amount, tensor_size: int) -> int:
    """How many of so many go."""
    return amount if isinstance(amount, numbers.Integral) else round(amount * tensor_size)


def _count(amount, size: int) -> int:
    """The same, where there are as many."""
    count = _compute_nparams_toprune(amount, size)
    _validate_pruning_amount(count, size)
    return count


def _check_channels(t: Tensor, dim: int) -> None:
    if len(t.shape) <= 1:
        raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                         f"{t.shape} with {len(t.shape)} dims")
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_norm(t: Tensor, n, dim: int) -> Tensor:
    dims = list(range(t.dim()))
    dims.remove(dims[dim] if dim < 0 else dim)
    return norm(t, p=n, dim=dims)

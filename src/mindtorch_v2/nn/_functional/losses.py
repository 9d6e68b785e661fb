"""Losses of numbers and of classes."""

from __future__ import annotations

import math
import warnings

from ...api.install import FUNCTIONS
from ...autograd.grad_mode import no_grad
from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .._reduction import get_enum, legacy_get_enum, legacy_get_string


def _chosen(size_average: bool | None, reduce: bool | None, reduction: str) -> int:
    """The reduction's number, from its name or from the flags it replaced."""
    if size_average is not None or reduce is not None:
        return legacy_get_enum(size_average, reduce)
    return get_enum(reduction)


def _warn_sizes(input: Tensor, target: Tensor) -> None:
    if target.size() != input.size():
        warnings.warn(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
                      "This will likely lead to incorrect results due to broadcasting. Please ensure they have the "
                      "same size.", stacklevel=3)


def _weighted(input: Tensor, weight: Tensor, reduction: str, losses) -> Tensor:
    """Losses of single values, weighted; their mean is over the weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = losses() * weight
    if reduction == "none":
        return weighted
    if reduction == "sum":
        return weighted.sum()
    if reduction == "mean":
        return weighted.sum() / weight.sum()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def mse_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
             reduction: str = "mean", weight: Tensor | None = None) -> Tensor:
    """The squared difference."""
    if asked(input, target, weight):
        return overridden(mse_loss, locals())
    _warn_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    input, target = aten.broadcast_tensors((input, target))
    if weight is not None:
        return _weighted(input, weight, reduction, lambda: (input - target) ** 2)
    return aten.mse_loss(input, target, get_enum(reduction))


def l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
            reduction: str = "mean", weight: Tensor | None = None) -> Tensor:
    """The absolute difference."""
    if asked(input, target, weight):
        return overridden(l1_loss, locals())
    _warn_sizes(input, target)
    if size_average is not None or reduce is not None:
        reduction = legacy_get_string(size_average, reduce)
    input, target = aten.broadcast_tensors((input, target))
    if weight is not None:
        return _weighted(input, weight, reduction, lambda: (input - target).abs())
    return aten.l1_loss(input, target, get_enum(reduction))


def smooth_l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                   reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Squared where the difference is below ``beta``, absolute above."""
    if asked(input, target):
        return overridden(smooth_l1_loss, locals())
    _warn_sizes(input, target)
    chosen = _chosen(size_average, reduce, reduction)
    input, target = aten.broadcast_tensors((input, target))
    if beta == 0.0:
        return aten.l1_loss(input, target, chosen)
    return aten.smooth_l1_loss(input, target, chosen, beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0,
               weight: Tensor | None = None) -> Tensor:
    """Squared where the difference is below ``delta``, absolute above, scaled by ``delta``."""
    if asked(input, target, weight):
        return overridden(huber_loss, locals())
    _warn_sizes(input, target)
    input, target = aten.broadcast_tensors((input, target))
    if weight is None:
        return aten.huber_loss(input, target, get_enum(reduction), delta)
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = aten.huber_loss(input, target, 0, delta) * weight
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    return weighted if reduction == "none" else weighted.mean() if reduction == "mean" else weighted.sum()


def kl_div(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
           reduction: str = "mean", log_target: bool = False) -> Tensor:
    """The divergence of a distribution from another, given as logarithms."""
    if asked(input, target):
        return overridden(kl_div, locals())
    if size_average is not None or reduce is not None:
        chosen = legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn("reduction: 'mean' divides the total loss by both the batch size and the support "
                          "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
                          "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
                          "release.", stacklevel=2)
        chosen = get_enum("sum" if reduction == "batchmean" else reduction)
    result = aten.kl_div(input, target, chosen, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0 and chosen == 2:
        result = result / input.size()[0]
    return result


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                  ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
                  label_smoothing: float = 0.0) -> Tensor:
    """How badly scores predict classes, or shares of classes."""
    if asked(input, target, weight):
        return overridden(cross_entropy, locals())
    chosen = _chosen(size_average, reduce, reduction)
    return aten.cross_entropy_loss(input, target, weight, chosen, ignore_index, label_smoothing)


def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
             ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """The negative of each sample's log-probability."""
    if asked(input, target, weight):
        return overridden(nll_loss, locals())
    chosen = _chosen(size_average, reduce, reduction)
    return aten.nll_loss_nd(input, target, weight, chosen, ignore_index)


def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
             reduction: str = "mean", zero_infinity: bool = False) -> Tensor:
    """How badly sequences of scores spell labels, whatever the alignment."""
    if asked(log_probs, targets, input_lengths, target_lengths):
        return overridden(ctc_loss, locals())
    return FUNCTIONS["ctc_loss"](log_probs, targets, input_lengths, target_lengths, blank, get_enum(reduction),
                                 zero_infinity)


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """How badly probabilities predict yes or no."""
    if asked(input, target, weight):
        return overridden(binary_cross_entropy, locals())
    chosen = _chosen(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) "
                         "is deprecated. Please ensure they have the same size.")
    if weight is not None:
        weight = weight.expand(target.size())
    return aten.binary_cross_entropy(input, target, weight, chosen)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None,
                                     size_average: bool | None = None, reduce: bool | None = None,
                                     reduction: str = "mean", pos_weight: Tensor | None = None) -> Tensor:
    """binary_cross_entropy of scores, whose sigmoid is the probability."""
    if asked(input, target, weight, pos_weight):
        return overridden(binary_cross_entropy_with_logits, locals())
    chosen = _chosen(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return aten.binary_cross_entropy_with_logits(input, target, weight, pos_weight, chosen)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False,
                     size_average: bool | None = None, eps: float = 1e-8, reduce: bool | None = None,
                     reduction: str = "mean") -> Tensor:
    """The negative log-likelihood of counts under a Poisson distribution."""
    if asked(input, target):
        return overridden(poisson_nll_loss, locals())
    return aten.poisson_nll_loss(input, target, log_input, full, eps, _chosen(size_average, reduce, reduction))


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor | float, full: bool = False, eps: float = 1e-6,
                      reduction: str = "mean") -> Tensor:
    """The negative log-likelihood of values under a normal distribution with the given variances."""
    if asked(input, target, var):
        return overridden(gaussian_nll_loss, locals())
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * aten.ones_like(input)
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    var = _fitting_variance(var, input)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()


def _fitting_variance(var: Tensor, input: Tensor) -> Tensor:
    """One variance a value, one a sample, or one along a single dimension."""
    have, want = tuple(var.size()), tuple(input.size())
    if have == want:
        return var
    if want[:-1] == have:
        return var.unsqueeze(-1)
    if len(have) == len(want) and sum(h for h, w in zip(have, want) if h != w) == 1:
        return var
    raise ValueError("var is of incorrect size")

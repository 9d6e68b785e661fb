"""Cross entropy of what a linear layer computes."""

from __future__ import annotations

from ...core.dtype import FLOATING, DType, bfloat16, float16, float32
from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .._reduction import get_enum

USUAL_IGNORED = -100


def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
                         weight: Tensor | None = None, reduction: str = "mean", ignore_index: int | None = None,
                         label_smoothing: float = 0.0, options=None) -> Tensor:
    """How badly the scores of a linear layer predict classes, or shares of classes."""
    if asked(input, linear_weight, target, linear_bias, weight):
        return overridden(linear_cross_entropy, locals())
    _check(input, linear_weight, linear_bias)
    classes, *places, features = linear_weight.shape
    if options is not None:
        rows = input.shape[0] if input.dim() == 2 else 1
        _check_sum_type(options._adjust(rows, features, classes, input.dtype, input.device).acc_dtype, input.dtype)
    if target.dtype.category == FLOATING and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if places:
        linear_weight = linear_weight.reshape(-1, features)
        linear_bias = None if linear_bias is None else linear_bias.reshape(-1)
    scores = aten.linear(input, linear_weight, linear_bias)
    scores = scores.reshape(*input.shape[:-1], classes, *places)
    if not input.dim() == 2 and target.dim() == 1 and target.numel() == 1 and not places:
        target = target.reshape(())
    ignored = USUAL_IGNORED if ignore_index is None else ignore_index
    return aten.cross_entropy_loss(scores, target, weight, get_enum(reduction), ignored, label_smoothing)


def _check_sum_type(wanted: DType, dtype: DType) -> None:
    """Whether sums of the type that was asked for can be had for an input."""
    if wanted is not dtype and not (wanted is float32 and dtype in (float16, bfloat16)):
        raise RuntimeError("linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got "
                           f"{wanted} acc_dtype and {dtype} inputs.")


def _check(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | None) -> None:
    if input.dim() not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}")
    if input.shape[-1] != linear_weight.shape[-1]:
        raise RuntimeError("expected equal input and linear_weight last dimensions (in_features), got "
                           f"{input.shape[-1]} and {linear_weight.shape[-1]}, respectively")
    if linear_weight.dim() > 2 and input.dim() == 1:
        raise RuntimeError(f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires "
                           f"batched input, (N, {input.shape[-1]}), got unbatched input with shape "
                           f"{tuple(input.shape)}")
    if linear_bias is not None and linear_bias.shape != linear_weight.shape[:-1]:
        raise RuntimeError(f"expected linear_bias shape {tuple(linear_weight.shape[:-1])}, got "
                           f"{tuple(linear_bias.shape)}")

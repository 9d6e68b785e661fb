"""Dropout: single values, whole channels, and the kind that keeps mean and variance."""

from __future__ import annotations

import warnings

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten

_ONE_D = ("dropout1d: Expected 2D or 3D input, but received a {}D input. Note that dropout1d exists to provide "
          "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch "
          "dimension (i.e. 2D or 3D inputs).")
_ODD = ("dropout{n}d: Received a {dim}-D input to dropout{n}d, which is deprecated and will result in an error in a "
        "future release. To retain the behavior and silence this warning, please use dropout instead. Note that "
        "dropout{n}d exists to provide channel-wise dropout on inputs with {n} spatial dimensions, a channel "
        "dimension, and an optional batch dimension (i.e. {low}D or {high}D inputs).")
_THREE_D = ("dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired "
            "- input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a "
            "future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain "
            "the 1D channel-wise dropout behavior, please switch to using dropout1d instead.")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero each value with probability ``p`` and scale up the rest."""
    if asked(input):
        return overridden(dropout, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    return aten.dropout_(input, p, training) if inplace else aten.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout to selu's floor, which keeps mean and variance."""
    if asked(input):
        return overridden(alpha_dropout, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    return (aten.alpha_dropout_ if inplace else aten.alpha_dropout)(input, p, training)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """alpha_dropout of whole channels."""
    if asked(input):
        return overridden(feature_alpha_dropout, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    return (aten.feature_alpha_dropout_ if inplace else aten.feature_alpha_dropout)(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole rows: (N, C, L) or (C, L)."""
    if asked(input):
        return overridden(dropout1d, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(_ONE_D.format(input.dim()))
    return _channels(input, p, training, inplace, batched=input.dim() == 3)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole planes: (N, C, H, W)."""
    if asked(input):
        return overridden(dropout2d, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    if input.dim() not in (3, 4):
        warnings.warn(_ODD.format(n=2, dim=input.dim(), low=3, high=4), stacklevel=2)
    if input.dim() == 3:
        warnings.warn(_THREE_D, stacklevel=2)
    return _channels(input, p, training, inplace, batched=True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole volumes: (N, C, D, H, W) or (C, D, H, W)."""
    if asked(input):
        return overridden(dropout3d, locals())
    if p < 0.0 or p > 1.0:
        _complain(p)
    if input.dim() not in (4, 5):
        warnings.warn(_ODD.format(n=3, dim=input.dim(), low=4, high=5), stacklevel=2)
    return _channels(input, p, training, inplace, batched=input.dim() != 4)


def _channels(input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Tensor:
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = (aten.feature_dropout_ if inplace else aten.feature_dropout)(input, p, training)
    if not batched:
        result = result.squeeze_(0) if inplace else result.squeeze(0)
    return result


def _complain(p: float) -> None:
    raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")

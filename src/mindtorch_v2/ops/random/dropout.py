# cython: annotation_typing=False
"""Dropout: elements, or whole channels, set to zero at random and the rest scaled up."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.tensor import numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op, declare

ALPHA = 1.7580993408473766  # where selu levels off, which alpha dropout uses for zero


def _checked(p, train, self):
    """Whether there is anything to drop."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
    return train and p != 0 and numel_of(self) != 0


def _all_gone(self):
    return aten.zeros((), dtype=self.dtype, layout=strided)


def _channels(self):
    """Memory for one number per channel of each sample."""
    shape = shape_of(self)
    if len(shape) < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return aten.new_empty(self, (*shape[:2], *[1] * (len(shape) - 2)))


def _noise(self, p, feature):
    """What self is multiplied by: zero, or the inverse of the share that is kept."""
    noise = _channels(self) if feature else aten.empty_like(self)
    return aten.div_(aten.bernoulli_(noise, 1 - p), 1 - p)


def _alpha_noise(self, p, feature):
    """What self is multiplied by, and what is added, so that selu's mean and variance survive."""
    noise = _channels(self) if feature else aten.empty_like(self)
    kept = aten.bernoulli_(noise, 1 - p)
    a = 1 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    shift = aten.add_(aten.mul_(aten.add(kept, -1), ALPHA * a), ALPHA * a * p)
    return aten.mul_(kept, a), shift


def _dropout(self, p, train, feature, multiply):
    if not _checked(p, train, self):
        return self
    return multiply(self, _all_gone(self) if p == 1 else _noise(self, p, feature))


def _alpha_dropout(self, p, train, feature, multiply):
    if not _checked(p, train, self):
        return self
    if p == 1:
        return multiply(self, _all_gone(self))
    scale, shift = _alpha_noise(self, p, feature)
    return aten.add_(multiply(self, scale), shift)


# name, how, whether whole channels go, what it is
DROPOUTS = [
    ("dropout", _dropout, False, "Elements set to zero with probability p while training."),
    ("feature_dropout", _dropout, True, "Whole channels set to zero with probability p while training."),
    ("alpha_dropout", _alpha_dropout, False, "Dropout that keeps the mean and variance of what selu gives."),
    ("feature_alpha_dropout", _alpha_dropout, True, "alpha_dropout of whole channels."),
]


def _declare(name: str, drop, feature: bool, doc: str) -> None:
    declare(f"{name}(Tensor input, float p, bool train) -> Tensor", doc,
            body=lambda input, p, train: drop(input, p, train, feature, aten.mul))
    declare(f"{name}_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", doc,
            body=lambda self, p, train: drop(self, p, train, feature, aten.mul_))


for _row in DROPOUTS:
    _declare(*_row)


class NativeDropout(Op):
    """Dropout that also returns what was kept."""

    schema = "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)"

    def body(input, p, train):
        if not numel_of(input):
            return input, aten.empty_like(input)
        if train is False:
            mask = aten.ones_like(input, dtype=dtypes.bool_, layout=strided)
            return aten.clone(input), mask
        mask = aten.bernoulli_(aten.empty_like(input, dtype=dtypes.bool_, layout=strided), 1 - p)
        return aten.mul_(aten.mul(input, mask), _scale(p)), mask

    def grad_input(grad, result1, p, train):
        return aten.native_dropout_backward(grad, result1, _scale(p) if train else 1.0)


def _scale(p):
    return 0.0 if p == 1 else 1 / (1 - p)


class NativeDropoutBackward(Op):
    """Derivative of native_dropout."""

    schema = "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor"
    node = "NativeDropoutBackwardBackward0"

    def body(grad_output, mask, scale):
        return aten.mul(aten.mul(grad_output, mask), scale)

    def grad_grad_output(grad, mask, scale):
        return aten.native_dropout_backward(grad, mask, scale)

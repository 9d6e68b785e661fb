"""Dropout: elements, or whole channels, set to zero at random and the rest scaled up."""

from __future__ import annotations

import math

from ..core import dtype as dtypes
from ..core.device import strided
from ..dispatch.aten import aten
from ..opdef.form import Op

ALPHA = 1.7580993408473766  # where selu levels off, which alpha dropout uses for zero


def _checked(p, train, self):
    """Whether there is anything to drop."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
    return train and p != 0 and self.array.size != 0


def _all_gone(self):
    return aten.zeros((), dtype=self.dtype, layout=strided)


def _channels(self):
    """Memory for one number per channel of each sample."""
    shape = self.array.shape
    if len(shape) < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return aten.new_empty(self, (*shape[:2], *[1] * (len(shape) - 2)))


def _noise(self, p, feature):
    """What self is multiplied by: zero, or the inverse of the share that is kept."""
    made = _channels(self) if feature else aten.empty_like(self)
    return aten.div_(aten.bernoulli_(made, 1 - p), 1 - p)


def _alpha_noise(self, p, feature):
    """What self is multiplied by, and what is added, so that selu's mean and variance survive."""
    made = _channels(self) if feature else aten.empty_like(self)
    kept = aten.bernoulli_(made, 1 - p)
    a = 1 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    shift = aten.add_(aten.mul_(aten.add(kept, -1), ALPHA * a), ALPHA * a * p)
    return aten.mul_(kept, a), shift


class Dropout(Op):
    """Elements of input set to zero with probability p while training."""

    schema = "dropout(Tensor input, float p, bool train) -> Tensor"

    def body(input, p, train):
        if not _checked(p, train, input):
            return input
        return aten.mul(input, _all_gone(input) if p == 1 else _noise(input, p, False))


class DropoutInplace(Op):
    """dropout in place."""

    schema = "dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"

    def body(self, p, train):
        if not _checked(p, train, self):
            return self
        return aten.mul_(self, _all_gone(self) if p == 1 else _noise(self, p, False))


class FeatureDropout(Op):
    """Whole channels set to zero with probability p while training."""

    schema = "feature_dropout(Tensor input, float p, bool train) -> Tensor"

    def body(input, p, train):
        if not _checked(p, train, input):
            return input
        return aten.mul(input, _all_gone(input) if p == 1 else _noise(input, p, True))


class FeatureDropoutInplace(Op):
    """feature_dropout in place."""

    schema = "feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"

    def body(self, p, train):
        if not _checked(p, train, self):
            return self
        return aten.mul_(self, _all_gone(self) if p == 1 else _noise(self, p, True))


def _alpha_dropout(self, p, train, feature):
    if not _checked(p, train, self):
        return self
    if p == 1:
        return aten.mul(self, _all_gone(self))
    scale, shift = _alpha_noise(self, p, feature)
    return aten.add_(aten.mul(self, scale), shift)


def _alpha_dropout_(self, p, train, feature):
    if not _checked(p, train, self):
        return self
    if p == 1:
        return aten.mul_(self, _all_gone(self))
    scale, shift = _alpha_noise(self, p, feature)
    return aten.add_(aten.mul_(self, scale), shift)


class AlphaDropout(Op):
    """Dropout that keeps the mean and variance of what selu gives."""

    schema = "alpha_dropout(Tensor input, float p, bool train) -> Tensor"

    def body(input, p, train):
        return _alpha_dropout(input, p, train, False)


class AlphaDropoutInplace(Op):
    """alpha_dropout in place."""

    schema = "alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"

    def body(self, p, train):
        return _alpha_dropout_(self, p, train, False)


class FeatureAlphaDropout(Op):
    """alpha_dropout of whole channels."""

    schema = "feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor"

    def body(input, p, train):
        return _alpha_dropout(input, p, train, True)


class FeatureAlphaDropoutInplace(Op):
    """feature_alpha_dropout in place."""

    schema = "feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"

    def body(self, p, train):
        return _alpha_dropout_(self, p, train, True)


class NativeDropout(Op):
    """Dropout that also returns what was kept."""

    schema = "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)"

    def body(input, p, train):
        if not input.array.size:
            return input, aten.empty_like(input)
        if train is False:
            mask = aten.ones_like(input, dtype=dtypes.bool_, layout=strided)
            return aten.clone(input), mask
        mask = aten.bernoulli_(aten.empty_like(input, dtype=dtypes.bool_, layout=strided), 1 - p)
        return aten.mul_(aten.mul(input, mask), _scale(p)), mask

    def grad_input(grad, result1, p, train):
        return aten.native_dropout_backward(grad, result1, _scale(p) if train is not False else 1.0)


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

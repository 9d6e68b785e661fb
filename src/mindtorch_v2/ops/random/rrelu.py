"""leaky_relu whose slope is drawn at random for every negative element."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.tensor import blank, same_shape, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import like
from ..shared.layout import IN_ORDER, in_order
from ..shared.not_differentiable import constant
from ..shared.values import number_in
from .generator import engine_of

_DRAWN = (dtypes.float32, dtypes.float64, dtypes.bfloat16)  # the types torch draws slopes for


def _bounds_check(lower, upper) -> None:
    for name, bound in (("lower", lower), ("upper", upper)):
        if not math.isfinite(bound):
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound}")
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")


def _noise_check(self, noise, training) -> None:
    if not same_shape(self, noise):
        raise RuntimeError("noise tensor shape must match self tensor shape. Got self.shape = "
                           f"{list(shape_of(self))} noise.shape = {list(shape_of(noise))}")
    if training and self.dtype not in _DRAWN:
        raise not_implemented("rrelu_with_noise_out_cpu", self.dtype)
    if training and noise.dtype is not self.dtype:
        raise RuntimeError(f"expected scalar type {self.dtype.short} but found {noise.dtype.short}")


def _tensor_of(number):
    """A number as a tensor, without a row."""
    tensor = blank((), dtypes.float64)
    run.fill(tensor, number)
    return tensor


def _bend(out, self, noise, lower, upper, training, generator):
    """Negative elements times a slope: drawn, and kept as noise, or the middle of the bounds."""
    if training:
        self, dense = in_order(self), in_order(out)
        run.rrelu_with_noise(dense, noise, self, engine_of(generator), lower, upper)
        return out if dense is out else aten.copy_(out, dense)
    slope = number_in(aten.div(aten.add(_tensor_of(lower), _tensor_of(upper)), 2))
    return aten.leaky_relu(self, slope, out=out)


def _noise_for(self, lower, upper):
    _bounds_check(lower, upper)
    return aten.empty_like(self, memory_format=IN_ORDER)


class Rrelu(Op):
    """Negative elements times a slope between two bounds."""

    schema = ("rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
              "Generator? generator=None) -> Tensor")

    def body(self, lower, upper, training, generator):
        noise = _noise_for(self, lower, upper)
        return aten.rrelu_with_noise(self, noise, lower, upper, training, generator)


class RreluInplace(Op):
    """rrelu in place."""

    schema = ("rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
              "Generator? generator=None) -> Tensor(a!)")

    def body(self, lower, upper, training, generator):
        noise = _noise_for(self, lower, upper)
        return aten.rrelu_with_noise_(self, noise, lower, upper, training, generator)


class RreluWithNoise(Op):
    """rrelu that leaves the slopes it drew."""

    schema = ("rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
              "bool training=False, Generator? generator=None) -> Tensor")

    def meta(self, noise, lower, upper, training, generator):
        constant("rrelu_with_noise", "noise", noise)
        _noise_check(self, noise, training)
        return like(self)

    def body(self, noise, lower, upper, training, generator):
        out = aten.empty_like(self, memory_format=IN_ORDER)
        return _bend(out, self, noise, lower, upper, training, generator)

    def grad_self(grad, self, noise, lower, upper, training):
        return aten.rrelu_with_noise_backward(grad, self, noise, lower, upper, training, False)


class RreluWithNoiseOut(Op):
    """rrelu_with_noise, into a given tensor."""

    schema = ("rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, "
              "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None, *, Tensor(a!) out) -> "
              "Tensor(a!)")
    below = True

    def meta(self, noise, lower, upper, training, generator, out):
        _noise_check(self, noise, training)

    def body(self, noise, lower, upper, training, generator, out):
        if training:
            aten.resize_as_(out, self)
        return _bend(out, self, noise, lower, upper, training, generator)


class RreluWithNoiseInplace(Op):
    """rrelu_with_noise in place; the derivative tells signs from the result."""

    schema = ("rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, "
              "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)")
    node = "RreluWithNoiseBackward1"

    def meta(self, noise, lower, upper, training, generator):
        constant("rrelu_with_noise_", "noise", noise)
        _noise_check(self, noise, training)

    def body(self, noise, lower, upper, training, generator):
        return _bend(self, self, noise, lower, upper, training, generator)

    def grad_self(grad, result, noise, lower, upper, training):
        return aten.rrelu_with_noise_backward(grad, result, noise, lower, upper, training, True)


class RreluWithNoiseFunctional(Op):
    """rrelu_with_noise that leaves the given noise as it is, and returns its own."""

    schema = ("rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, "
              "Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> "
              "(Tensor, Tensor noise_out)")
    no_grad_for = "noise_out"

    def meta(self, noise, lower, upper, training, generator):
        _noise_check(self, noise, training)

    def body(self, noise, lower, upper, training, generator):
        noise_out = aten.clone(noise)
        return aten.rrelu_with_noise(self, noise_out, lower, upper, training, generator), noise_out

    def grad_self(grad, self, noise_out, lower, upper, training):
        return aten.rrelu_with_noise_backward(grad, self, noise_out, lower, upper, training, False)


class RreluWithNoiseBackward(Op):
    """Derivative of rrelu: the slopes that were drawn, or the middle one."""

    schema = ("rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, "
              "bool training, bool self_is_result) -> Tensor")
    node = "RreluWithNoiseBackwardBackward0"

    def meta(grad_output, self, noise, lower, upper, training, self_is_result):
        constant("rrelu_with_noise_backward", "noise", noise)

    def body(grad_output, self, noise, lower, upper, training, self_is_result):
        if training:
            return aten.mul(noise, grad_output)
        return aten.leaky_relu_backward(grad_output, self, (lower + upper) / 2, self_is_result)

    def grad_grad_output(grad, self, noise, lower, upper, training):
        return aten.rrelu_with_noise_backward(grad, self, noise, lower, upper, training, False)

    def grad_self(grad):
        return aten.zeros_like(grad)

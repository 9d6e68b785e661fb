# cython: annotation_typing=False
"""Random numbers whose distribution tensors tell: normal, bernoulli, multinomial."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format, strided
from ...core.geometry import broadcast_shapes
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call, is_unobserved
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..create.factories import Empty, EmptyLike, fit
from .generator import engine_of
from .inplace import BernoulliNumber, BernoulliTensor, Exponential, Normal, check_floating, check_std

_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def _check_stds(std) -> None:
    if std.dtype.is_complex:
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if numel_of(std) and has_values(std) and not aten.item(aten.ge(aten.min(std), 0)):
        raise RuntimeError("normal expects all elements of std >= 0.0")


def _fitted(out, shape):
    """An ``out=`` tensor in the shape of the result; a row shows only where it has another."""
    return out if shape_of(out) == shape else fit(out, shape)


def _draw(out, std: float, generator) -> None:
    check_floating(out, "normal_kernel_cpu")
    run.normal(out, engine_of(generator), 0.0, std)


def _by_tensors(out, mean, std, generator):
    _check_stds(std)
    _draw(out, 1.0, generator)
    return aten.add_(aten.mul_(out, std), mean)


def _by_means(out, mean, std, generator):
    spread = call(EmptyLike.op, (out, None, None, None, None, contiguous_format))  # for its shape alone
    _draw(out, std, generator)
    aten.add_(out, mean)
    del spread
    return out


def _by_spreads(out, mean, std, generator):
    _check_stds(std)
    mean = aten.full((), mean, dtype=out.dtype, layout=strided)
    _draw(out, 1.0, generator)
    return aten.add_(aten.mul_(out, std), mean)


class NormalTensors(Op):
    """Normal numbers, each with a mean and a spread of its own."""

    schema = "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"
    node = "NormalBackward3"

    def meta(mean, std, generator):
        return Spec(broadcast_shapes(shape_of(mean), shape_of(std)), mean.dtype)

    def body(mean, std, generator):
        _check_stds(std)
        shape = broadcast_shapes(shape_of(mean), shape_of(std))
        result = call(Empty.op, (shape, mean.dtype, strided, None, None, contiguous_format))
        return _by_tensors(result, mean, std, generator)

    def grad_mean(grad, mean_shape):
        return aten.zeros(mean_shape, dtype=grad.dtype)

    def grad_std(grad, std_shape):
        return aten.zeros(std_shape, dtype=grad.dtype)


class NormalMeans(Op):
    """Normal numbers, each with a mean of its own."""

    schema = "normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"
    node = "NormalBackward1"

    def meta(mean, std, generator):
        check_std(std)
        return Spec(shape_of(mean), mean.dtype)

    def body(mean, std, generator):
        result = call(EmptyLike.op, (mean, None, None, None, None, contiguous_format))
        return _by_means(result, mean, std, generator)

    def grad_mean(grad, mean_shape):
        return aten.zeros(mean_shape, dtype=grad.dtype)


class NormalSpreads(Op):
    """Normal numbers, each with a spread of its own."""

    schema = "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"
    node = "NormalBackward2"

    def meta(mean, std, generator):
        return Spec(shape_of(std), std.dtype)

    def body(mean, std, generator):
        _check_stds(std)
        result = call(EmptyLike.op, (std, None, None, None, None, contiguous_format))
        return _by_spreads(result, mean, std, generator)

    def grad_std(grad, std_shape):
        return aten.zeros(std_shape, dtype=grad.dtype)


class NormalTensorsOut(Op):
    """Normal numbers, each with a mean and a spread of its own, into a given tensor."""

    schema = ("normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    below = "makes a tensor anew"

    def meta(mean, std, generator, out):
        return Spec(broadcast_shapes(shape_of(mean), shape_of(std)), out.dtype)

    def body(mean, std, generator, out):
        shape = broadcast_shapes(shape_of(mean), shape_of(std))
        return _by_tensors(_fitted(out, shape), mean, std, generator)


class NormalMeansOut(Op):
    """Normal numbers, each with a mean of its own, into a given tensor."""

    schema = ("normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    below = "makes a tensor anew"

    def meta(mean, std, generator, out):
        check_std(std)
        return Spec(shape_of(mean), out.dtype)

    def body(mean, std, generator, out):
        return _by_means(_fitted(out, shape_of(mean)), mean, std, generator)


class NormalSpreadsOut(Op):
    """Normal numbers, each with a spread of its own, into a given tensor."""

    schema = ("normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    below = "makes a tensor anew"

    def meta(mean, std, generator, out):
        return Spec(shape_of(std), out.dtype)

    def body(mean, std, generator, out):
        return _by_spreads(_fitted(out, shape_of(std)), mean, std, generator)


class NormalNumbers(Op):
    """Normal numbers of one mean and spread."""

    schema = ("normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
              f"{_OPTIONS}) -> Tensor")

    def body(mean, std, size, generator, dtype, layout, device, pin_memory):
        result = call(Empty.op, (size, dtype, layout, device, bool(pin_memory), None))
        return call(Normal.op, (result, mean, std, generator))


class NormalNumbersOut(Op):
    """Normal numbers of one mean and spread, into a given tensor."""

    schema = ("normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, "
              "Tensor(a!) out) -> Tensor(a!)")
    below = "makes a tensor anew"

    def body(mean, std, size, generator, out):
        return call(Normal.op, (fit(out, size), mean, std, generator))


class Bernoulli(Op):
    """1 with the probability that each element says, else 0."""

    schema = "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"
    variants = "method"

    def body(self, generator):
        result = call(EmptyLike.op, (self, None, None, None, None, contiguous_format))
        return call(BernoulliTensor.op, (result, self, generator))

    def grad_self(grad):
        return aten.zeros_like(grad)


class BernoulliOut(Op):
    """1 with the probability that each element says, else 0, into a given tensor."""

    schema = "bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(self, generator, out):
        return BernoulliTensor.op.work(fit(out, shape_of(self)), self, generator)


class BernoulliP(Op):
    """1 with one probability for all, else 0, in the shape of a tensor."""

    schema = "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"
    variants = "method"
    node = "NotImplemented"

    def body(self, p, generator):
        result = call(EmptyLike.op, (self, None, None, None, None, contiguous_format))
        return call(BernoulliNumber.op, (result, p, generator))

    def grad_self(grad):
        raise RuntimeError("derivative for aten::bernoulli is not implemented")


class AssertAsync(Op):
    """A complaint where a tensor of one truth value is false."""

    schema = "_assert_async.msg(Tensor self, str assert_msg) -> ()"
    internal = "what ops check with"

    def body(self, assert_msg):
        if has_values(self) and not aten.item(self):
            raise RuntimeError(assert_msg)


def _multinomial_rule(self, num_samples, replacement, generator, out=None) -> Spec:
    if ndim_of(self) not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if self.dtype.category != dtypes.FLOATING:
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {self.dtype.short}")
    if out is not None and out.dtype is not dtypes.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {out.dtype.short}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > shape_of(self)[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    return Spec((*shape_of(self)[:-1], num_samples), dtypes.int64)


def _multinomial_into(out, self, num_samples, replacement, generator):
    fit(out, (*shape_of(self)[:-1], num_samples))
    if numel_of(out) == 0:
        return out
    if replacement and num_samples > 1:
        return _with_replacement(out, self, generator)
    return _by_race(out, self, num_samples, generator)


class Multinomial(Op):
    """Indices into the rows of a tensor, as likely as their weights."""

    schema = ("multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) "
              "-> Tensor")
    variants = "method"
    below = "makes a new tensor"
    meta = _multinomial_rule

    def body(self, num_samples, replacement, generator):
        if num_samples == 1 and is_unobserved() and is_in_order(self) and ask.are_weights(self):
            race = call(Exponential.op, (blank(shape_of(self), self.dtype), 1.0, generator))
            result = blank((*shape_of(self)[:-1], 1), dtypes.int64)
            run.first_of_weighted_race(result, self, race)
            return result
        result = call(Empty.op, ((0,), dtypes.int64, strided, None, None, None))
        return _multinomial_into(result, self, num_samples, replacement, generator)


class MultinomialOut(Op):
    """Indices into the rows of a tensor, as likely as their weights, into a given tensor."""

    schema = ("multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None, "
              "Tensor(a!) out) -> Tensor(a!)")
    below = "makes a tensor anew"
    meta = _multinomial_rule

    def body(self, num_samples, replacement, generator, out):
        return _multinomial_into(out, self, num_samples, replacement, generator)


def _with_replacement(result, weights, generator):
    """A uniform number each, looked up in the sums of the weights."""
    sums = call(Empty.op, ((shape_of(weights)[-1],), weights.dtype, strided, None, None, None))
    run.draw_with_replacement(result, engine_of(generator), weights)
    del sums
    return result


def _by_race(result, weights, num_samples: int, generator):
    """Without replacement: the largest of weight over waiting time come first."""
    low, high = aten.aminmax(weights)
    valid = aten.bitwise_and(aten.ge(low, 0), aten.lt(high, float("inf")))
    call(AssertAsync.op, (valid, "probability tensor contains either `inf`, `nan` or element < 0"))
    if ndim_of(weights) == 1:
        empty = aten.eq(aten.sum(weights), 0)
    else:
        empty = aten.any(aten.eq(aten.sum(weights, (1,)), 0))
    call(AssertAsync.op, (aten.bitwise_not(empty), "invalid multinomial distribution (sum of probabilities <= 0)"))
    race = call(Exponential.op, (call(EmptyLike.op, (weights, None, None, None, None, None)), 1.0, generator))
    aten.div(weights, race, out=race)
    if num_samples == 1:
        return call(FirstOfRace.op, (race, -1, True, result))
    values = call(Empty.op, (shape_of(result), race.dtype, strided, None, None, None))
    call(LeadersOfRace.op, (race, num_samples, -1, True, True, values, result))
    return result


class FirstOfRace(Op):
    """argmax along the last dimension, into a given tensor."""

    schema = "_argmax_into(Tensor self, int dim, bool keepdim, Tensor(a!) out) -> Tensor(a!)"
    internal = "how multinomial picks one"
    below = "writes into a new tensor"
    event = "aten::argmax"

    def body(self, dim, keepdim, out):
        run.first_of_race(out, self)
        return out


class LeadersOfRace(Op):
    """The largest elements along the last dimension, into given tensors."""

    schema = ("_topk_into(Tensor self, int k, int dim, bool largest, bool sorted, Tensor(a!) values, "
              "Tensor(b!) indices) -> ()")
    internal = "how multinomial picks several"
    below = "writes into a new tensor"
    event = "aten::topk"

    def body(self, k, dim, largest, sorted, values, indices):
        run.leaders_of_race(values, indices, self)

"""Random numbers drawn by rejection, each with parameters of its own: poisson, binomial, gamma, Dirichlet's shares."""

from __future__ import annotations

from functools import reduce

from ...core import dtype as dtypes
from ...core.geometry import broadcast_shapes
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec
from ..shared.not_differentiable import UNKNOWN, unknown, unknown_derivative
from .generator import engine_of

POISSON = KernelTypes("poisson_cpu: floating")
GAMMA = KernelTypes("gamma_cpu: wide")
GAMMA_GRAD = KernelTypes("_standard_gamma_grad_cpu: wide")
DIRICHLET = KernelTypes("dirichlet: wide")
DIRICHLET_GRAD = KernelTypes("_dirichlet_grad_cpu: wide")
BINOMIAL = KernelTypes("binomial_cpu: wide")


def _same(self, generator) -> Spec:
    return Spec(shape_of(self), self.dtype)


def _zeros_for(self, types: KernelTypes):
    """Where the numbers go; torch looks at their type when that is there."""
    out = aten.zeros(shape_of(self), dtype=self.dtype)
    types.check(self.dtype)
    return out


def _common(*tensors) -> tuple[int, ...]:
    return reduce(broadcast_shapes, map(shape_of, tensors))


def _check_types(first, *others) -> None:
    for other in others:
        if other.dtype is not first.dtype:
            raise RuntimeError(f"Found dtype {other.dtype.short} but expected {first.dtype.short}")


class Poisson(Op):
    """How often something happens whose mean each element says."""

    schema = "poisson(Tensor self, Generator? generator=None) -> Tensor"
    meta = _same

    def body(self, generator):
        out = _zeros_for(self, POISSON)
        run.poisson(out, engine_of(generator), self)
        return out

    def grad_self(grad, self_shape):
        return aten.zeros(self_shape, dtype=grad.dtype)


class Binomial(Op):
    """How many of a number of trials succeed, number and probability as each element says."""

    schema = "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor"
    node = UNKNOWN

    def meta(count, prob, generator):
        for name, given in (("count", count), ("prob", prob)):
            if given.dtype.category != dtypes.FLOATING:
                raise ValueError(f"binomial only supports floating-point dtypes for {name}, got: {given.dtype.short}")
        broadcast_shapes(shape_of(count), shape_of(prob))
        return Spec(shape_of(count), count.dtype)

    def body(count, prob, generator):
        out = aten.zeros(shape_of(count), dtype=count.dtype)
        _check_types(count, prob)
        BINOMIAL.check(count.dtype)
        run.binomial(out, engine_of(generator), count, prob)
        return out

    grads = unknown("binomial")
    grads_of = "count prob"


class StandardGamma(Op):
    """Gamma numbers of scale 1, each element a shape."""

    schema = "_standard_gamma(Tensor self, Generator? generator=None) -> Tensor"
    meta = _same

    def body(self, generator):
        out = _zeros_for(self, GAMMA)
        run.standard_gamma(out, engine_of(generator), self)
        return out

    def grad_self(grad, self, result):
        return aten.mul(grad, aten._standard_gamma_grad(self, result))


class StandardGammaGrad(Op):
    """How gamma numbers move with their shape."""

    schema = "_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"

    def meta(self, output):
        return Spec(_common(self, output), self.dtype)

    def body(self, output):
        _check_types(self, output)
        out = aten.empty(_common(self, output), dtype=self.dtype)
        GAMMA_GRAD.check(self.dtype)
        run.standard_gamma_grad(out, self, output)
        return out

    grads = unknown_derivative("_standard_gamma_grad")
    grads_of = "self"


class SampleDirichlet(Op):
    """Shares of a whole along the last dimension: gamma numbers over their sum."""

    schema = "_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor"
    node = UNKNOWN
    meta = _same

    def body(self, generator):
        out = _zeros_for(self, DIRICHLET)
        gammas = aten.zeros(shape_of(self), dtype=dtypes.float64)
        run.dirichlet_gammas(gammas, engine_of(generator), self)
        run.shares(out, gammas, aten.expand(aten.sum(gammas, (-1,), True), shape_of(self)))
        return out

    grads = unknown("_sample_dirichlet")
    grads_of = "self"


class DirichletGrad(Op):
    """How a share moves with its concentration, the others kept."""

    schema = "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor"
    node = UNKNOWN

    def meta(x, alpha, total):
        return Spec(_common(x, alpha, total), x.dtype)

    def body(x, alpha, total):
        _check_types(x, alpha, total)
        out = aten.empty(_common(x, alpha, total), dtype=x.dtype)
        DIRICHLET_GRAD.check(x.dtype)
        run.dirichlet_grad(out, x, alpha, total)
        return out

    grads = unknown("_dirichlet_grad")
    grads_of = "x alpha total"

# cython: annotation_typing=False
"""Random numbers written into a tensor: the distributions, each drawing in the order of elements in memory."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.tensor import numel_of, place_of, same_shape, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes, not_implemented
from .bounds import check_uniform, check_whole
from .generator import engine_of

RANDOM = KernelTypes("random_kernel_cpu: bool integral floating")
BERNOULLI = KernelTypes("bernoulli_tensor_cpu_self_: bool integral floating")


def check_floating(self, kernel: str) -> None:
    if self.dtype.category < dtypes.FLOATING and numel_of(self):  # what has no elements, no kernel looks at
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{self.dtype.short}'")


def _parts(self):
    """The numbers to draw: a complex one is drawn as its real and its imaginary part."""
    return aten.view_as_real(self) if self.dtype.category == dtypes.COMPLEX else self


class Uniform(Op):
    """Evenly distributed numbers in [from, to)."""

    schema = "uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, low, high, generator):
        check_uniform(self.dtype, low, high)

    def body(self, low, high, generator):
        run.uniform(_parts(self), engine_of(generator), low, high)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


def check_std(std: float) -> None:
    """A spread is not negative."""
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


class Normal(Op):
    """Normally distributed numbers."""

    schema = "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, mean, std, generator):
        check_std(std)
        check_floating(self, "normal_kernel_cpu")

    def body(self, mean, std, generator):
        if self.dtype.category == dtypes.COMPLEX:  # half of the variance in each part
            std /= math.sqrt(2)
        run.normal(_parts(self), engine_of(generator), mean, std)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class RandomBetween(Op):
    """Integers in [from, to); without an end, up to the largest the type counts to."""

    schema = "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward0"

    def meta(self, low, high, generator):
        check_whole(self.dtype, low, high)

    def body(self, low, high, generator):
        run.integers(self, engine_of(generator), low, high)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class RandomBelow(Op):
    """Integers in [0, to)."""

    schema = "random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward1"

    def meta(self, high, generator):
        check_whole(self.dtype, 0, high)

    def body(self, high, generator):
        run.integers(self, engine_of(generator), 0, high)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Random(Op):
    """All integers that the type counts up to."""

    schema = "random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward2"

    def meta(self, generator):
        if numel_of(self):
            RANDOM.check(self.dtype)

    def body(self, generator):
        run.integers(self, engine_of(generator))
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


def check_p(p: float) -> None:
    """A probability lies between 0 and 1."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


class BernoulliTensor(Op):
    """1 with each element's own probability, else 0."""

    schema = "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"
    overlap = "shares_inputs"
    variants = "method"
    node = "BernoulliBackward1"

    def body(self, p, generator):
        p = aten.to(p, device=place_of(self))
        if not numel_of(self):
            return self
        BERNOULLI.check(self.dtype)
        if not same_shape(p, self):
            p = aten.expand(p, shape_of(self))
        if p.dtype.category != dtypes.FLOATING:
            raise not_implemented("bernoulli_tensor_cpu_p_", p.dtype)
        run.bernoulli_each(self, engine_of(generator), p)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)

    def grad_p(p):
        return aten.zeros_like(p)


class BernoulliNumber(Op):
    """1 with one probability for all, else 0."""

    schema = "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "BernoulliBackward2"

    def meta(self, p, generator):
        check_p(p)
        if numel_of(self) and self.dtype.is_complex:
            raise not_implemented("bernoulli_scalar_cpu_", self.dtype)

    def body(self, p, generator):
        run.bernoulli(self, engine_of(generator), p)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Exponential(Op):
    """Waiting times at a rate."""

    schema = "exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, lambd, generator):
        if not lambd > 0:
            raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
        if self.dtype.category != dtypes.FLOATING and numel_of(self):
            raise RuntimeError("Exponential distribution is a continuous probability distribution. dtype must be a "
                               f"floating point but you specified {self.dtype.short}")

    def body(self, lambd, generator):
        run.exponential(self, engine_of(generator), lambd)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class LogNormal(Op):
    """Numbers whose logarithm is normally distributed."""

    schema = "log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, mean, std, generator):
        if std <= 0:
            raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
        if self.dtype.category != dtypes.FLOATING and numel_of(self):
            raise not_implemented("log_normal_cpu", self.dtype)

    def body(self, mean, std, generator):
        run.log_normal(self, engine_of(generator), mean, std)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Cauchy(Op):
    """Cauchy's distribution."""

    schema = "cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, median, sigma, generator):
        if sigma <= 0:
            raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
        if self.dtype.category != dtypes.FLOATING:
            raise RuntimeError("Cauchy distribution is a continuous probability distribution. dtype must be a floating "
                               f"point but you specified {dtypes.C_NAMES[self.dtype.name]}")

    def body(self, median, sigma, generator):
        run.cauchy(self, engine_of(generator), median, sigma)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


class Geometric(Op):
    """The number of trials up to the first success."""

    schema = "geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, p, generator):
        if not 0 < p < 1:
            raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
        if self.dtype.category in (dtypes.BOOL, dtypes.COMPLEX) and numel_of(self):
            raise not_implemented("geometric_cpu", self.dtype)

    def body(self, p, generator):
        run.geometric(self, engine_of(generator), p)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)

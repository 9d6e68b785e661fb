"""Random numbers written into a tensor: the distributions, each drawing in the order of elements in memory."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtype as dtypes
from ...core.device import CPU
from ...devices import cpu as kernels
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes, not_implemented
from .generator import default_generator

_LARGEST_HALF = 65504  # the other floating types hold every bound that is an int64
BERNOULLI = KernelTypes("bernoulli_tensor_cpu_self_: bool integral floating")
# What C++ calls the integer types, in torch's complaints about bounds.
_C_TYPES = {"uint8": "unsigned char", "int8": "signed char", "int16": "short", "int32": "int", "int64": "int64_t",
            "bool": "bool"}
# The largest integer that a type counts up to without a gap.
_LAST = {"bool": 1, "bfloat16": 2**8, "float16": 2**11, "float32": 2**24, "float64": 2**53}


def draw(kernel, out: np.ndarray, generator, *args) -> None:
    """Fill an array from a generator; a transposed one is filled as it lies in memory, as torch does."""
    engine = (generator or default_generator).engine
    if not out.size:
        return
    if out.flags.c_contiguous:
        kernel(engine, out, *args)
        return
    lying = out.transpose(memory_order(out))
    if lying.flags.c_contiguous:
        kernel(engine, lying, *args)
    else:
        drawn = np.empty(lying.shape, lying.dtype)
        kernel(engine, drawn, *args)
        lying[...] = drawn


def memory_order(array: np.ndarray) -> list[int]:
    """An array's dimensions from the outermost to the innermost in memory."""
    return sorted(range(array.ndim), key=lambda i: -array.strides[i])


def check_floating(self, kernel: str) -> None:
    if self.dtype.category < dtypes.FLOATING and self._mt_array.size:  # what has no elements, no kernel looks at
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{self.dtype.short}'")


def _parts(self) -> np.ndarray:
    """The numbers to draw: a complex one is drawn as its real and its imaginary part."""
    return aten.view_as_real(self)._mt_array if self.dtype.category == dtypes.COMPLEX else self._mt_array


class Uniform(Op):
    """Evenly distributed numbers in [from, to)."""

    schema = "uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, low, high, generator):
        if self.dtype.category < dtypes.FLOATING:
            raise not_implemented("check_uniform_bounds", self.dtype)
        if low > high:
            raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")

    def body(self, low, high, generator):
        draw(kernels.random.uniform_, _parts(self), generator, low, high)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


def check_std(std: float) -> None:
    """A spread is not negative."""
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def draw_normal(out: np.ndarray, mean: float, std: float, generator) -> None:
    """Normal numbers; torch has blocks of them for contiguous tensors only."""
    draw(kernels.random.normal_, out, generator, mean, std, not out.flags.c_contiguous)


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
        draw_normal(_parts(self), mean, std, generator)
        return self

    def grad_self(grad):
        return aten.zeros_like(grad)


def _check_bounds(self, low, high) -> None:
    if high is not None and low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    name = self.dtype.name
    if self.dtype.is_complex:
        raise RuntimeError("check_random_bounds handles only integral, floating-point and boolean types")
    if self.dtype.category == dtypes.FLOATING:
        if name == "float16" and not -_LARGEST_HALF <= low <= _LARGEST_HALF:
            raise RuntimeError("from is out of bounds for c10::Half")
        if name == "float16" and high is not None and not -_LARGEST_HALF <= high - 1 <= _LARGEST_HALF:
            raise RuntimeError("to - 1 is out of bounds for c10::Half")
        return
    last = _LAST.get(name) or int(np.iinfo(self.dtype.numpy).max)
    first = 0 if self.dtype.category == dtypes.BOOL else int(np.iinfo(self.dtype.numpy).min)
    if not first <= low <= last:
        raise RuntimeError(f"from is out of bounds for {_C_TYPES[name]}")
    if high is not None and not first <= high - 1 <= last:
        raise RuntimeError(f"to - 1 is out of bounds for {_C_TYPES[name]}")


class RandomBetween(Op):
    """Integers in [from, to); without an end, up to the largest the type counts to."""

    schema = "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward0"

    def meta(self, low, high, generator):
        _check_bounds(self, low, high)

    def cpu(self, low, high, generator, out):
        draw(kernels.random.random_, out, generator, low, high)

    def grad_self(grad):
        return aten.zeros_like(grad)


class RandomBelow(Op):
    """Integers in [0, to)."""

    schema = "random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward1"

    def meta(self, high, generator):
        _check_bounds(self, 0, high)

    def cpu(self, high, generator, out):
        draw(kernels.random.random_, out, generator, 0, high)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Random(Op):
    """All integers that the type counts up to."""

    schema = "random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"
    node = "RandomBackward2"

    def meta(self, generator):
        if self.dtype.is_complex and self._mt_array.size:
            raise not_implemented("random_kernel_cpu", self.dtype)

    def cpu(self, generator, out):
        draw(kernels.random.random_, out, generator)

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
        p = aten.to(p, device=CPU)
        if not self._mt_array.size:
            return self
        BERNOULLI.check(self.dtype)
        if p.dtype.category != dtypes.FLOATING:
            raise not_implemented("bernoulli_tensor_cpu_p_", p.dtype)
        if p._mt_array.size and not ((p._mt_array >= 0) & (p._mt_array <= 1)).all():
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message "
                               "be improved?  If so, please report an enhancement request to PyTorch.)")
        if p._mt_array.shape != self._mt_array.shape:
            p = aten.expand(p, self._mt_array.shape)
        order = memory_order(self._mt_array)
        chances = np.ascontiguousarray(p._mt_array.transpose(order))
        draw(kernels.random.bernoulli_tensor_, self._mt_array.transpose(order), generator, chances)
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
        if self._mt_array.size and self.dtype.is_complex:
            raise not_implemented("bernoulli_scalar_cpu_", self.dtype)

    def cpu(self, p, generator, out):
        draw(kernels.random.bernoulli_scalar_, out, generator, p)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Exponential(Op):
    """Waiting times at a rate."""

    schema = "exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, lambd, generator):
        if not lambd > 0:
            raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
        if self.dtype.category != dtypes.FLOATING and self._mt_array.size:
            raise RuntimeError("Exponential distribution is a continuous probability distribution. dtype must be a "
                               f"floating point but you specified {self.dtype.short}")

    def cpu(self, lambd, generator, out):
        draw(kernels.random.exponential_, out, generator, lambd)

    def grad_self(grad):
        return aten.zeros_like(grad)


class LogNormal(Op):
    """Numbers whose logarithm is normally distributed."""

    schema = "log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, mean, std, generator):
        if std <= 0:
            raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
        if self.dtype.category != dtypes.FLOATING and self._mt_array.size:
            raise not_implemented("log_normal_cpu", self.dtype)

    def cpu(self, mean, std, generator, out):
        draw(kernels.random.log_normal_, out, generator, mean, std)

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

    def cpu(self, median, sigma, generator, out):
        draw(kernels.random.cauchy_, out, generator, median, sigma)

    def grad_self(grad):
        return aten.zeros_like(grad)


class Geometric(Op):
    """The number of trials up to the first success."""

    schema = "geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)"
    variants = "method"

    def meta(self, p, generator):
        if not 0 < p < 1:
            raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
        if self.dtype.category in (dtypes.BOOL, dtypes.COMPLEX) and self._mt_array.size:
            raise not_implemented("geometric_cpu", self.dtype)

    def cpu(self, p, generator, out):
        draw(kernels.random.geometric_, out, generator, p)

    def grad_self(grad):
        return aten.zeros_like(grad)

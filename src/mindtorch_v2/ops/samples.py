"""New tensors of random numbers: rand, randn, randint, their likes, and randperm."""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..core import dtype as dtypes
from ..core.device import strided
from ..dispatch.road import call
from ..opdef.form import Op
from .create import Empty, EmptyLike, ScalarTensor, fit
from .generator import default_generator
from .random import Normal, RandomBetween, Uniform

_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
_LONG_OPTIONS = "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None"
_LIKE = _OPTIONS + ", MemoryFormat? memory_format=None"


def _rand(size, generator, dtype, layout, device, pin_memory):
    return call(Uniform.op, (call(Empty.op, (size, dtype, layout, device, pin_memory, None)), 0.0, 1.0, generator))


def _randn(size, generator, dtype, layout, device, pin_memory):
    return call(Normal.op, (call(Empty.op, (size, dtype, layout, device, pin_memory, None)), 0.0, 1.0, generator))


def _randint(low, high, size, generator, dtype, layout, device, pin_memory):
    made = call(Empty.op, (size, dtype, layout, device, pin_memory, None))
    return call(RandomBetween.op, (made, low, high, generator))


class Rand(Op):
    """Evenly distributed numbers in [0, 1)."""

    schema = f"rand(SymInt[] size, *, {_OPTIONS}) -> Tensor"

    def body(size, *options):
        return _rand(size, None, *options)


class RandGenerator(Op):
    """rand() from a given generator."""

    schema = f"rand.generator(SymInt[] size, *, Generator? generator, {_OPTIONS}) -> Tensor"
    body = _rand


class RandOut(Op):
    """rand() into a given tensor."""

    schema = "rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(size, out):
        return call(Uniform.op, (fit(out, size), 0.0, 1.0, None))


class RandGeneratorOut(Op):
    """rand() from a given generator into a given tensor."""

    schema = "rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(size, generator, out):
        return call(Uniform.op, (fit(out, size), 0.0, 1.0, generator))


class Randn(Op):
    """Normally distributed numbers of mean 0 and spread 1."""

    schema = f"randn(SymInt[] size, *, {_OPTIONS}) -> Tensor"

    def body(size, *options):
        return _randn(size, None, *options)


class RandnGenerator(Op):
    """randn() from a given generator."""

    schema = f"randn.generator(SymInt[] size, *, Generator? generator, {_OPTIONS}) -> Tensor"
    body = _randn


class RandnOut(Op):
    """randn() into a given tensor."""

    schema = "randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(size, out):
        return call(Normal.op, (fit(out, size), 0.0, 1.0, None))


class RandnGeneratorOut(Op):
    """randn() from a given generator into a given tensor."""

    schema = "randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(size, generator, out):
        return call(Normal.op, (fit(out, size), 0.0, 1.0, generator))


class Randint(Op):
    """Integers in [0, high)."""

    schema = f"randint(SymInt high, SymInt[] size, *, {_LONG_OPTIONS}) -> Tensor"

    def body(high, size, *options):
        return _randint(0, high, size, None, *options)


class RandintGenerator(Op):
    """randint() from a given generator."""

    schema = f"randint.generator(SymInt high, SymInt[] size, *, Generator? generator, {_LONG_OPTIONS}) -> Tensor"

    def body(high, size, generator, *options):
        return _randint(0, high, size, generator, *options)


class RandintLow(Op):
    """Integers in [low, high)."""

    schema = f"randint.low(SymInt low, SymInt high, SymInt[] size, *, {_LONG_OPTIONS}) -> Tensor"

    def body(low, high, size, *options):
        return _randint(low, high, size, None, *options)


class RandintLowGenerator(Op):
    """Integers in [low, high) from a given generator."""

    schema = ("randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
              f"{_LONG_OPTIONS}) -> Tensor")
    body = _randint


class RandintOut(Op):
    """Integers in [0, high) into a given tensor."""

    schema = "randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(high, size, out):
        return call(RandomBetween.op, (fit(out, size), 0, high, None))


class RandintLowOut(Op):
    """Integers in [low, high) into a given tensor."""

    schema = "randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(low, high, size, out):
        return call(RandomBetween.op, (fit(out, size), low, high, None))


class RandintGeneratorOut(Op):
    """Integers in [0, high) into a given tensor, from a given generator."""

    schema = "randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(high, size, generator, out):
        return call(RandomBetween.op, (fit(out, size), 0, high, generator))


class RandintLowGeneratorOut(Op):
    """Integers in [low, high) into a given tensor, from a given generator."""

    schema = ("randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
              "Tensor(a!) out) -> Tensor(a!)")
    below = "makes a tensor anew"

    def body(low, high, size, generator, out):
        return call(RandomBetween.op, (fit(out, size), low, high, generator))


class RandLike(Op):
    """Evenly distributed numbers in the shape of another tensor."""

    schema = f"rand_like(Tensor self, *, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, *options):
        return call(Uniform.op, (call(EmptyLike.op, (self, *options)), 0.0, 1.0, None))


class RandLikeGenerator(Op):
    """rand_like() from a given generator."""

    schema = f"rand_like.generator(Tensor self, *, Generator? generator, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, generator, *options):
        return call(Uniform.op, (call(EmptyLike.op, (self, *options)), 0.0, 1.0, generator))


class RandnLike(Op):
    """Normally distributed numbers in the shape of another tensor."""

    schema = f"randn_like(Tensor self, *, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, *options):
        return call(Normal.op, (call(EmptyLike.op, (self, *options)), 0.0, 1.0, None))


class RandnLikeGenerator(Op):
    """randn_like() from a given generator."""

    schema = f"randn_like.generator(Tensor self, *, Generator? generator, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, generator, *options):
        return call(Normal.op, (call(EmptyLike.op, (self, *options)), 0.0, 1.0, generator))


class RandintLike(Op):
    """Integers in [0, high) in the shape of another tensor."""

    schema = f"randint_like(Tensor self, SymInt high, *, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, high, *options):
        return call(RandomBetween.op, (call(EmptyLike.op, (self, *options)), 0, high, None))


class RandintLikeLow(Op):
    """Integers in [low, high) in the shape of another tensor."""

    schema = f"randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, low, high, *options):
        return call(RandomBetween.op, (call(EmptyLike.op, (self, *options)), low, high, None))


class RandintLikeGenerator(Op):
    """randint_like() from a given generator."""

    schema = f"randint_like.generator(Tensor self, SymInt high, *, Generator? generator, {_LIKE}) -> Tensor"
    below = "makes a new tensor"

    def body(self, high, generator, *options):
        return call(RandomBetween.op, (call(EmptyLike.op, (self, *options)), 0, high, generator))


class RandintLikeLowGenerator(Op):
    """Integers in [low, high) in the shape of another tensor, from a given generator."""

    schema = ("randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, "
              f"{_LIKE}) -> Tensor")
    below = "makes a new tensor"

    def body(self, low, high, generator, *options):
        return call(RandomBetween.op, (call(EmptyLike.op, (self, *options)), low, high, generator))


class RandpermOut(Op):
    """A permutation of 0 … n-1, into a given tensor."""

    schema = "randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(n, generator, out):
        _last_fits(n, out)
        fit(fit(out, (n,)), (n,))  # once to check, once in the kernel
        target = out.array if out.array.flags.c_contiguous else np.empty(n, out.dtype.numpy)
        kernels.random.randperm((generator or default_generator).engine, n, target)
        if target is not out.array:
            out.array[...] = target
        return out


def _last_fits(n: int, out) -> None:
    """torch makes a tensor of the largest number to see whether the type holds it."""
    if n > 0:
        limit = np.iinfo(out.dtype.numpy).max if out.dtype.category == dtypes.INTEGRAL else float("inf")
        if n - 1 > limit:
            raise RuntimeError(f"value cannot be converted to type {out.dtype.name}_t without overflow")
        call(ScalarTensor.op, (n - 1, out.dtype, strided, None, None))


class RandpermPlainOut(Op):
    """A permutation of 0 … n-1 into a given tensor."""

    schema = "randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(n, out):
        return call(RandpermOut.op, (n, None, out))


def _randperm(n, generator, dtype, layout, device, pin_memory):
    made = call(Empty.op, ((n,), dtype or dtypes.int64, layout, device, pin_memory, None))
    return call(RandpermOut.op, (n, generator, made))


class Randperm(Op):
    """A permutation of 0 … n-1."""

    schema = f"randperm(SymInt n, *, {_LONG_OPTIONS}) -> Tensor"

    def body(n, *options):
        return _randperm(n, None, *options)


class RandpermGenerator(Op):
    """A permutation of 0 … n-1 from a given generator."""

    schema = f"randperm.generator(SymInt n, *, Generator? generator, {_LONG_OPTIONS}) -> Tensor"
    body = _randperm

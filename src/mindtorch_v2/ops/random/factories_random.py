# cython: annotation_typing=False
"""New tensors of random numbers: rand, randn, randint, their likes, and randperm."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.tensor import numel_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec
from ..create.factories import Empty, EmptyLike, ScalarTensor, fit
from .generator import engine_of
from .inplace import Normal, RandomBetween, Uniform

_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
_LONG_OPTIONS = "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None"
_LIKE = _OPTIONS + ", MemoryFormat? memory_format=None"


# name, the word its overloads begin with, the numbers it takes, its options, what fills it, between what, what it is
KINDS = [
    ("rand", "", "", _OPTIONS, Uniform, lambda: (0.0, 1.0), "Evenly distributed numbers in [0, 1)."),
    ("randn", "", "", _OPTIONS, Normal, lambda: (0.0, 1.0), "Normally distributed numbers of mean 0 and spread 1."),
    ("randint", "", "SymInt high, ", _LONG_OPTIONS, RandomBetween, lambda high: (0, high), "Integers in [0, high)."),
    ("randint", "low", "SymInt low, SymInt high, ", _LONG_OPTIONS, RandomBetween, lambda low, high: (low, high),
     "Integers in [low, high)."),
]


def _declare(name: str, word: str, numbers: str, options: str, filler, bounds, doc: str) -> None:
    """New tensors, given ones, and tensors like others, each also from a given generator."""
    n = numbers.count(",")

    def fill(result, limits, generators):
        return call(filler.op, (result, *bounds(*limits), *(generators or (None,))))

    def new(*args):
        size, rest = args[n], args[n + 1:]
        return fill(call(Empty.op, (size, *rest[-4:], None)), args[:n], rest[:-4])

    def into(*args):
        return fill(fit(args[-1], args[n]), args[:n], args[n + 1:-1])

    def like(self, *args):
        return fill(call(EmptyLike.op, (self, *args[-5:])), args[:n], args[n:-5])

    for given, generator in (("", ""), ("generator", "Generator? generator, ")):
        sized = f"({numbers}SymInt[] size, *, {generator}"
        declare(f"{_overload(name, word, given)}{sized}{options}) -> Tensor", doc, body=new)
        declare(f"{_overload(name, word, given, 'out')}{sized}Tensor(a!) out) -> Tensor(a!)", doc, body=into,
                below="makes a tensor anew")
        like_name = _overload(f"{name}_like", word, given, word and "dtype")
        declare(f"{like_name}(Tensor self, {numbers}*, {generator}{_LIKE}) -> Tensor", doc, body=like,
                below="makes a new tensor")


def _overload(name: str, *words: str) -> str:
    """``randint`` and its words as torch joins them: ``randint.low_generator``."""
    overload = "_".join([word for word in words if word])
    return f"{name}.{overload}" if overload else name


def _below_tensor(self, high, *args):
    """Integers below a number that a tensor holds."""
    generators, options = args[:-5], args[-5:]
    if numel_of(high) != 1 or generators and not has_values(high):
        raise RuntimeError("high must be a scalar tensor and on CPU")
    limit = int(aten.item(high)) if has_values(high) else 1  # any, where nothing is drawn
    return call(RandomBetween.op, (call(EmptyLike.op, (self, *options)), 0, limit, *(generators or (None,))))


for _name, _given in (("Tensor", ""), ("Tensor_generator", "Generator? generator, ")):
    declare(f"randint_like.{_name}(Tensor self, Tensor high, *, {_given}{_LIKE}) -> Tensor",
            "Integers in [0, high), in the shape of a tensor.", body=_below_tensor, below="makes a new tensor")
for _row in KINDS:  # after those, which would else take the number of a tensor
    _declare(*_row)


RANDPERM = KernelTypes("randperm: integral floating")
# How many whole numbers from 0 a type holds without a gap, and torch's words for it.
_HELD_WHOLE = {"float16": (2**11 + 1, "2049 for Half"), "float32": (2**24 + 1, "2^24+1 for Float"),
               "float64": (2**53 + 1, "2^53+1 for Double")}


class RandpermOut(Op):
    """A permutation of 0 … n-1, into a given tensor."""

    schema = "randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def meta(n, generator, out):
        if n < 0:
            raise RuntimeError(f"n must be non-negative, got{n}")
        RANDPERM.check(out.dtype)
        end = _HELD_WHOLE.get(out.dtype.name)
        if end and n > end[0]:
            raise RuntimeError(f"n cannot be greater than {end[1]} type.")
        return Spec((n,), out.dtype)

    def body(n, generator, out):
        _last_fits(n, out)
        fit(fit(out, (n,)), (n,))  # once to check, once in the kernel
        run.randperm(out, engine_of(generator), n)
        return out


def _last_fits(n: int, out) -> None:
    """torch makes a tensor of the largest number to see whether the type holds it."""
    if n > 0:
        limit = dtypes.iinfo(out.dtype).max if out.dtype.category == dtypes.INTEGRAL else float("inf")
        if n - 1 > limit:
            raise RuntimeError(f"value cannot be converted to type {out.dtype.name}_t without overflow")
        call(ScalarTensor.op, (n - 1, out.dtype, strided, None, None))


class RandpermPlainOut(Op):
    """A permutation of 0 … n-1 into a given tensor."""

    schema = "randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def body(n, out):
        return call(RandpermOut.op, (n, None, out))


def _randperm(n, generator, dtype, layout, device, pin_memory):
    result = call(Empty.op, ((n,), dtype or dtypes.int64, layout, device, pin_memory, None))
    return call(RandpermOut.op, (n, generator, result))


class Randperm(Op):
    """A permutation of 0 … n-1."""

    schema = f"randperm(SymInt n, *, {_LONG_OPTIONS}) -> Tensor"

    def body(n, *options):
        return _randperm(n, None, *options)


class RandpermGenerator(Op):
    """A permutation of 0 … n-1 from a given generator."""

    schema = f"randperm.generator(SymInt n, *, Generator? generator, {_LONG_OPTIONS}) -> Tensor"
    body = _randperm

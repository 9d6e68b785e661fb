# cython: annotation_typing=False
"""One call for many tensors: each op here runs another op on every tensor of a list, which torch shows row by row."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ...core.tensor import Tensor, place_of
from ...devices.facts import is_on_host
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...opdef.form import Op, declare
from ..reduce.vector_norm import LinalgVectorNorm

_NORM = LinalgVectorNorm.op

# name, the op that runs on each tensor, the name of a number and of numbers, of tensors, and what tensors take besides
BINARY = [
    ("add", "add", "scalar", "scalars", "other", ", *, Scalar alpha=1"),
    ("sub", "sub", "scalar", "scalars", "other", ", *, Scalar alpha=1"),
    ("mul", "mul", "scalar", "scalars", "other", ""),
    ("div", "div", "scalar", "scalars", "other", ""),
    ("clamp_min", "clamp_min", "scalar", "scalars", "other", ""),
    ("clamp_max", "clamp_max", "scalar", "scalars", "other", ""),
    ("maximum", "clamp_min", "scalar", "scalars", "other", ""),
    ("minimum", "clamp_max", "scalar", "scalars", "other", ""),
    ("pow", "pow", "exponent", "exponent", "exponent", ""),
]
UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal "
         "round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc").split()


def check_lists(self, *others) -> None:
    """Lists of tensors go together only if they are equally long, and none is empty."""
    if not self and not any(others):
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in others:
        if len(other) != len(self):
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(self)} and {len(other)}")


def _check_numbers(self, numbers) -> None:
    """The same for a list of numbers."""
    check_lists(self)
    if len(numbers) != len(self):
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")


def _declare(name: str, overload: str, params: str, runs: str, each: Callable) -> None:
    """A list op in both its forms; ``each`` is given the op to run and the list op's arguments."""
    dot = f".{overload}" if overload else ""
    doc = f"{runs} on every tensor of a list."

    def make(self, *rest):
        return tuple(each(getattr(aten, runs), self, *rest))

    def write(self, *rest):
        each(getattr(aten, runs + "_"), self, *rest)
        return self

    declare(f"_foreach_{name}{dot}(Tensor[] self{params}) -> Tensor[]", doc, body=make)
    declare(f"_foreach_{name}_{dot}(Tensor(a!)[] self{params}) -> ()", doc, body=write)


def _with_one(run, self, other, *alpha):
    """One number, or one tensor, for all."""
    check_lists(self)
    if isinstance(other, Tensor) and other.dim():
        raise RuntimeError(f"scalar tensor expected to be 0 dim but it has {other.dim()} dimensions and "
                           f"{other.numel()} elements.")
    return [run(t, other, alpha=alpha[0]) if alpha else run(t, other) for t in self]


def _with_many(run, self, others, *alpha):
    """A number, or a tensor, for each."""
    if others and isinstance(others[0], Tensor):
        check_lists(self, others)
    else:
        _check_numbers(self, others)  # torch takes an empty list for one of numbers
    return [run(t, o, alpha=alpha[0]) if alpha else run(t, o) for t, o in zip(self, others)]


def _alone(run, self):
    check_lists(self)
    return [run(t) for t in self]


def _with_product(run, self, tensor1, tensor2, value):
    """addcmul and addcdiv, by one number."""
    check_lists(self, tensor1, tensor2)
    return [run(t, a, b, value=value) for t, a, b in zip(self, tensor1, tensor2)]


def _with_products(run, self, tensor1, tensor2, scalars):
    """addcmul and addcdiv, by a number for each; a tensor of numbers is read first."""
    if isinstance(scalars, Tensor):
        if not is_on_host(scalars):
            raise RuntimeError(f"Expected scalars to be on CPU, got {place_of(scalars)} instead.")
        if scalars.dim() != 1:
            raise RuntimeError(f"Expected packed scalar Tensor to be of dimension 1. Got {scalars.dim()} instead.")
        if scalars.numel() != len(self):
            raise RuntimeError(f"Expected length of scalars to match input of length {len(self)} but got "
                               f"{scalars.numel()} instead.")
        scalars = ask.tolist(scalars)
    check_lists(self, tensor1, tensor2)
    _check_numbers(self, scalars)
    return [run(t, a, b, value=v) for t, a, b, v in zip(self, tensor1, tensor2, scalars)]


def _towards(run, self, tensors1, weight):
    check_lists(self, tensors1)
    return [run(t, end, weight) for t, end in zip(self, tensors1)]


def _towards_each(run, self, tensors1, weights):
    check_lists(self, tensors1)
    (check_lists if weights and isinstance(weights[0], Tensor) else _check_numbers)(self, weights)
    return [run(t, end, w) for t, end, w in zip(self, tensors1, weights)]


for _name, _runs, _one, _many, _tensors, _besides in BINARY:
    if _name in ("mul", "div"):  # a tensor without dimensions stays a tensor; for the others it is read as a number
        _declare(_name, "Tensor", ", Tensor other", _runs, _with_one)
    _declare(_name, "Scalar", f", Scalar {_one}", _runs, _with_one)
    _declare(_name, "List", f", Tensor[] {_tensors}{_besides}", _runs, _with_many)
    _declare(_name, "ScalarList", f", Scalar[] {_many}", _runs, _with_many)
    if _name == "add":
        _declare(_name, "Tensor", ", Tensor other, *, Scalar alpha=1", _runs, _with_one)
for _name in UNARY:
    _declare(_name, "", "", _name, _alone)
for _name in ("addcmul", "addcdiv"):
    _lists = ", Tensor[] tensor1, Tensor[] tensor2"
    _declare(_name, "Tensor", f"{_lists}, Tensor scalars", _name, _with_products)  # before numbers, as torch asks
    _declare(_name, "ScalarList", f"{_lists}, Scalar[] scalars", _name, _with_products)
    _declare(_name, "Scalar", f"{_lists}, Scalar value=1", _name, _with_product)
_declare("lerp", "List", ", Tensor[] tensors1, Tensor[] weights", "lerp", _towards_each)
_declare("lerp", "Scalar", ", Tensor[] tensors1, Scalar weight", "lerp", _towards)
_declare("lerp", "ScalarList", ", Tensor[] tensors1, Scalar[] weight", "lerp", _towards_each)


class ForeachPowOfScalar(Op):
    """A number to the power of every tensor of a list."""

    schema = "_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]"

    def body(self, exponent):
        check_lists(exponent)
        return tuple([aten.pow(self, t) for t in exponent])


class ForeachNorm(Op):
    """The norm of every tensor of a list."""

    schema = "_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"

    def body(self, ord, dtype):
        check_lists(self)
        if ord == inf and not all(t.numel() for t in self):
            raise RuntimeError("_foreach_norm cannot compute the infinity norm on an empty tensor because the "
                               "operation does not have an identity")
        return tuple([call(_NORM, (t, ord, None, False, dtype)) for t in self])


class ForeachPowsum(Op):
    """The sum of powers of every tensor of a list."""

    schema = "_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"

    def body(self, ord, dtype):
        check_lists(self)
        return tuple([aten.linalg__powsum(t, ord, None, False, dtype=dtype) for t in self])


class ForeachZero(Op):
    """Every tensor of a list becomes zero."""

    schema = "_foreach_zero_(Tensor(a!)[] self) -> ()"

    def body(self):
        check_lists(self)
        for t in self:
            aten.zero_(t)
        return self


class ForeachCopy(Op):
    """Every tensor of a list takes another's values."""

    schema = "_foreach_copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> ()"

    def body(self, src, non_blocking):
        check_lists(self, src)
        for into, value in zip(self, src):
            aten.copy_(into, value, non_blocking)
        return self


class ForeachMax(Op):
    """The largest element of every tensor of a list."""

    schema = "_foreach_max(Tensor[] self) -> Tensor[]"

    def body(self):
        check_lists(self)
        if not all(t.numel() for t in self):
            raise RuntimeError("_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is "
                               "undefined.")
        return tuple([aten.max(t) for t in self])


class ForeachClone(Op):
    """A copy of every tensor of a list."""

    schema = "_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]"

    def body(self, memory_format):
        check_lists(self)
        return tuple([aten.clone(t, memory_format=memory_format) for t in self])


class ForeachMm(Op):
    """The products of matrices, pair by pair."""

    schema = "_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]"

    def body(self, mat2):
        check_lists(self, mat2)
        return tuple([aten.mm(a, b) for a, b in zip(self, mat2)])

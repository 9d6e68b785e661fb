# cython: annotation_typing=False
"""Bits and truth: and, or, xor, not, and shifts."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import Tensor
from ...devices.kernel import elementwise
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import is_unobserved, run_kernel
from ...dispatch.structured import result_for
from ...opdef import rules, table
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ..shared.layout import empty_for, in_one_type

# Python's word, what it does
WORDS = [("and", "Both"), ("or", "Either"), ("xor", "One but not the other")]
# torch's word, the name in Python's sign
SHIFTS = [("left", "lshift"), ("right", "rshift")]


def _declare_bits(name: str, kernel_types: str, doc: str, scalar: str, inner_in_place: bool) -> None:
    """A function of two operands, either of which may be a number; a number becomes a tensor in a row around."""
    def call(self, other, out=None):
        operands = _tensor(self), _tensor(other)
        return getattr(aten, name)(*operands) if out is None else getattr(aten, name)(*operands, out=out)

    def write(self, other):
        if inner_in_place:
            return getattr(aten, name + "_")(self, wrap_number(other))
        return getattr(aten, name)(self, wrap_number(other), out=self)

    declare(f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", doc, meta=rules.pointwise,
            kernel_types=kernel_types, variants="method inplace Tensor_out")
    declare(f"{name}.{scalar}(Tensor self, Scalar other) -> Tensor", doc, body=call, inplace=write,
            variants="method inplace out")
    declare(f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", doc, body=call)


def _tensor(value):
    return value if isinstance(value, Tensor) else wrap_number(value)


def _declare_sign(sign: str, name: str, doc: str) -> None:
    """The op behind one of Python's signs, ``__and__``, and its in-place form ``__iand__``."""
    in_place = f"__i{sign[2:]}"
    for kind in ("Tensor", "Scalar"):
        declare(f"{sign}.{kind}(Tensor self, {kind} other) -> Tensor", doc, variants="method",
                body=lambda self, other: getattr(aten, name)(self, other))
        declare(f"{in_place}.{kind}(Tensor(a!) self, {kind} other) -> Tensor(a!)", doc, variants="method",
                body=lambda self, other: getattr(aten, name + "_")(self, other))


def _declare_truth(name: str, doc: str) -> None:
    """Numbers count as true unless they are zero."""
    def body(self, other):
        return getattr(aten, name)(self, other, out=aten.empty((0,), dtype=dtypes.bool_))

    def inplace(self, other):
        rules.copied(self, other)
        return getattr(aten, name)(self, other, out=self)

    declare(f"{name}(Tensor self, Tensor other) -> Tensor", doc, body=body, inplace=inplace, variants="method inplace",
            below="truth has no derivative")
    declare(f"{name}.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", doc, meta=rules.comparison)


for _word, _who in WORDS:
    _name = f"bitwise_{_word}"
    _declare_bits(_name, f"{_name}_cpu: bool integral", f"{_who}, bit by bit.", "Scalar", True)
    _declare_sign(f"__{_word}__", _name, f"{_who}, bit by bit, as Python's sign asks for it.")
    _declare_truth(f"logical_{_word}", f"{_who}, as truth values.")


class LogicalNot(Op):
    """Whether an element is zero."""

    schema = "logical_not(Tensor self) -> Tensor"
    variants = "method inplace"
    below = "truth has no derivative"

    def body(self):
        if is_unobserved() and not self.dtype.rare:
            out = result_for((self,), dtypes.bool_)
            elementwise.logical_not(out, self)
            return out
        return aten.logical_not(self, out=aten.empty((0,), dtype=dtypes.bool_))

    def inplace(self):
        return aten.logical_not(self, out=self)


class LogicalNotOut(Op):
    """Whether an element is zero, into a given tensor."""

    schema = "logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    meta = rules.comparison


class BitwiseNot(Op):
    """Every bit turned; for booleans, not."""

    schema = "bitwise_not(Tensor self) -> Tensor"
    variants = "method inplace out"
    meta = rules.unchanged
    kernel_types = "bitwise_not_cpu: bool integral"


def _declare_shift(word: str, sign: str) -> None:
    doc = f"The bits moved to the {word}."
    name, kernel_types = f"bitwise_{word}_shift", f"{sign}_cpu: integral"
    _declare_bits(name, kernel_types, doc, "Tensor_Scalar", False)

    def body(self, other):
        """Python's own sign: an older kernel, which asks for its memory openly."""
        self, other = in_one_type(self, _tensor(other))
        out = result_for((self, other), self.dtype) if is_unobserved() else empty_for(self, other)
        check.check(self.dtype)
        kernel(out, self, other)
        return out

    def in_place(self, other):
        return run_kernel(writing, (self, _tensor(other)))

    writing, check = table.find(name + "_", "Tensor"), KernelTypes(kernel_types)
    kernel = getattr(elementwise, name)

    for kind in ("Tensor", "Scalar"):
        declare(f"__{sign}__.{kind}(Tensor self, {kind} other) -> Tensor", doc, body=body, variants="method",
                meta=lambda self, other: rules.pointwise(self, _tensor(other)))
        declare(f"__i{sign}__.{kind}(Tensor(a!) self, {kind} other) -> Tensor(a!)", doc, body=in_place,
                variants="method", below="bits have no derivative")


for _row in SHIFTS:
    _declare_shift(*_row)

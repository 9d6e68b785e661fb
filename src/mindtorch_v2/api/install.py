"""Install ops as methods of Tensor and operator signs, and fill the slots of the rooms below that need ops."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from .. import ops
from ..autograd import on_tensor
from ..core import default_device, operator_slots, strided
from ..core.device import contiguous_format, preserve_format
from ..core.memory_overlap import is_dense
from ..core.overrides import NO
from ..core.slots import Work
from ..core.tensor import Tensor, shape_of, strides_of
from ..dispatch import batch_levels, pointwise, python_dispatch
from ..dispatch.aten import aten
from ..dispatch.dispatcher import call
from ..opdef import table
from ..ops.compressed.copies import empty_of_layout
from ..ops.python.construct import as_tensor, asarray, tensor
from ..ops.reduce.sums import sum_to
from ..ops.sparse import gradients
from .namespace import namespace_of, overload_of
from .packets import FUNCTIONS, LazyMethod, is_method, method, packet_of

# Python's operators and the ops they call.
SIGNS = {
    "add": "add", "sub": "sub", "rsub": "rsub", "mul": "mul", "div": "div", "floor_divide": "floor_divide",
    "remainder": "remainder", "pow": "pow", "matmul": "matmul", "neg": "neg", "absolute": "abs",
    "invert": "bitwise_not", "and_": "__and__", "or_": "__or__", "xor": "__xor__", "lshift": "__lshift__",
    "rshift": "__rshift__", "rand": "bitwise_and", "ror": "bitwise_or", "rxor": "bitwise_xor",
    "rlshift": "bitwise_left_shift", "rrshift": "bitwise_right_shift", "ilshift": "__ilshift__",
    "irshift": "__irshift__", "positive": "positive",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
    "iadd": "add_", "isub": "sub_", "imul": "mul_", "idiv": "div_", "ifloordiv": "floor_divide_", "imod": "remainder_",
    "ipow": "pow_", "iand": "__iand__", "ior": "__ior__", "ixor": "__ixor__",
}


class LazySign(operator_slots.Callable):
    """Stands for the op of an operator sign until the sign is used."""

    def __init__(self, sign: str, name: str):
        self._sign, self._name = sign, name

    def _bound(self):
        operator_slots.bind(self._sign, method(self._name))
        return method(self._name)

    def call1(self, first):
        op = self._bound()
        try:
            return op.call1(first)
        finally:
            del first  # or the traceback of an error would keep it alive

    def call2(self, first, second):
        op = self._bound()
        try:
            return op.call2(first, second)
        finally:
            del first, second


def install() -> None:
    """Install methods on Tensor and operator signs, and give the engine its ops."""
    for name in table.OPS:
        if is_method(name):
            strided.add_attribute(Tensor, name, LazyMethod(name))
    for sign, name in SIGNS.items():
        operator_slots.bind(sign, LazySign(sign, name))
    FUNCTIONS.guard()
    _fill_slots()


def _fill_slots() -> None:
    Work.packet_of = packet_of
    Work.namespace_of, Work.overload_of, ops.aten = namespace_of, overload_of, namespace_of("aten")
    Work.kept, Work.call, Work.cast_op = python_dispatch.kept, call, table.find("to", "dtype")
    Work.add, Work.add_, Work.detach, Work.clone = aten.add, aten.add_, aten.detach, aten.clone
    Work.sum_to, Work.cast = sum_to, pointwise.cast_to
    Work.ones_like, Work.zeros_like = _ones_like, aten.zeros_like
    Work.clone_for, Work.zeros, Work.empty = _clone_for, _zeros, aten.empty
    Work.as_strided_node = table.find("as_strided").backward
    Work.as_strided, Work.copy_, Work.zero_ = aten.as_strided, aten.copy_, aten.zero_
    Work.new_empty_strided, Work.view_as = aten.new_empty_strided, aten.view_as
    Work.conj = aten._conj
    Work.add_kinds, Work.accumulate_kind = gradients.add_kinds, gradients.accumulate_kind
    Work.empty_of_layout = empty_of_layout
    Work.empty_strided, Work.expand, Work.gather, Work.mul = aten.empty_strided, aten.expand, aten.gather, aten.mul
    Work.vmap, Work.apply_to_members = _vmap, _apply_to_members
    Work.new_zeros, Work.reshape, Work.squeeze = aten.new_zeros, aten.reshape, aten.squeeze
    Work.unsqueeze = aten.unsqueeze
    Work.stack = lambda rows: aten.stack(rows)
    Work.constructors = _constructors
    on_tensor.install()


@cache
def _constructors() -> frozenset[Callable]:
    named = [FUNCTIONS[name] for name in default_device.CONSTRUCTORS if name in FUNCTIONS]
    return frozenset((*named, tensor, as_tensor, asarray))


def _vmap(function: Callable) -> Callable:
    return import_module("..func.vmap", __package__).vmap_of_autograd(function)


def _apply_to_members(cls: type, args: tuple):
    """A custom Function on members of a batch; NO outside of vmap."""
    if batch_levels.innermost() is None:
        return NO
    return import_module("..func.batch_function", __package__).applied(cls, args)


def _ones_like(t: Tensor) -> Tensor:
    return aten.ones_like(t, pin_memory=False, memory_format=preserve_format)


def _zeros(shape, dtype) -> Tensor:
    return aten.zeros(tuple(shape), dtype=dtype)


def _clone_for(grad: Tensor, variable: Tensor) -> Tensor:
    """A copy of a gradient in its variable's layout, or row by row where elements of that share memory."""
    if not is_dense(variable):
        return aten.clone(grad, memory_format=contiguous_format)
    return aten.copy_(aten.new_empty_strided(grad, shape_of(variable), strides_of(variable)), grad)

"""Assertions as ops, which torch's compiler puts into programs; those of sizes are what it may rely on."""

from __future__ import annotations

from ...core.tensor import shape_of, strides_of
from ...devices.facts import has_values
from ...dispatch.aten import aten
from ...opdef.form import declare
from ...opdef.rules import c_name
from ..shared.not_differentiable import UNKNOWN, unknown

_ONLY = "torch.ops.aten"
INT64_MAX = 2**63 - 1
SPECIAL_SIZES = 2  # compilers treat sizes of 0 and 1 apart from all others


def _constrain_range(size, min, max) -> None:
    """Say in which range a number is."""
    if min is not None and max is not None and max < min:
        raise RuntimeError(f"Max must be greater than or equal to min. Got min={min} max={max}")
    low, high = -INT64_MAX - 1 if min is None else min, INT64_MAX if max is None else max
    if not low <= int(size) <= high:
        raise RuntimeError(f"Invalid value range for {int(size)} between [{low}, {high}].")


def _constrain_range_for_size(size, min, max) -> None:
    """The same for a size, of which a compiler may assume that it is neither 0 nor 1."""
    if max is not None and max <= SPECIAL_SIZES:
        raise RuntimeError(f"Max value to constrain_range_for_size must be greater than {SPECIAL_SIZES}. got: {max}")
    _constrain_range(size, 0 if min is None else min, max)


def _assert_scalar(self, assert_msg: str) -> None:
    """Complain where a number is zero."""
    if not self:
        raise RuntimeError(assert_msg)


def _assert_metadata(a, size, stride, dtype, device, layout) -> None:
    """Complain where a tensor is not what was expected."""
    for what, wanted, value in (("sizes", size, shape_of(a)), ("strides", stride, strides_of(a))):
        if wanted is not None and tuple(wanted) != tuple(value):
            raise RuntimeError(f"Tensor {what} mismatch! Expected: {list(wanted)}, Got: {list(value)}")
    if dtype is not None and dtype is not a.dtype:
        raise RuntimeError(f"Tensor dtype mismatch! Expected: {dtype.short}, Got: {c_name(a.dtype)}")
    for what, wanted, value in (("device", device, a.device), ("layout", layout, a.layout)):
        if wanted is not None and wanted != value:
            raise RuntimeError(f"Tensor {what} mismatch! Expected: {wanted}, Got: {value}")


_RANGE = "Scalar size, *, int? min=None, int? max=None"
_METADATA = ("SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, "
             "Layout? layout=None")
for _schema, _check in {
        f"sym_constrain_range({_RANGE}) -> ()": _constrain_range,
        f"sym_constrain_range_for_size({_RANGE}) -> ()": _constrain_range_for_size,
        "_assert_scalar(Scalar self, str assert_msg) -> ()": _assert_scalar,
        f"_assert_tensor_metadata(Tensor a, {_METADATA}) -> ()": _assert_metadata,
        "_print(str s) -> ()": print}.items():
    declare(_schema, (_check.__doc__ or "").split("\n")[0], body=_check)


def _assert_true(self, assert_msg: str) -> None:
    if has_values(self):
        _assert_scalar(aten.item(self), assert_msg)


def _handing_on(check):
    """An assertion that takes a tensor and hands on a copy, so that a compiler keeps assertions in their order."""
    def body(*args):
        check(*args[:-1])
        return aten.clone(args[-1])
    return body


_RANGE = "Scalar size, int? min, int? max, Tensor dep_token"
for _schema, _check in {
        f"_functional_sym_constrain_range({_RANGE}) -> Tensor": _constrain_range,
        f"_functional_sym_constrain_range_for_size({_RANGE}) -> Tensor": _constrain_range_for_size,
        "_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor": _assert_scalar,
        "_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor":
            _assert_true}.items():
    declare(_schema, "An assertion in its place among others.", body=_handing_on(_check), node=UNKNOWN,
            grads=unknown(_schema.partition("(")[0].partition(".")[0]), grads_of="dep_token")
declare("_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
        "MemoryFormat? memory_format=None) -> Tensor", "What the first of such assertions is given.",
        body=lambda dtype, layout, device, pin_memory, memory_format: aten.empty((), dtype=dtype))

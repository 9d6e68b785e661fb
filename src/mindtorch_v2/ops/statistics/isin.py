"""Whether elements are among others."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.promotion import result_type
from ...core.tensor import numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import in_order

# torch looks through the second tensor for each element as long as it has less than 10 * numel ** 0.145 of them.
FEW, GROWTH = 10.0, 0.145
NUMBERS = "bool assume_unique=False, bool invert=False) -> Tensor"


def _rule(elements, test_elements, assume_unique, invert) -> Spec:
    for t in (elements, test_elements):
        if t.dtype.is_complex or t.dtype is dtypes.bool_:
            raise RuntimeError(f"Unsupported input type encountered for isin(): {t.dtype.short}")
    return Spec(shape_of(elements), dtypes.bool_)


class Isin(Op):
    """Whether each element is among others."""

    schema = f"isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, {NUMBERS}"
    variants = "Tensor_Tensor_out"
    meta = _rule

    def into(out, elements, test_elements, assume_unique, invert):
        _write(out, elements, test_elements, assume_unique, invert)


class IsinNumberIn(Op):
    """Whether a number is among others."""

    schema = f"isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, {NUMBERS}"
    variants = "Scalar_Tensor_out"

    def meta(element, test_elements, assume_unique, invert):
        return _rule(wrap_number(element), test_elements, assume_unique, invert)

    def into(out, element, test_elements, assume_unique, invert):
        _write(out, wrap_number(element), test_elements, assume_unique, invert)


class IsinNumber(Op):
    """Whether each element is a number."""

    schema = f"isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, {NUMBERS}"
    variants = "Tensor_Scalar_out"

    def meta(elements, test_element, assume_unique, invert):
        return _rule(elements, wrap_number(test_element), assume_unique, invert)

    def into(out, elements, test_element, assume_unique, invert):
        (aten.ne if invert else aten.eq)(elements, test_element, out=out)


def _write(out, elements, test_elements, assume_unique: bool, invert: bool) -> None:
    if not numel_of(elements) or not has_values(out):
        return
    if numel_of(test_elements) < FEW * numel_of(elements) ** GROWTH:
        aten.fill_(out, invert)
        common = result_type(elements, test_elements)
        elements, among = aten.to(elements, common), in_order(aten.to(test_elements, common))
        run.isin(out, elements, aten.view(among, (-1,)), invert)
    else:
        _by_sorting(out, elements, test_elements, assume_unique, invert)


def _by_sorting(out, elements, test_elements, assume_unique: bool, invert: bool) -> None:
    """In the order of both together, an element that the next one equals is among the others."""
    if assume_unique:
        distinct, others = aten.ravel(elements), aten.ravel(test_elements)
    else:
        distinct, numbers = aten._unique(elements, False, True)
        others = aten._unique(test_elements, False)[0]
    together = aten.cat((distinct, others))
    ranked, order = aten.sort(together, stable=True, dim=0, descending=False)
    repeated = aten.empty_like(ranked, dtype=dtypes.bool_)
    size = numel_of(ranked)
    later, earlier = aten.slice(ranked, 0, 1, size), aten.slice(ranked, 0, 0, -1)
    into = aten.slice(repeated, 0, 0, -1)
    aten.copy_(into, aten.ne(later, earlier) if invert else aten.eq(later, earlier))
    aten.copy_(aten.select(repeated, 0, -1), wrap_number(invert))
    mask = aten.empty_like(repeated)
    aten.index_copy_(mask, 0, order, repeated)
    if assume_unique:
        aten.copy_(out, aten.view_as(aten.slice(mask, 0, 0, numel_of(elements)), out))
    else:
        aten.copy_(out, aten.index(mask, (numbers,)))

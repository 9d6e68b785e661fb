"""torch's names for what a node has saved: ``_saved_self``, ``_saved_self_sym_sizes``, ``…_sym_argsize_0``."""

from __future__ import annotations

import re

from ..core.tensor import Tensor, shape_of, strides_of
from ..opdef.derivative import DTYPE, FACT, GEOMETRY, RESULT0, SHAPE, result_names
from ..opdef.schema import OPTIONAL_TENSORS, TENSOR, TENSORS

_GEOMETRY = re.compile(r"(\w+?)_sym_(?:(sizes|strides)(?:_opt)?|argsize_(minus_)?(\d+)|numel)")
_ABSENT = (0,)  # what torch keeps as the sizes of a tensor that was not given


def geometry(node, name: str):
    """Sizes, strides or one size of a parameter, from what the node keeps of it; None where it keeps nothing."""
    matched = _GEOMETRY.fullmatch(name)
    if matched is None:
        return None
    param, what, is_from_end, dim = matched.groups()
    numbers = [i for i, p in enumerate(node.derivative.schema.params) if p.name == param]
    known = _known(node, numbers[0]) if numbers else None
    if known is None:
        return None
    shape, strides = known
    if what is not None:
        return shape if what == "sizes" else strides
    if dim is None:
        size = 1
        for length in shape:
            size *= length
        return size
    return shape[-int(dim) if is_from_end else int(dim)]


def _known(node, number: int) -> tuple | None:
    """The sizes of a parameter, and its strides if they are kept."""
    facts = node.facts or {}
    if SHAPE + number in facts:
        shape = facts[SHAPE + number]
        return (_ABSENT if shape is None else shape), None
    if GEOMETRY + number in facts and facts[GEOMETRY + number] is not None:
        return facts[GEOMETRY + number][:2]
    kept = node.args[number] if node.args is not None and number < len(node.args) else None
    return (shape_of(kept), strides_of(kept)) if isinstance(kept, Tensor) else None


def names(derivative) -> list[str]:
    """The attributes by which a node shows what it has saved."""
    params, results = derivative.schema.params, result_names(derivative.schema)
    shown = set()
    for source in {s for formula in derivative.formulas for s in formula.sources}:
        if source <= RESULT0:
            shown |= _both(results[RESULT0 - source])
        elif 0 <= source < FACT:
            is_tensor = params[source].kind in (TENSOR, TENSORS, OPTIONAL_TENSORS)
            shown |= _both(params[source].name) if is_tensor else {f"_saved_{params[source].name}"}
        elif SHAPE <= source < DTYPE:
            shown.add(f"_saved_{params[source - SHAPE].name}_sym_sizes")
    return sorted(shown)


def _both(name: str) -> set[str]:
    return {f"_saved_{name}", f"_raw_saved_{name}"}

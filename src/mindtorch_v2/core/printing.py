"""The text of a tensor: what repr() prints, and the options that govern it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np

from .number_format import CELLS_OF_KIND, Cells, plain_values


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What set_printoptions() sets; the values here are torch's "default" profile."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=float("inf")),
}

# A complex tensor is unremarkable when its parts have the default dtype; torch counts 16-bit defaults as complex64.
COMPLEX_OF_DEFAULT = {
    "float64": "complex128",
    "float32": "complex64",
    "float16": "complex64",
    "bfloat16": "complex64",
}

_options = PROFILES["default"]


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print: a profile first ("default", "short" or "full"), then the options given beside it."""
    global _options
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    # torch ignores a profile it does not know.
    base = PROFILES.get(profile, _options)
    # Every call decides sci_mode anew, so that leaving it out restores the automatic choice.
    _options = replace(base, sci_mode=sci_mode, **{name: value for name, value in given.items() if value is not None})


def get_printoptions() -> dict[str, object]:
    """The print options in force, by name."""
    return asdict(_options)


def contents_text(array: np.ndarray, indent: int) -> str:
    """The values alone, in brackets."""
    return _contents(array, indent, _options)


def tensor_text(
    array: np.ndarray,
    *,
    name: str = "tensor",
    dtype: str | None = None,
    default_dtype: str = "float32",
    requires_grad: bool = False,
    grad_fn: str | None = None,
    tangent: str | None = None,
    device: str = "cpu",
    indent: int = 0,
    contents: str | None = None,
    has_values: bool = True,
) -> str:
    """What repr() of a tensor prints; `indent` is how many columns the caller has already filled on the first line.

    `contents` is what stands in the place of the values, where the caller knows better; `has_values` is False of
    tensors that have none on any device.
    """
    options = _options
    indent += len(name) + 1
    without_values = not has_values or device == "meta" or array.dtype.type is np.void
    values_shown = not without_values and array.size > 0
    if contents is not None:
        values_shown = True
    elif values_shown:
        contents = _contents(array, indent, options)
    else:
        contents = "..." if without_values else "[]"
    facts = []
    if device != "cpu":
        facts.append(f"device='{device}'")
    if without_values or _size_is_shown(array, options):
        facts.append(f"size={array.shape}")
    if (dtype or array.dtype.name) not in _silent_dtypes(default_dtype, values_shown):
        facts.append(f"dtype=torch.{dtype or array.dtype.name}")
    if grad_fn is not None:
        facts.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        facts.append("requires_grad=True")
    if tangent is not None:
        facts.append(f"tangent={tangent}")
    return f"{name}({with_facts(contents, facts, indent, options.linewidth)})"


def _size_is_shown(array: np.ndarray, options: PrintOptions) -> bool:
    """The size is told when brackets and values cannot: no edges, or '[]' of more than one dimension."""
    if array.size == 0:
        return array.ndim != 1
    return options.edgeitems == 0


def _silent_dtypes(default_dtype: str, values_shown: bool) -> tuple[str, ...]:
    """The dtypes not worth a suffix: those a reader can tell from the values."""
    if values_shown:
        return default_dtype, COMPLEX_OF_DEFAULT[default_dtype], "int64", "bool"
    return (default_dtype,)


def with_facts(text: str, facts: list[str], indent: int, linewidth: int) -> str:
    """Append the suffixes, each on a new line when it would pass the line width."""
    # torch keeps two columns free after the values, but none after a suffix that has begun a line.
    start_of_line = text.rfind("\n") + 1
    column = len(text) - start_of_line + 2
    if start_of_line == 0:
        column += indent
    for fact in facts:
        if column + len(fact) + 2 > linewidth:
            text += ",\n" + " " * indent + fact
            column = indent + len(fact)
        else:
            text += ", " + fact
            column += len(fact) + 2
    return text


def _contents(array: np.ndarray, indent: int, options: PrintOptions) -> str:
    """The values in brackets, with the middle of long dimensions left out beyond the threshold."""
    gaps: list[int | None] = [None] * array.ndim
    if array.size > options.threshold and array.ndim:
        if options.edgeitems == 0:
            return "[...]"
        array, gaps = _edges(array, options.edgeitems)
    kind, array = plain_values(array)
    cells = CELLS_OF_KIND[kind](array.ravel().tolist(), options.precision, options.sci_mode)
    if array.ndim == 0:
        return cells.write(array.item())
    return _nested(array.tolist(), gaps, indent, cells, options.linewidth)


def _edges(array: np.ndarray, edgeitems: int) -> tuple[np.ndarray, list[int | None]]:
    """The first and last items of each long dimension, and where in each dimension the '...' belongs."""
    gaps: list[int | None] = []
    for axis, size in enumerate(array.shape):
        if size <= 2 * edgeitems:
            gaps.append(None)
            continue
        before = (slice(None),) * axis
        head, tail = array[(*before, slice(edgeitems))], array[(*before, slice(-edgeitems, None))]
        array = np.concatenate([head, tail], axis)
        gaps.append(head.shape[axis])
    return array, gaps


def _nested(values: list, gaps: list[int | None], indent: int, cells: Cells, linewidth: int) -> str:
    if len(gaps) == 1:
        return _row(values, gaps[0], indent, cells, linewidth)
    blocks = [_nested(block, gaps[1:], indent + 1, cells, linewidth) for block in values]
    if gaps[0] is not None:
        blocks.insert(gaps[0], "...")
    # One blank line more for each dimension further out.
    separator = "," + "\n" * (len(gaps) - 1) + " " * (indent + 1)
    return "[" + separator.join(blocks) + "]"


def _row(values: list, gap: int | None, indent: int, cells: Cells, linewidth: int) -> str:
    texts = [cells.write(value) for value in values]
    if gap is not None:
        # torch writes a blank before the dots, whatever the width of the column.
        texts.insert(gap, " ...")
    # Two for ", "; the opening bracket is not counted.
    per_line = max(1, int((linewidth - indent) // (cells.width + 2)))
    lines = [", ".join(texts[start : start + per_line]) for start in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"

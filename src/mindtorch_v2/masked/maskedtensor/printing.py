"""How a tensor with a mask is printed: what the mask leaves out as dashes."""

from __future__ import annotations

from ...core.tensor import Tensor

LEFT_OUT = "--"
_WIDTH = 8
_INDENT = "  "


def _shown(value, is_left_out: bool) -> str:
    if is_left_out:
        return LEFT_OUT.rjust(_WIDTH)
    return f"{value:{_WIDTH}.4f}" if isinstance(value, float) else str(value)


def _lines(values: list, mask: list) -> list[str]:
    """A tensor of one dimension as a line, one of more as the lines of its parts."""
    if not values or not isinstance(values[0], list):
        return [f"[{', '.join(_shown(value, not kept) for value, kept in zip(values, mask, strict=True))}]"]
    inner = []
    for place, (part, part_mask) in enumerate(zip(values, mask, strict=True)):
        part_lines = _lines(part, part_mask)
        if place < len(values) - 1:
            part_lines[-1] += ","
        inner += [_INDENT + line for line in part_lines]
    return ["[", *inner, "]"]


def text_of(data: Tensor, mask: Tensor) -> str:
    """The whole text, of plain tensors."""
    if data.dim() == 0:
        kept = mask.item()
        return f"MaskedTensor({_shown(data.item(), False) if kept else LEFT_OUT}, {kept})"
    lines = "\n".join(_INDENT + line for line in _lines(data.tolist(), mask.tolist()))
    return f"MaskedTensor(\n{lines}\n)"

"""In which order torch lists the signatures of a function: by their text, but what takes a tensor before a number."""

from __future__ import annotations

from ..opdef.operator import Operator
from ..opdef.schema import Param

# Types as torch spells them when it sorts.
_SPELLED = {"int": "int64_t", "int[]": "IntArrayRef", "int[]?": "OptionalIntArrayRef", "SymInt[]": "SymIntArrayRef",
            "SymInt[]?": "OptionalSymIntArrayRef", "Tensor[]": "TensorList", "Scalar[]": "ScalarList",
            "float": "double", "str": "c10::string_view", "float[]?": "ArrayRef<double>?"}


def in_torchs_order(ops: list[Operator], first: int) -> list[Operator]:
    """Overloads as torch lists them; ``first`` counts the parameters that a method does not show."""
    by_text = sorted(ops, key=lambda op: _text(op.schema.params[first:]))
    larger = {op: {other for other in by_text if _is_smaller(op, other, first)} for op in by_text}
    listed = [op for op in by_text if not larger[op]]
    for op in listed:  # grows while it is walked through
        for smaller in by_text:
            if op in larger[smaller]:
                larger[smaller].remove(op)
                if not larger[smaller]:
                    listed.append(smaller)
    return listed


def _text(params: tuple[Param, ...]) -> str:
    parts: list[str] = []
    for p in params:
        if p.keyword_only and "*" not in parts:
            parts.append("*")
        name = "input" if p.name == "self" and _type(p) == "Tensor" else p.name
        parts.append(f"{_SPELLED.get(_type(p), _type(p))} {name}{'=' if p.has_default else ''}")
    return f"({', '.join(parts)})"


def _type(param: Param) -> str:
    """The type without the memory it shares and without a list's size."""
    word = param.text.partition("(")[0] + param.text.partition(")")[2] if "(" in param.text else param.text
    at = word.find("[")
    return word if at < 0 else word[:at] + "[]" + word[word.index("]") + 1:]


def _is_smaller(op: Operator, other: Operator, first: int) -> bool:
    """Whether everything that the first takes, the second would take as well."""
    mine, theirs = op.schema.params[first:], other.schema.params[first:]
    if len(mine) != len(theirs):
        return False
    pairs = [(_type(a), _type(b)) for a, b in zip(mine, theirs)]
    return all(a == b or _is_smaller_type(a, b) for a, b in pairs) and any(a != b for a, b in pairs)


def _is_smaller_type(mine: str, theirs: str) -> bool:
    return (mine in ("Scalar", "int", "SymInt", "Scalar?") and theirs.startswith("Tensor") and "[" not in theirs
            or mine == "int[]" and theirs in ("int", "int?")
            or mine == "Tensor[]" and theirs.endswith("[]"))

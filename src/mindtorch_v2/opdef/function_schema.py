"""torch's FunctionSchema: what an op says of itself to programs that ask ``torch.ops.aten.add.Tensor._schema``."""

from __future__ import annotations

from .schema import Param, Result, Schema

# torch's names for types, where they are not those of the sentence.
_REAL_TYPES = {"Scalar": "number", "SymInt": "int"}
_TYPES = {**_REAL_TYPES, "ScalarType": "int", "Layout": "int", "MemoryFormat": "int"}


class AliasInfo:
    """Which memory an argument or a result shares, and whether it is written."""

    def __init__(self, text: str, is_list: bool):
        before, _, after = text.partition(" -> ")
        self.is_write = before.endswith("!")
        # Of a list torch says that its tensors are written, but not which memory they share.
        self.before_set = {before.removesuffix("!")} if after or not is_list else set()
        self.after_set = {after} if after else self.before_set


class Argument:
    """One argument or result."""

    def __init__(self, of: Param | Result):
        self.name = of.name
        self.type, self.real_type = _type_text(of.text, _TYPES), _type_text(of.text, _REAL_TYPES)
        alias = of.text.partition("(")[2].partition(")")[0]
        self.alias_info = AliasInfo(alias, of.text.endswith("]")) if of.alias else None
        self.is_write = self.alias_info is not None and self.alias_info.is_write
        default = getattr(of, "default", None)
        default = list(default) if isinstance(default, tuple) else default
        self.default_value = getattr(default, "code", default)  # types and layouts are numbers here
        self.kwarg_only = getattr(of, "keyword_only", False)
        self.is_out = self.kwarg_only and self.is_write
        self.N = getattr(of, "size", 0) or None
        self._has_default = getattr(of, "has_default", False)

    def has_default_value(self) -> bool:
        return self._has_default


class FunctionSchema:
    """A sentence as torch shows it."""

    def __init__(self, schema: Schema):
        self.name = f"{schema.namespace}::{schema.name}"
        self.overload_name = schema.overload
        self.arguments = [Argument(p) for p in schema.params]
        self.returns = [Argument(r) for r in schema.results]
        self.is_mutable = any(a.is_write for a in self.arguments)
        self._sentence = f"{schema.namespace}::{schema.sentence}"

    def __repr__(self) -> str:
        return self._sentence

    def __eq__(self, other) -> bool:
        return isinstance(other, FunctionSchema) and self._sentence == other._sentence

    def __hash__(self) -> int:
        return hash(self._sentence)


def _type_text(text: str, names: dict[str, str]) -> str:
    """``int[1]?`` as ``Optional[List[int]]``."""
    if text.endswith("?"):
        return f"Optional[{_type_text(text[:-1], names)}]"
    if text.endswith("]"):
        return f"List[{_type_text(text[:text.rindex('[')], names)}]"
    word = text.partition("(")[0]
    return names.get(word, word)

"""torch's second names of elementwise functions: a row around the first one's."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef.form import Op, declare

SECOND_NAMES = {
    "absolute": "abs", "fix": "trunc", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh",
    "arccosh": "acosh", "arctanh": "atanh",
}


def _declare(name: str, of: str) -> None:
    def body(self, out=None):
        return getattr(aten, of)(self) if out is None else getattr(aten, of)(self, out=out)

    declare(f"{name}(Tensor self) -> Tensor", f"The same as {of}.", body=body, variants="method inplace out",
            inplace=lambda self: getattr(aten, of + "_")(self))


for _row in SECOND_NAMES.items():
    _declare(*_row)


class Arctan2(Op):
    """The same as atan2."""

    schema = "arctan2(Tensor self, Tensor other) -> Tensor"
    variants = "method inplace out"

    def body(self, other, out=None):
        return aten.atan2(self, other) if out is None else aten.atan2(self, other, out=out)

    def inplace(self, other):
        return aten.atan2_(self, other)

"""torch._custom_op.impl: the ops of the user's own by their full names, and how they are taken back."""

from __future__ import annotations

from ..api.namespace import OpOverload, overload_of
from ..core.missing_name import missing as _missing
from ..library.definition import DEFINITIONS, Definition
from ..library.schema_inference import infer_schema

__all__ = ["CustomOp", "get_op", "global_registry", "infer_schema"]


class CustomOp:
    """An op that torch._custom_ops made."""

    def __init__(self, qualname: str) -> None:
        self._qualname = qualname
        self.cpp_ns, _, self.__name__ = qualname.partition("::")

    @property
    def _definition(self) -> Definition:
        return DEFINITIONS[self._qualname]

    @property
    def _opoverload(self) -> OpOverload:
        return overload_of(self._definition.op)

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def _destroy(self) -> None:
        """Take the op back."""
        global_registry.pop(self._qualname, None)
        if self._qualname in DEFINITIONS:
            self._definition.forget()

    def __repr__(self) -> str:
        return f'<CustomOp(op="{self._qualname}")>'


global_registry: dict[str, CustomOp] = {}


def get_op(qualname: str) -> OpOverload:
    """The op of a full name, or an error that says what may be wrong."""
    space, _, name = qualname.partition("::")
    if not name or qualname not in DEFINITIONS:
        raise ValueError(f"Could not find the operator {qualname}. Please make sure you have already registered the "
                         "operator and (if registered from C++) loaded it via torch.ops.load_library.")
    return overload_of(DEFINITIONS[qualname].op)


__getattr__ = _missing(__name__)

"""The table of ops: every overload by its name, in the order of declaration; torch's own and, by namespace, others."""

from __future__ import annotations

from .operator import Operator

OPS: dict[str, list[Operator]] = {}
NAMESPACES: dict[str, dict[str, list[Operator]]] = {"aten": OPS}  # further ones are made by torch.library


def add(op: Operator) -> None:
    overloads = NAMESPACES.setdefault(op.schema.namespace, {}).setdefault(op.name, [])
    if any(o.overload == op.overload for o in overloads):
        raise TypeError(f"op {op.name}.{op.overload} is declared twice")
    overloads.append(op)


def find(name: str, overload: str = "") -> Operator:
    for op in OPS.get(name, []):
        if op.overload == overload:
            return op
    raise LookupError(f"no op {name}.{overload}; overloads of {name}: {[o.overload for o in OPS.get(name, [])]}")

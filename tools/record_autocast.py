"""Records which ops PyTorch's autocast treats on the CPU, and how: run with torch 2.13.0, writes data/autocast.json.

Each is called with arguments of its types, whose shapes need not fit: casts come first, and are what is looked at.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode

OUT = Path(__file__).parent.parent / "tests/mindtorch_v2/data/autocast.json"
HALF, FLOAT = torch.bfloat16, torch.float32
VALUES = {"int": 1, "bool": False, "float": 1.0, "str": "x", "number": 1, "List[int]": [1, 1], "List[float]": [1.0],
          "List[bool]": [True] * 3}


class Casts(TorchDispatchMode):
    """Notes the types that tensors are cast to."""

    def __init__(self):
        super().__init__()
        self.types = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten._to_copy.default and kwargs.get("dtype") in (HALF, FLOAT):
            self.types.add(kwargs["dtype"])
        return func(*args, **(kwargs or {}))


def casts(op, *types: torch.dtype) -> set:
    """What an op's tensors are cast to where they come in these types, by turns."""
    by_position, by_name = [], {}
    for i, parameter in enumerate(op._schema.arguments):
        value = argument(str(parameter.type), i, types)
        if parameter.kwarg_only:
            by_name[parameter.name] = value
        else:
            by_position.append(value)
    with torch.autocast("cpu"), Casts() as seen:
        try:
            op(*by_position, **by_name)
        except (RuntimeError, IndexError, NotImplementedError):
            pass  # of the op, after its arguments were cast
    return seen.types


def argument(kind: str, i: int, types: tuple[torch.dtype, ...]):
    if kind in ("Tensor", "Optional[Tensor]"):
        return torch.ones(2, 2, dtype=types[i % len(types)])
    if kind == "List[Tensor]":
        return [torch.ones(2, 2, dtype=dtype) for dtype in types]
    return None if kind.startswith("Optional") else VALUES[kind]


def policy(name: str) -> str:
    base, _, overload = name.removeprefix("aten::").partition(".")
    op = getattr(getattr(torch.ops.aten, base), overload or "default")
    if HALF in casts(op, FLOAT):
        return "lower precision"
    if FLOAT in casts(op, HALF):
        return "float32"
    assert FLOAT in casts(op, FLOAT, HALF), f"{name}: no cast was seen"
    return "widest"


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    warnings.simplefilter("ignore")
    names = [name for name in sorted(torch._C._dispatch_get_all_op_names())
             if torch._C._dispatch_has_kernel_for_dispatch_key(name, "AutocastCPU")]
    policies = {name.removeprefix("aten::"): policy(name) for name in names}
    OUT.write_text(json.dumps(policies, indent=0) + "\n", encoding="utf-8")
    print(f"{OUT.name}: {len(policies)} ops")


if __name__ == "__main__":
    main()

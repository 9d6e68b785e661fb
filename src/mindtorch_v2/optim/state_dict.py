"""An optimiser as plain data and back: parameters become numbers, loaded values take their parameter's type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy

from ..core import dtype as dtypes
from ..core.tensor import Tensor


def pack(param_groups: list[dict], state: dict) -> dict:
    """State and groups with every parameter replaced by its number, counted through the groups."""
    numbers: dict[int, int] = {}
    groups = []
    for group in param_groups:
        for p in group["params"]:
            numbers.setdefault(id(p), len(numbers))
        packed = {k: v for k, v in group.items() if k != "params"}
        packed["params"] = [numbers[id(p)] for p in group["params"]]
        groups.append(packed)
    named = {(numbers[id(k)] if isinstance(k, Tensor) else k): v for k, v in state.items()}
    return {"state": named, "param_groups": groups}


def unpack(own_groups: list[dict], given: dict) -> dict:
    """What ``pack`` made, over this optimiser's own parameters."""
    saved_groups = deepcopy(given["param_groups"])
    _same_sizes(own_groups, saved_groups)
    params = {}
    for own, saved in zip(own_groups, saved_groups):
        for number, p in zip(saved["params"], own["params"]):
            params[number] = p, own
    state = defaultdict(dict)
    for key, value in given["state"].items():
        if key in params:
            p, own = params[key]
            state[p] = _cast(p, value, None, own)
        else:
            state[key] = value
    return {"state": state, "param_groups": [_adopt(o, s) for o, s in zip(own_groups, saved_groups)]}


def _same_sizes(own_groups: list[dict], saved_groups: list[dict]) -> None:
    if len(own_groups) != len(saved_groups):
        raise ValueError("loaded state dict has a different number of parameter groups")
    if any(len(o["params"]) != len(s["params"]) for o, s in zip(own_groups, saved_groups)):
        raise ValueError("loaded state dict contains a parameter group that doesn't match the size of "
                         "optimizer's group")


def _adopt(own: dict, saved: dict) -> dict:
    """The saved options with the group's own parameters, and its own names where none were saved."""
    saved["params"] = own["params"]
    if "param_names" in own:
        saved.setdefault("param_names", own["param_names"])
    return saved


def _cast(p: Tensor, value, key, own: dict):
    """Tensors of a parameter's state in its type, however deep they lie; text stays text."""
    if isinstance(value, Tensor):
        return _as_parameter(p, value, key, own)
    if isinstance(value, dict):
        return {k: _cast(p, v, k, own) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_cast(p, v, None, own) for v in value)
    return value


def _as_parameter(p: Tensor, value: Tensor, key, own: dict) -> Tensor:
    """A step count keeps its type: in bfloat16 it would stop growing at 256."""
    if key == "step":
        if own.get("capturable") or own.get("fused"):
            return value.to(dtype=dtypes.float32, device=p.device)
        return value
    if p.is_floating_point():
        return value.to(dtype=p.dtype, device=p.device)
    return value.to(device=p.device)

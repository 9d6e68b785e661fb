"""Objects that programs save, made with any torch, and what there is to see in them; tools/record_saved.py too."""

from __future__ import annotations

import collections
import sys

import numpy as np

OLD_TYPES = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16",
             "complex64", "complex128")
NEW_TYPES = ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
             "float8_e8m0fnu", "complex32")


def _views(torch) -> dict:
    base = torch.arange(24.0).reshape(4, 6)
    return {"base": base, "row": base[1], "column": base[:, 2], "transposed": base.t(), "corner": base[1:3, 2:4],
            "expanded": torch.arange(3.0).expand(2, 3), "again": base, "scalar": base[2, 3], "empty": torch.empty(0, 3)}


def _parameters(torch) -> dict:
    leaf = torch.ones(2, 2, requires_grad=True)
    marked = torch.nn.Parameter(torch.zeros(2))
    marked.tag = "mine"
    tagged = torch.ones(2)
    tagged.note = {"why": 1}
    return {"leaf": leaf, "parameter": torch.nn.Parameter(torch.arange(3.0)), "marked": marked, "tagged": tagged,
            "frozen": torch.nn.Parameter(torch.ones(1), requires_grad=False),
            "buffer": torch.nn.Buffer(torch.ones(1))}


def _containers(torch) -> dict:
    return {"none": None, "yes": True, "number": 3, "large": 2**40, "huge": 2**100, "float": 1.5, "text": "grüße",
            "bytes": b"\x00\xff", "bytearray": bytearray(b"ab"), "complex": 1 + 2j, "list": [1, [2, (3,)]], "tuple": (),
            "pair": (1, 2), "set": {1}, "ordered": collections.OrderedDict(a=1), "counter": collections.Counter("aab"),
            "dtype": torch.float16, "device": torch.device("cpu"), "second": torch.device("cuda", 1),
            "size": torch.Size([2, 3]), "layout": torch.strided, "meta": torch.empty(2, 3, device="meta")}


def _others(torch) -> dict:
    nested = collections.defaultdict(list, a=[1])
    return {"defaultdict": nested, "frozenset": frozenset({1}), "array": np.arange(3), "scalar": np.float64(1.5),
            "slice": slice(1, 2), "range": range(3), "type": torch.nn.Linear, "function": torch.nn.functional.relu,
            "largest": torch.max(torch.ones(1, 2), 1)}


def _model(torch):
    torch.manual_seed(0)
    nn = torch.nn
    return nn.Sequential(collections.OrderedDict(
        conv=nn.Conv2d(1, 2, 3), norm=nn.BatchNorm2d(2), act=nn.ReLU(), pool=nn.AdaptiveAvgPool2d(1),
        flat=nn.Flatten(), drop=nn.Dropout(0.1), linear=nn.Linear(2, 3)))


def _trained(torch) -> dict:
    model = _model(torch)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    scheduler.step()
    return {"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(), "best": 0.25}


def _whole(torch) -> list:
    nn = torch.nn
    torch.manual_seed(0)
    return [_model(torch), nn.LSTM(2, 3), nn.Embedding(3, 2), nn.LayerNorm(4), nn.MultiheadAttention(4, 2),
            nn.TransformerEncoderLayer(4, 2, 8), nn.ModuleDict({"a": nn.Linear(1, 1)}), nn.GELU(),
            nn.ParameterList([nn.Parameter(torch.ones(1))]), nn.CrossEntropyLoss(), nn.GRUCell(2, 2)]


# What is saved, by name: whether load(weights_only=True) takes it, and how it is made.
SAMPLES = {
    "tensor": (True, lambda torch: torch.arange(6.0).reshape(2, 3)),
    "types": (True, lambda torch: {name: torch.tensor([0, 1, 1], dtype=getattr(torch, name)) for name in OLD_TYPES}),
    "new types": (True, lambda torch: {name: torch.tensor([1, 2, 4], dtype=getattr(torch, name))
                                       for name in NEW_TYPES}),
    "views": (True, _views),
    "parameters": (True, _parameters),
    "containers": (True, _containers),
    "state_dict": (True, lambda torch: _model(torch).state_dict()),
    "trained": (True, _trained),
    "storage": (True, lambda torch: [torch.UntypedStorage(3).fill_(7), torch.arange(3)._typed_storage()]),
    "many": (True, lambda torch: [torch.tensor([float(i)]) for i in range(70)]),
    "others": (False, _others),
    "whole": (False, _whole),
}


def facts(torch, value):
    """What a saved object holds, as plain values that any torch can be compared by."""
    if isinstance(value, torch.Tensor):
        return _tensor_facts(torch, value)
    if isinstance(value, torch.nn.Module):
        return [type(value).__name__, repr(value), value.training, facts(torch, value.state_dict())]
    if isinstance(value, (torch.UntypedStorage, torch.TypedStorage)):
        return [type(value).__name__, [str(item) for item in value]]
    if isinstance(value, dict):
        return [type(value).__name__, [[facts(torch, key), facts(torch, item)] for key, item in value.items()]]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [type(value).__name__, [facts(torch, item) for item in value]]
    if isinstance(value, np.ndarray):
        return ["ndarray", str(value.dtype), value.tolist()]
    return [type(value).__name__, str(getattr(value, "__name__", value))]


def _tensor_facts(torch, value) -> list:
    seen = [type(value).__name__, str(value.dtype), list(value.shape), list(value.stride()), value.requires_grad,
            facts(torch, {name: item for name, item in vars(value).items() if not name.startswith("_")})]
    if value.device.type == "meta":
        return [*seen, "meta"]
    start = value.storage_offset() * value.dtype.itemsize
    memory = bytes(list(value.untyped_storage()))
    if not value.numel():
        return [*seen, ""]
    reach = 1 + sum((size - 1) * step for size, step in zip(value.shape, value.stride()))
    return [*seen, memory[start:start + reach * value.dtype.itemsize].hex()]


def sharing(torch, value: dict) -> list[list[str]]:
    """The names of tensors that lie on one storage, of all storages."""
    groups: dict = collections.defaultdict(list)
    for name, item in value.items():
        if isinstance(item, torch.Tensor) and item.device.type != "meta" and item.numel():
            groups[item.untyped_storage().data_ptr()].append(name)
    return sorted(groups.values())


if sys.byteorder != "little":
    raise RuntimeError("the recorded files are of a machine with the low byte first")

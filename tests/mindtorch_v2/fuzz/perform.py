"""Perform a call that is described as data, on any library with torch's interface, and describe its answer as data.

A call is ``{"form": ..., "name": ..., "args": [...], "kwargs": {...}}``. Values stand for themselves where JSON has
them; the rest are dictionaries with one of the words of ``BUILDERS``. Only the standard library and NumPy are used, so
that a worker runs wherever torch does.
"""

from __future__ import annotations

import contextlib
import operator
import warnings
from functools import reduce

import numpy as np

# What tensors are filled with: the elements go round and round in these numbers, beginning at the tensor's seed.
FILLS = {
    "small": (0.5, -1.25, 2.0, 3.5, -0.75, 1.0, -2.0, 0.25, 4.0, -3.0, 1.5),
    "positive": (0.5, 1.25, 2.0, 0.75, 3.0, 1.0, 0.25),
    "unit": (0.5, 0.25, 0.75, 0.125, 0.875, 1.0, 0.0),
    "special": (0.0, float("nan"), 1.0, float("inf"), -1.0, float("-inf"), -0.0, 2.5, 1e30, -1e-30),
    "whole": (0, 1, 2, 3, -1, 5, -4, 7, 100),
    "extreme": (0, 127, -128, 255, 1, -1, 2**31 - 1, -2**31, 2**63 - 1, -2**63),
    "binary": (1, 0, 0, 1, 1, 0, 1),
    "ordered": tuple(range(0, 128)),
}
SIZE_OF_LAYOUT = {  # the shape that is made, from which the layout cuts the shape that is wanted
    "contiguous": lambda shape: shape,
    "transposed": lambda shape: shape[::-1],
    "sliced": lambda shape: [*shape[:-1], 2 * shape[-1]] if shape else shape,
    "offset": lambda shape: [shape[0] + 1, *shape[1:]] if shape else [2],
    "expanded": lambda shape: [1, *shape[1:]] if shape else shape,
}
LAYOUTS = {
    "contiguous": lambda t, shape: t,
    "transposed": lambda t, shape: t.permute(*range(t.dim() - 1, -1, -1)) if t.dim() else t,
    "sliced": lambda t, shape: t[..., ::2] if t.dim() else t,
    "offset": lambda t, shape: t[1:] if shape else t[1],
    "expanded": lambda t, shape: t.expand(shape) if t.dim() else t,
}
OPERATORS = {name: getattr(operator, name) for name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift",
    "eq", "ne", "lt", "le", "gt", "ge", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior",
    "ixor", "ilshift", "irshift", "neg", "pos", "abs", "invert", "getitem", "setitem")}


class Performer:
    """One library and the tensors of one call."""

    def __init__(self, torch):
        self.torch = torch
        self.tensors: list = []  # those among the arguments, in order
        self.steps: list = []  # the results of a graph's steps
        self.builders = {
            "tensor": self._tensor, "same": lambda v: self.tensors[v["same"]], "part": self._part,
            "step": lambda v: self.steps[v["step"]], "tuple": lambda v: tuple(self.build(x) for x in v["tuple"]),
            "complex": lambda v: complex(*v["complex"]), "dtype": lambda v: getattr(torch, v["dtype"]),
            "constant": lambda v: getattr(torch, v["constant"]), "slice": lambda v: slice(*map(self.build, v["slice"])),
            "ellipsis": lambda v: ..., "generator": lambda v: torch.Generator().manual_seed(v["generator"]),
            "numpy": lambda v: getattr(np, v["numpy"])(v["value"]), "device": lambda v: torch.device(v["device"]),
        }

    def build(self, value):
        """The value that a description stands for."""
        if isinstance(value, list):
            return [self.build(item) for item in value]
        if not isinstance(value, dict):
            return value
        return next(build for word, build in self.builders.items() if word in value)(value)

    def _tensor(self, value: dict):
        """``{"tensor": dtype, "shape": [...], "layout": ..., "fill": ..., "seed": ...}``; also ``grad``, ``copied``."""
        torch, dtype, shape = self.torch, value["tensor"], value["shape"]
        size = SIZE_OF_LAYOUT[value["layout"]](shape)
        count = reduce(operator.mul, size, 1)
        numbers = value["numbers"] if "numbers" in value else FILLS[value["fill"]]
        array = _array([numbers[(i * 5 + value["seed"]) % len(numbers)] for i in range(count)], dtype)
        tensor = torch.from_numpy(array.reshape(size)).clone()  # memory of its own, which can be resized
        tensor = tensor.to(torch.bfloat16) if dtype == "bfloat16" else tensor
        tensor = LAYOUTS[value["layout"]](tensor, shape)
        if value.get("copied"):
            tensor = tensor.contiguous().clone()
        if value.get("grad"):
            tensor.requires_grad_()
        self.tensors.append(tensor)
        return tensor

    def _part(self, value: dict):
        """``{"part": [n, start, stop]}``: a slice of the n-th tensor, which shares its memory."""
        number, start, stop = value["part"]
        return self.tensors[number][start:stop]

    def call(self, form: str, name: str, args: list, kwargs: dict):
        if form == "function":
            return getattr(self.torch, name)(*args, **kwargs)
        if form == "functional":
            return getattr(self.torch.nn.functional, name)(*args, **kwargs)
        if form == "method":
            return getattr(args[0], name)(*args[1:], **kwargs)
        return OPERATORS[name](*args)


def _array(numbers: list, dtype: str):
    """Numbers in a NumPy type: whole ones wrap around, so that every type has every fill."""
    if dtype.startswith("complex"):
        both = np.asarray(numbers, np.float64)
        return (both + 1j * np.roll(both, 1)).astype(dtype) if np.isfinite(both).all() else both.astype(dtype)
    if dtype in ("bfloat16", "float16", "float32", "float64"):
        with np.errstate(all="ignore"):
            return np.asarray(numbers, np.float64).astype("float32" if dtype == "bfloat16" else dtype)
    if dtype == "bool":
        return np.asarray([bool(n) for n in numbers], bool)
    bits = np.dtype(dtype).itemsize * 8
    whole = [int(n) % 2**bits if np.isfinite(n) else 0 for n in numbers]
    return np.asarray(whole, f"uint{bits}").view(dtype)


def perform(torch, call: dict) -> dict:
    """The answer to a call: what it returned and wrote, or what it raised."""
    performer = Performer(torch)
    torch.manual_seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if "steps" in call:
                return {"value": _gradients(performer, call)}
            args = [performer.build(v) for v in call["args"]]
            kwargs = {k: performer.build(v) for k, v in call["kwargs"].items()}
        except Exception as error:  # a description nobody can build says nothing about the op
            return {"unbuilt": f"{type(error).__name__}: {error}"}
        try:
            result = performer.call(call["form"], call["name"], args, kwargs)
            answer = {"value": describe(torch, result, performer.tensors)}
            if call["form"] == "operator" and call["name"] == "setitem":
                answer = {"value": describe(torch, args[0], performer.tensors)}
            return answer
        except Exception as error:
            return {"error": type(error).__name__, "text": str(error)}


def _gradients(performer: Performer, call: dict):
    """A graph of steps, the weighted sum of its last result, and the gradients of all inputs that want one."""
    torch = performer.torch
    try:
        for step in call["steps"]:
            args = [performer.build(v) for v in step["args"]]
            kwargs = {k: performer.build(v) for k, v in step["kwargs"].items()}
            result = performer.call(step["form"], step["name"], args, kwargs)
            performer.steps.append(result[0] if isinstance(result, (list, tuple)) else result)
    except Exception as error:
        return {"raised in step": len(performer.steps), "error": type(error).__name__}
    try:
        last = performer.steps[-1]
        weights = torch.arange(1, last.numel() + 1, dtype=torch.float64).reshape(last.shape).to(last.dtype)
        (last * weights).sum().abs().backward()
        return [describe(torch, last, [])] + [None if t.grad is None else describe(torch, t.grad, [])
                                              for t in performer.tensors if t.requires_grad and t.is_leaf]
    except Exception as error:
        return {"raised in": "backward", "error": type(error).__name__, "text": str(error)}


def describe(torch, value, tensors: list):
    """A value in JSON; of tensors also whose memory they show."""
    if isinstance(value, torch.Tensor):
        return _describe_tensor(torch, value, tensors)
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return [describe(torch, v, tensors) for v in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, complex)):
        return {"number": type(value).__name__, "data": [_rounded(value, 12)]}
    return {type(value).__name__: str(value)}


def _describe_tensor(torch, value, tensors: list) -> dict:
    dtype = str(value.dtype).removeprefix("torch.")
    plain = value.detach()
    if dtype in ("bfloat16", "float16"):
        plain = plain.to(torch.float32)
    flat = plain.resolve_conj().contiguous().reshape(-1).tolist() if value.numel() else []
    digits = {"float64": 12, "complex128": 12}.get(dtype, 8)
    answer = {"dtype": dtype, "shape": list(value.shape), "strides": list(value.stride()),
              "data": [_rounded(v, digits) for v in flat]}
    with contextlib.suppress(Exception):
        shares = [i for i, t in enumerate(tensors) if t is value]
        if not shares and value.numel():
            shares = [[i, value.storage_offset()] for i, t in enumerate(tensors)
                      if t.numel() and t.untyped_storage().data_ptr() == value.untyped_storage().data_ptr()]
        if shares:
            answer["shares"] = shares[0]
    return answer


def _rounded(value, digits: int):
    """A number in few digits; complex ones as two."""
    if isinstance(value, complex):
        return [_rounded(value.real, digits), _rounded(value.imag, digits)]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value

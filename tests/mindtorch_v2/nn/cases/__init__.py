"""Small programs whose answers are compared with PyTorch's: tools/record_nn.py runs them there, the tests here.

A program is a text that sees ``torch``, ``nn`` and ``F``; its answer is its value, or the variable ``out`` it leaves.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from types import GeneratorType


def answer(torch, program: str) -> dict:
    """What a program gives, as plain JSON: its value, or the error it raised, and the warnings on the way."""
    torch.manual_seed(0)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "OrderedDict": OrderedDict}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = {"value": plain(torch, run(program, scope))}
        except Exception as error:
            found = {"error": type(error).__name__, "text": str(error)}
    if caught:
        found["warnings"] = [[w.category.__name__, str(w.message)] for w in caught]
    return found


def run(program: str, scope: dict):
    try:
        code = compile(program, "<program>", "eval")
    except SyntaxError:
        exec(compile(program, "<program>", "exec"), scope)
        return scope["out"]
    return eval(code, scope)


def plain(torch, value):
    """A value in JSON; tensors with everything a reader can see of them."""
    if isinstance(value, torch.Tensor):
        return {"class": type(value).__name__, "shape": list(value.shape), "dtype": str(value.dtype),
                "requires_grad": value.requires_grad, "values": value.detach().double().reshape(-1).tolist()}
    if isinstance(value, dict):
        return {type(value).__name__: [[str(k), plain(torch, v)] for k, v in value.items()]}
    if isinstance(value, (list, tuple, GeneratorType)):
        return [plain(torch, v) for v in value]
    if isinstance(value, (bool, int, str, type(None))):
        return value
    return {"number": value} if isinstance(value, float) else repr(value)

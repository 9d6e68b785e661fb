"""Warnings of ops point at the line that called the op, compiled or not, from a function or a module's own lines."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch

CALLS = {
    "T": "torch.ones(2, 2, 2).T",
    "out": "torch.add(torch.ones(3), 1, out=torch.ones(2))",
    "mask": "torch.ones(2)[torch.tensor([1, 0], dtype=torch.uint8)]",
    "parts": "torch.ones(2, 3)[[[0], [1]]]",
    "range": "torch.range(0, 3)",
    "arange": "torch.arange(3, out=torch.ones(5))",
    "arrays": "torch.tensor([np.ones(3), np.ones(3)])",
    "meshgrid": "torch.meshgrid(torch.ones(2), torch.ones(3))",
    "expanded": "torch.ones(1).expand(2).index_put_((torch.tensor([0]),), torch.tensor(1.0))",
    "backward": "torch.ones(2, requires_grad=True).sum().backward(create_graph=True)",
    "grad": "(torch.ones(2, requires_grad=True) * 2).grad",
    "tensor": "torch.tensor(torch.ones(1))",
}


@pytest.mark.parametrize("form", ["\n{}\n", "\ndef call():\n    {}\ncall()\n"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_warning_points_at_the_line_of_the_call(call, form):
    program = form.format(call)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        exec(compile(program, "program.py", "exec"), {"torch": torch, "np": np, "__name__": "program"})
    line = 1 + next(number for number, text in enumerate(program.splitlines()) if call in text)
    assert [(warning.filename, warning.lineno) for warning in said] == [("program.py", line)]

"""Nested tensors of both layouts against PyTorch's recorded answers, and their gradients against those of the parts."""

from __future__ import annotations

import functools
import gzip
import json
import pathlib

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional as F  # noqa: N812  torch's name

from . import cases

RECORDED = json.loads(gzip.decompress(
    (pathlib.Path(__file__).parents[1] / "data" / "nested.json.gz").read_bytes()))
# Questions whose rows differ: ours goes tensor by tensor where PyTorch pads, or keeps fewer notes of sizes.
OTHER_ROWS = """
    torch.matmul(n, n.transpose(1, 2)); n.sum(-1, keepdim=True); n.reshape(2, -1, 3); n.unsqueeze(1); j.is_contiguous()
    F.scaled_dot_product_attention(q, q, q); torch.nested.nested_tensor([]); torch.nested.nested_tensor([a, b.int()])
    j.mean(1); torch.where(j>0, j, j); F.scaled_dot_product_attention(*[j.unsqueeze(2).transpose(1, 2)] * 3)
    torch.autograd.grad((x3 * 2).values().sum(), x3); torch.autograd.grad(x3.to_padded_tensor(0.).sum(), x3)
    j + torch.ones(2, 1, 3); j.reshape(2, -1, 3, 1)
"""
SIGNED = {text.strip() for line in OTHER_ROWS.strip().splitlines() for text in line.split(";")}


@functools.cache
def ours() -> dict:
    return cases.answers(torch)


@pytest.mark.parametrize("question", cases.questions())
def test_answer_is_pytorchs(question):
    theirs, mine = RECORDED[question], ours()[question]
    assert {key: value for key, value in mine.items() if key != "rows"} == {
        key: value for key, value in theirs.items() if key != "rows"}


@pytest.mark.parametrize("question", cases.questions())
def test_rows_are_pytorchs(question):
    assert (ours()[question].get("rows") == RECORDED[question].get("rows")) == (question not in SIGNED)


WEIGHT, GAIN = torch.arange(15, dtype=torch.float64).view(5, 3) / 7, torch.ones(3, dtype=torch.float64)
# What programs do with nested tensors and with plain ones alike.
FUNCTIONS = {
    "mul": lambda t: t * 2, "square": lambda t: t * t, "linear": lambda t: F.linear(t, WEIGHT),
    "relu": F.relu, "gelu": F.gelu, "silu": F.silu, "tanh": lambda t: t.tanh(), "sin": lambda t: t.sin(),
    "softmax": lambda t: torch.softmax(t, -1), "layer_norm": lambda t: F.layer_norm(t, (3,), GAIN, GAIN),
    "chunk": lambda t: t.chunk(3, -1)[1], "sum": lambda t: t.sum(-1, keepdim=True), "clone": lambda t: t.clone(),
    "transpose": lambda t: t.transpose(-2, -1), "dropout": lambda t: F.dropout(t, 0.5, False),
}
FUNCTIONS_OF_STRIDED = {
    "matmul": lambda t: torch.matmul(t, t.transpose(-2, -1)),
    "bmm": lambda t: torch.bmm(t, t.transpose(1, 2)) if t.is_nested else t @ t.mT,
}


@pytest.mark.parametrize("layout", [torch.strided, torch.jagged], ids=str)
@pytest.mark.parametrize("name", [*FUNCTIONS, *FUNCTIONS_OF_STRIDED])
def test_gradients_are_those_of_the_parts(name, layout):
    if layout is torch.jagged and name in FUNCTIONS_OF_STRIDED:
        pytest.skip("a product of two ragged dimensions has no jagged layout")
    function = {**FUNCTIONS, **FUNCTIONS_OF_STRIDED}[name]
    torch.manual_seed(3)
    parts = [torch.randn(n, 3, dtype=torch.float64, requires_grad=True) for n in (2, 4)]
    outputs = function(torch.nested.as_nested_tensor(parts, layout=layout)).unbind()
    grads = torch.autograd.grad(sum([out.square().sum() for out in outputs]), parts)
    expected = torch.autograd.grad(sum([function(part).square().sum() for part in parts]), parts)
    for part, other in zip(grads, expected):
        torch.testing.assert_close(part, other)


@pytest.mark.parametrize("layout", [torch.strided, torch.jagged], ids=str)
def test_a_gradient_comes_back_from_padding(layout):
    parts = [torch.randn(n, 3, requires_grad=True) for n in (2, 4)]
    padded = torch.nested.as_nested_tensor(parts, layout=layout).to_padded_tensor(5.0)
    assert padded.shape == (2, 4, 3)
    padded.square().sum().backward()
    for part in parts:
        torch.testing.assert_close(part.grad, 2 * part.detach())


def test_narrow_takes_a_part_of_each_row():
    rows = torch.arange(12.0).view(2, 6)
    narrowed = torch.nested.narrow(rows, 1, torch.tensor([0, 1]), torch.tensor([2, 3]), layout=torch.jagged)
    assert [part.tolist() for part in narrowed] == [[0, 1], [7, 8, 9]]

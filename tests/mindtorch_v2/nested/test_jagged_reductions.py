"""Reductions of jagged tensors, with and without autograd; what PyTorch 2.13 answers stands beside each."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

J = "j"  # where the ragged dimension is
ANSWERS = {
    "t.mean(2)": ([[1.0, 4.0], [1.0, 4.0, 7.0]], (2, J)),
    "t.transpose(1, 2).mean(1)": ([[1.0, 4.0], [1.0, 4.0, 7.0]], (2, J)),
    "t.transpose(1, 2).sum(2)": ([[3.0, 5.0, 7.0], [9.0, 12.0, 15.0]], (2, 3)),
    "t.transpose(1, 2).mean(2)": ([[1.5, 2.5, 3.5], [3.0, 4.0, 5.0]], (2, 3)),
    "t.mean(1, keepdim=True)": ([[[1.5, 2.5, 3.5]], [[3.0, 4.0, 5.0]]], (2, 1, 3)),
    "t.sum((0, 1))": ([12.0, 17.0, 22.0], (3,)),
    "t.sum((0, 1), keepdim=True)": ([[[12.0, 17.0, 22.0]]], (1, 1, 3)),
    "t.mean((0, 1, 2))": (3.4, ()),
    "t.sum((1, 2))": ([15.0, 36.0], (2,)),  # PyTorch refuses this one and the next
    "t.mean((1, 2))": ([2.5, 4.0], (2,)),
}
WITHOUT_AUTOGRAD = {
    "t.amax(2)": ([[2.0, 5.0], [2.0, 5.0, 8.0]], (2, J)),
    "t.amax(1)": ([[3.0, 4.0, 5.0], [6.0, 7.0, 8.0]], (2, 3)),
    "t.prod(2)": ([[0.0, 60.0], [0.0, 60.0, 336.0]], (2, J)),
}


def answer(statement: str, requires_grad: bool):
    parts = [torch.arange(6.0).view(2, 3), torch.arange(9.0).view(3, 3)]
    t = torch.nested.nested_tensor(parts, layout=torch.jagged, requires_grad=requires_grad)
    result = eval(statement, {"t": t})
    if not result.is_nested:
        return pytest.approx(result.tolist(), rel=1e-6) if not result.ndim else result.tolist(), tuple(result.shape)
    return [part.tolist() for part in result.unbind()], tuple(J if type(n) is not int else n for n in result.shape)


@pytest.mark.parametrize(("statement", "requires_grad"), [*((s, grad) for s in ANSWERS for grad in (False, True)),
                                                          *((s, False) for s in WITHOUT_AUTOGRAD)])
def test_reduction_is_pytorchs(statement, requires_grad):
    assert answer(statement, requires_grad) == {**ANSWERS, **WITHOUT_AUTOGRAD}[statement]


@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize("name", ["sum", "mean"])
def test_batches_are_not_reduced_alone(name, requires_grad):
    with pytest.raises(RuntimeError, match=rf"{name}\(\): reducing along the batch dimension but not the ragged"):
        answer(f"t.{name}(0)", requires_grad)

"""Tensors that want a gradient where a number is asked for: refused as arguments, warned of in lists."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.ops.python import lost_history

F = torch.nn.functional
X = torch.ones(2, 3)
SLOPE = torch.tensor(0.25, requires_grad=True)
ARGUMENTS = {
    "leaky_relu(): argument 'negative_slope' (position 2) must be Number, not Tensor": lambda n: F.leaky_relu(X, n),
    "elu(): argument 'alpha' (position 2) must be Number, not Tensor": lambda n: F.elu(X, n),
    "celu(): argument 'alpha' (position 2) must be Number, not Tensor": lambda n: F.celu(X, n),
    "threshold(): argument 'threshold' (position 2) must be Number, not Tensor": lambda n: F.threshold(X, n, n),
    "hardtanh(): argument 'min_val' (position 2) must be Number, not Tensor": lambda n: F.hardtanh(X, n, n),
    "rrelu(): argument 'lower' (position 2) must be Number, not Tensor": lambda n: F.rrelu(X, n, n),
    "full(): argument 'fill_value' (position 2) must be Number, not Tensor": lambda n: torch.full((2,), n),
    "add_(): argument 'alpha' must be Number, not Tensor": lambda n: torch.zeros(2).add_(1, alpha=n),
    "arange(): argument 'end' (position 1) must be Number, not Tensor": lambda n: torch.arange(n),
    "layer_norm(): argument 'eps' (position 5) must be float, not Tensor": lambda n: F.layer_norm(X, (3,), eps=n),
    "uniform_(): argument 'to' (position 2) must be float, not Tensor": lambda n: torch.zeros(2).uniform_(0, n),
}
WARNING = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"
LISTS = {"tensor": lambda x: torch.tensor([x]), "FloatTensor": lambda x: torch.FloatTensor([x, 1.0])}


@pytest.fixture(autouse=True)
def _nothing_said_yet(monkeypatch):
    monkeypatch.setattr(lost_history._Said, "once", False)


@pytest.mark.parametrize(("text", "call"), ARGUMENTS.items(), ids=ARGUMENTS)
def test_a_number_that_wants_a_gradient_is_refused(text, call):
    with pytest.raises(TypeError) as caught:
        call(SLOPE)
    assert str(caught.value) == text


@pytest.mark.parametrize("call", ARGUMENTS.values(), ids=ARGUMENTS)
def test_one_that_wants_none_is_a_number(call):
    call(SLOPE.detach())


@pytest.mark.parametrize("make", LISTS.values(), ids=LISTS)
def test_one_in_a_list_of_numbers_is_warned_of(make):
    with pytest.warns(UserWarning, match=WARNING):
        make(SLOPE)

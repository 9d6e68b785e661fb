"""torch.autograd.Variable, as programs from before torch 0.4 use it."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import Variable


def test_variable_is_a_tensor_on_the_same_data_without_history():
    source = torch.ones(2, requires_grad=True) * 2
    variable = Variable(source)
    assert type(variable) is torch.Tensor and variable.data_ptr() == source.data_ptr()
    assert variable.grad_fn is None and not variable.requires_grad


@pytest.mark.parametrize("arguments", [((), {"requires_grad": True}), ((True,), {})])
def test_variable_wants_its_gradient(arguments):
    args, kwargs = arguments
    variable = Variable(torch.ones(2), *args, **kwargs)
    (variable * 3).sum().backward()
    assert variable.grad.tolist() == [3, 3]


def test_every_tensor_is_a_variable():
    assert isinstance(torch.ones(2), Variable) and isinstance(torch.nn.Parameter(torch.ones(2)), Variable)
    assert not isinstance(3, Variable)
    assert torch.autograd.variable.Variable is Variable


def test_variable_of_nothing_is_empty():
    assert Variable().shape == (0,)


def test_volatile_warns_where_it_is_used():
    with pytest.warns(UserWarning, match="volatile was removed") as warned:
        Variable(torch.ones(2), volatile=True)
    assert warned[0].filename == __file__


@pytest.mark.filterwarnings("ignore:volatile")
@pytest.mark.parametrize(("mistake", "error", "text"), [
    (lambda: Variable(3), TypeError, "Variable data has to be a tensor, but got int"),
    (lambda: Variable(torch.ones(2, dtype=torch.int64), requires_grad=True), RuntimeError, "Only Tensors of floating"),
    (lambda: Variable(torch.ones(2), True, True), ValueError, "can't be volatile and require_grad"),
    (lambda: Variable(torch.ones(2), _grad_fn=3), TypeError, "_grad_fn has to be a Function object or None"),
])
def test_mistakes_are_torchs(mistake, error, text):
    with pytest.raises(error, match=text):
        mistake()

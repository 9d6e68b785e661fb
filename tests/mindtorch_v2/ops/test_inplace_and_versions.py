"""Views share memory and version with their base; a value overwritten before its derivative is taken is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mindtorch_v2 as torch

# Ways to look at a 4x6 tensor that share its memory.
VIEWS = {
    "select": lambda x: x[1], "slice": lambda x: x[1:, ::2], "transpose": lambda x: x.t(), "view": lambda x: x.view(24),
    "permute": lambda x: x.permute(1, 0), "unsqueeze": lambda x: x.unsqueeze(0), "narrow": lambda x: x.narrow(1, 2, 3),
    "diagonal": lambda x: x.diagonal(), "unbind": lambda x: x.unbind(1)[2], "split": lambda x: x.split(3, 1)[1],
    "chunk": lambda x: x.chunk(2)[0], "as_strided": lambda x: x.as_strided((2, 2), (6, 1), 3),
    "alias": lambda x: x[...],
    "of a view": lambda x: x[1:].t()[2:].unsqueeze(1),
}


@pytest.mark.parametrize("name", VIEWS)
def test_writing_into_a_view_writes_into_the_base(name):
    x = torch.zeros(4, 6)
    view = VIEWS[name](x)
    view.fill_(1)
    assert float(x.sum()) == view.numel()
    assert np.shares_memory(view.numpy(), x.numpy())


@pytest.mark.parametrize("name", VIEWS)
def test_view_and_base_count_writes_together(name):
    x = torch.zeros(4, 6)
    view = VIEWS[name](x)
    x.add_(1)
    assert (x._version, view._version) == (1, 1)
    view.mul_(2)
    assert (x._version, view._version) == (2, 2)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_knows_its_base(name):
    x = torch.zeros(4, 6)
    assert VIEWS[name](x)._base is x


@pytest.mark.parametrize(("change", "shape"), [
    (lambda x: x.t_(), (3, 2)), (lambda x: x.transpose_(0, 1), (3, 2)), (lambda x: x.unsqueeze_(1), (2, 1, 3)),
    (lambda x: x.as_strided_((3,), (2,)), (3,)), (lambda x: x.unsqueeze_(0).squeeze_(), (2, 3)),
])
def test_views_taken_in_place_keep_the_object(change, shape):
    x = torch.arange(6.0).reshape(2, 3).clone()
    assert change(x) is x
    assert tuple(x.shape) == shape and x._version >= 1


def test_a_saved_value_that_was_overwritten_is_refused():
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match=(
            r"one of the variables needed for gradient computation has been modified by an inplace operation: "
            r"\[torch.FloatTensor \[2, 3\]\], which is output 0 of Add, is at version 1; expected version 0 "
             "instead. "
            r"Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
            r"torch.autograd.set_detect_anomaly\(True, check_nan=False\).")):
        z.sum().backward()


def test_a_saved_value_overwritten_through_a_view_is_refused_too():
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    z = y.exp()
    z[0] = 5
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0 instead"):
        z.sum().backward()


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_a_view_needs_only_the_shape_of_what_it_shows(name):
    x = torch.ones(4, 6, requires_grad=True)
    y = x * 2
    view = VIEWS[name](y)
    total = view.sum()
    with torch.no_grad():
        y.add_(1)  # overwrites what the view showed, which its derivative never looks at
    total.backward()
    assert float(x.grad.sum()) == 2 * view.numel()


@given(st.integers(0, 3), st.integers(0, 5))
def test_assigning_into_a_tensor_with_history_cuts_off_what_was_there(row, column):
    x = torch.ones(4, 6, requires_grad=True)
    y = x * 3
    y[row] = 0
    y[:, column] = 1
    y.sum().backward()
    expected = np.full((4, 6), 3.0)
    expected[row], expected[:, column] = 0, 0
    np.testing.assert_array_equal(x.grad.numpy(), expected)


def test_assigned_values_get_the_gradient_of_their_place():
    x, v = torch.ones(3, 2, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x * 1
    y[1] = v
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).sum().backward()
    assert v.grad.tolist() == [3, 4]
    assert x.grad.tolist() == [[1, 2], [0, 0], [5, 6]]


def test_values_put_at_positions_get_the_gradient_of_their_place():
    x, v = torch.ones(3, 2, requires_grad=True), torch.ones(2, 2, requires_grad=True)
    y = x * 1
    y[torch.tensor([2, 0])] = v
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).sum().backward()
    assert v.grad.tolist() == [[5, 6], [1, 2]]
    assert x.grad.tolist() == [[0, 0], [3, 4], [0, 0]]


def test_a_leaf_that_wants_a_gradient_is_not_overwritten():
    x = torch.ones(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place "
                                           "operation."):
        x[0] = 1
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place "
                                           "operation."):
        x.t_()
    with torch.no_grad():
        x[0] = 5
    assert x[0].tolist() == [5, 5, 5]


def test_resizing_counts_as_a_write_if_the_shape_changes():
    x, y = torch.rand(1), torch.rand(3)
    versions = [resize()._version for resize in (lambda: x.resize_((1, 2)), lambda: x.resize_as_(y),
                                                 lambda: x.resize_(3), lambda: x.resize_as_(y))]
    assert versions == [1, 2, 2, 2]

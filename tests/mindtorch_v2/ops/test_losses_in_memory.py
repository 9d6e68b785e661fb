"""Losses of tensors that differ in type, shape or layout: the rows they leave and how their results lie in memory."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

aten = torch.ops.aten
LOSSES = {"mse_loss": (), "smooth_l1_loss": (0.5,)}
CAST = ["aten::to", "aten::_to_copy", "aten::empty_strided", "aten::copy_"]
NONE, MEAN = 0, 1


def rows_of(call) -> list[str]:
    with torch.profiler.profile() as prof:
        call()
    return [e.name for e in prof.events()]


@pytest.mark.parametrize("name", LOSSES)
def test_losses_lie_in_memory_as_the_first_operand_does(name):
    x = torch.rand(4, 3).t()
    assert getattr(aten, name)(x, torch.rand(3, 4), NONE, *LOSSES[name]).stride() == (1, 3)


@pytest.mark.parametrize("name", LOSSES)
def test_a_reduced_loss_of_two_types_casts_for_its_result_and_for_its_buffer(name):
    x, y = torch.rand(3, 4), torch.rand(3, 4, dtype=torch.float64)
    rows = rows_of(lambda: getattr(aten, name)(x, y, MEAN, *LOSSES[name]))
    assert rows[:11] == [f"aten::{name}", *CAST, "aten::resize_", *CAST, "aten::empty"]


@pytest.mark.parametrize("name", LOSSES)
def test_a_derivative_in_the_common_type_is_written_to_a_buffer_and_copied(name):
    x, y, grad = torch.rand(3, 4), torch.rand(3, 4, dtype=torch.float64), torch.tensor(1.0)
    into = torch.zeros(3, 4)
    backward = getattr(aten, f"{name}_backward")
    rows = rows_of(lambda: backward(grad, x, y, MEAN, *LOSSES[name], grad_input=into))
    assert rows == [f"aten::{name}_backward", "aten::empty_like", "aten::empty", *CAST, *CAST, "aten::copy_"]
    wide = backward(grad.double(), x.double(), y, MEAN, *LOSSES[name])
    assert torch.equal(into, wide.float())


def test_huber_loss_of_two_types_is_computed_in_the_common_one_and_copied():
    x, y = torch.rand(3, 4), torch.rand(3, 4, dtype=torch.float64)
    rows = rows_of(lambda: aten.huber_loss(x, y, NONE, 1.0))
    assert rows == ["aten::huber_loss", "aten::empty_like", "aten::empty_strided", "aten::empty_like", "aten::empty",
                    *CAST, "aten::copy_"]


def test_the_derivative_of_huber_loss_is_written_only_into_its_own_type():
    x = torch.rand(3, 4)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        aten.huber_loss_backward(torch.tensor(1.0), x, x, MEAN, 1.0, grad_input=torch.zeros(3, 4, dtype=torch.float64))


def test_a_target_with_more_dimensions_resizes_the_loss():
    x, y = torch.rand(4), torch.rand(3, 4)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        assert aten.huber_loss(x, y, NONE, 1.0).shape == (3, 4)


def test_labels_per_pixel_want_floating_probabilities():
    with pytest.raises(NotImplementedError, match="\"nll_loss2d_forward_out_frame\" not implemented for 'Long'"):
        aten.nll_loss2d(torch.ones(2, 3, 4, 4, dtype=torch.int64), torch.zeros(2, 4, 4, dtype=torch.int64))

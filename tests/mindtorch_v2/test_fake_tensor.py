"""Tensors without values (torch._subclasses.fake_tensor): what they are, what ops make of them, what they refuse."""

from __future__ import annotations

import copy
import io

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._guards import active_fake_mode, detect_fake_mode
from mindtorch_v2._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    is_fake,
    maybe_get_fake_mode,
    unset_fake_temporarily,
)


@pytest.fixture
def mode():
    return FakeTensorMode()


def test_new_tensors_have_shapes_and_devices_but_no_values(mode):
    with mode:
        x = torch.randn(2, 3, dtype=torch.float64)
        y = torch.empty(2, device="meta")
    assert type(x) is FakeTensor and x.fake_mode is mode and x.device == torch.device("cpu") and x.is_cpu
    assert not x.is_meta and x.untyped_storage().device.type == "meta" and x.data_ptr() == 0
    assert repr(x) == "FakeTensor(..., size=(2, 3), dtype=torch.float64)"
    assert repr(y) == "FakeTensor(..., device='meta', size=(2,))"


@pytest.mark.parametrize(("make", "shape", "stride"), [
    (lambda x: x @ x.t(), (2, 2), (2, 1)), (lambda x: x + 1, (2, 3), (3, 1)), (lambda x: x.t(), (3, 2), (1, 3)),
    (lambda x: x[:, 1:].clone(), (2, 2), (2, 1)), (lambda x: x.sum(1, keepdim=True), (2, 1), (1, 1)),
    (lambda x: torch.linalg.svd(x).Vh, (3, 3), (1, 3)), (lambda x: torch.cat([x, x]), (4, 3), (3, 1)),
    (lambda x: x[torch.tensor([0, 1, 0])], (3, 3), (3, 1)), (lambda x: torch.nn.Linear(3, 4)(x), (2, 4), (4, 1))])
def test_results_have_the_shapes_that_they_would_have(mode, make, shape, stride):
    with mode:
        result = make(torch.empty(2, 3))
    assert type(result) is FakeTensor and tuple(result.shape) == shape and result.stride() == stride


def test_a_tensor_has_one_fake_which_is_a_view_where_it_is_one(mode):
    x = torch.randn(2, 3)
    fake, view = mode.from_tensor(x), mode.from_tensor(x[:, 1:])
    assert mode.from_tensor(x) is fake and mode.from_tensor(fake) is fake
    assert view.stride() == (3, 1) and view.storage_offset() == 1 and view._is_view()


def test_a_parameter_s_fake_is_a_parameter(mode):
    fake = mode.from_tensor(torch.nn.Parameter(torch.ones(2)))
    assert type(fake) is FakeTensor and isinstance(fake, torch.nn.Parameter) and fake.is_leaf and fake.requires_grad
    assert repr(fake) == "Parameter(FakeTensor(..., size=(2,), requires_grad=True))"


def test_modules_are_built_and_trained_without_values(mode):
    with mode:
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.Flatten(),
                                  torch.nn.Linear(144, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        loss = net(torch.randn(5, 3, 8, 8)).square().mean()
        loss.backward()
        optimizer.step()
    assert tuple(net[0].weight.grad.shape) == (4, 3, 3, 3) and is_fake(net[0].weight.grad)
    assert loss.grad_fn.name() == "MeanBackward0"


def test_ops_on_fakes_need_no_mode_around_them(mode):
    x = mode.from_tensor(torch.randn(2, 3, requires_grad=True))
    (x * 2).sum().backward()
    assert type(x.grad) is FakeTensor and maybe_get_fake_mode(x.grad) is mode


def test_numbers_that_are_known_are_told_until_they_are_written(mode):
    with mode:
        one = torch.tensor(2.5)
        assert one.item() == 2.5 and (one + 1).item() == 3.5 and torch.tensor([1, 2]).constant is None
        one.copy_(torch.empty(()))
        with pytest.raises(DataDependentOutputException, match="aten._local_scalar_dense.default"):
            one.item()


@pytest.mark.parametrize(("ask", "error"), [
    (lambda x: x.sum().item(), DataDependentOutputException), (lambda x: bool(x.sum()), DataDependentOutputException),
    (lambda x: x.tolist(), DataDependentOutputException), (lambda x: x.nonzero(), DynamicOutputShapeException),
    (lambda x: x[x > 0], DynamicOutputShapeException), (lambda x: torch.unique(x), DynamicOutputShapeException)])
def test_what_depends_on_values_raises(mode, ask, error):
    with mode, pytest.raises(error, match="aten"):
        ask(torch.empty(2, 3))


def test_real_tensors_are_refused_unless_they_are_allowed(mode):
    x = torch.randn(2, 3)
    with mode, pytest.raises(AssertionError, match="Please convert all Tensors to FakeTensors first or instantiate "
                             r"FakeTensorMode with 'allow_non_fake_inputs'. Found in aten.add.Tensor\(FakeTensor"):
        torch.empty(2, 3) + x
    with FakeTensorMode(allow_non_fake_inputs=True):
        assert type(x + x) is FakeTensor


def test_fakes_of_two_modes_do_not_mix(mode):
    x = torch.ones(2)
    with pytest.raises(AssertionError, match="Mixing fake modes NYI"):
        mode.from_tensor(x) + FakeTensorMode().from_tensor(x)


def test_a_block_without_the_mode_makes_values(mode):
    with mode, unset_fake_temporarily() as inner:
        assert inner is mode and type(torch.ones(2)) is torch.Tensor
    assert type(torch.ones(2)) is torch.Tensor


def test_modes_are_found(mode):
    fake = mode.from_tensor(torch.ones(2))
    assert detect_fake_mode([{"x": fake}]) is mode and detect_fake_mode([1]) is None and active_fake_mode() is None
    with mode:
        assert active_fake_mode() is detect_fake_mode() is mode


def test_saved_tensors_are_loaded_without_values(mode):
    file = io.BytesIO()
    torch.save({"w": torch.arange(6.0).view(2, 3).t()}, file)
    file.seek(0)
    with mode:
        w = torch.load(file)["w"]
    assert type(w) is FakeTensor and tuple(w.shape) == (3, 2) and w.stride() == (1, 3)


def test_a_fake_is_copied_deeply(mode):
    with mode:
        module = torch.nn.Linear(2, 3)
        copied = copy.deepcopy(module)
    assert isinstance(copied.weight, torch.nn.Parameter) and copied.weight is not module.weight
    assert type(copied.weight) is FakeTensor and copied.weight.requires_grad


def test_a_fake_is_made_of_a_tensor_on_the_meta_device(mode):
    assert repr(FakeTensor(mode, torch.empty(3, device="meta"), "cpu")) == "FakeTensor(..., size=(3,))"
    with pytest.raises(AssertionError, match="elem.device.type must be 'meta', got cpu"):
        FakeTensor(mode, torch.empty(3), "cpu")

"""A device of one's own: a subclass of Backend with memory and a few kernels, and no change to any op."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core.device import device
from mindtorch_v2.core.storage import place
from mindtorch_v2.core.tensor import Tensor
from mindtorch_v2.devices.backend import Backend, register
from mindtorch_v2.devices.cpu.kernels import KERNELS

NAMES = ("add", "mul", "neg", "copy", "fill", "sum_all", "reduce_sum", "gemm", "cumsum", "eq")


class Shelf(Backend):
    """Memory of its own in this process, and the kernels named above."""

    kernels = {name: KERNELS[name] for name in NAMES if name in KERNELS}

    def allocate(self, shape, dtype):
        array = np.empty(math.prod(shape), dtype.numpy).reshape(shape)
        return array, place(array, array.nbytes, self.number)

    def copy(self, into: Tensor, source: Tensor) -> None:
        KERNELS["copy"](into._mt_array, source._mt_array)


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return register(Shelf(device("privateuseone", 0)))


def test_tensors_go_to_a_device_and_come_back(shelf):
    there = torch.tensor([1.0, 2.0]).to(shelf.place)
    assert there.device == shelf.place
    assert there.cpu().tolist() == [1.0, 2.0]


def test_an_op_runs_the_kernel_of_its_name_on_the_device(shelf):
    x = torch.tensor([1.0, 2.0]).to(shelf.place)
    result = x + x * 3
    assert result.device == shelf.place
    assert result.cpu().tolist() == [4.0, 8.0]


def test_operands_of_several_types_are_cast_on_the_device(shelf):
    x = torch.tensor([1.5, 2.0]).to(shelf.place)
    whole = torch.tensor([1, 2]).to(shelf.place)
    assert (x * whole).cpu().tolist() == [1.5, 4.0]


def test_new_tensors_are_made_where_the_call_says(shelf):
    assert torch.zeros(2, device=shelf.place).device == shelf.place
    assert torch.ones_like(torch.zeros(2, device=shelf.place)).cpu().tolist() == [1.0, 1.0]


def test_views_and_writes_in_place_work_on_the_device(shelf):
    x = torch.zeros(2, 3, device=shelf.place)
    x.t()[1] += 5
    assert x.cpu().tolist() == [[0.0, 5.0, 0.0], [0.0, 5.0, 0.0]]


def test_gradients_stay_on_the_device(shelf):
    x = torch.tensor([1.0, 2.0]).to(shelf.place).requires_grad_()
    (x * x).backward(torch.ones(2, device=shelf.place))
    assert x.grad.device == shelf.place
    assert x.grad.cpu().tolist() == [2.0, 4.0]


def test_a_gradient_comes_back_over_a_copy_between_devices(shelf):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x.to(shelf.place) * 3).cpu().sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_missing_kernel_is_refused_by_op_and_device(shelf):
    x = torch.tensor([1.0]).to(shelf.place)
    with pytest.raises(NotImplementedError, match="'aten::erfinv' .* backend.* 'privateuseone:0' has no kernel"):
        torch.erfinv(x)


def test_tensors_of_two_devices_are_refused(shelf):
    x = torch.tensor([1.0]).to(shelf.place)
    with pytest.raises(RuntimeError, match="Tensor on device cpu is not on the expected device privateuseone:0!"):
        x + torch.tensor([1.0])

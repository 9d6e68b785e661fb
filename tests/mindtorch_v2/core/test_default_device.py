"""``with torch.device(...)`` and set_default_device(): where new tensors go when their call does not say."""

from __future__ import annotations

import threading

import pytest

import mindtorch_v2 as torch


@pytest.fixture(autouse=True)
def no_default_afterwards():
    yield
    torch.set_default_device(None)


def test_device_is_a_context():
    with torch.device("cpu") as device:
        assert device == torch.device("cpu") == torch.get_default_device()
        assert torch.ones(2).device == device
        assert torch.tensor([1]).tolist() == torch.as_tensor([1]).tolist() == torch.asarray([1]).tolist() == [1]


@pytest.mark.parametrize("make", [
    lambda: torch.ones(2), lambda: torch.tensor([1.0]), lambda: torch.as_tensor([1.0]), lambda: torch.asarray([1.0]),
    lambda: torch.arange(3), lambda: torch.randn(2), lambda: torch.full((2,), 1.0),
])
def test_context_gives_its_device_to_whatever_makes_a_tensor(make):
    with torch.device("cuda"), pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        make()
    make()


def test_call_and_inner_context_have_the_last_word():
    with torch.device("cuda"):
        assert torch.ones(2, device="cpu").tolist() == [1, 1]
        with torch.device("cpu"):
            assert torch.ones(2).tolist() == [1, 1]
        assert torch.get_default_device().type == "cuda"
    assert torch.get_default_device().type == "cpu"


def test_what_is_made_from_a_tensor_goes_where_the_tensor_is():
    x = torch.ones(2)
    with torch.device("cuda"):
        assert (x + 1).tolist() == torch.zeros_like(x + 1).add(2).tolist() == [2, 2]


def test_default_is_outside_of_every_context_and_can_be_ended():
    torch.set_default_device("cuda")
    with torch.device("cpu"):
        torch.set_default_device("xpu")
        assert torch.get_default_device().type == "cpu"
    assert torch.get_default_device().type == "xpu"
    torch.set_default_device(None)
    assert torch.get_default_device().type == "cpu" and torch.ones(1).tolist() == [1]


def test_default_is_a_threads_own():
    torch.set_default_device("cuda")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.get_default_device().type))
    thread.start()
    thread.join()
    assert seen == ["cpu"]


def test_unknown_device_changes_nothing():
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        torch.set_default_device("nowhere")
    assert torch.get_default_device().type == "cpu"


def test_context_that_was_not_entered_cannot_be_left():
    with pytest.raises(RuntimeError, match="trying to pop from empty mode stack"):
        torch.device("cpu").__exit__(None, None, None)

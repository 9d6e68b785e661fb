"""register_autocast, and get_ctx in functions for inputs without values."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode


@pytest.fixture
def sine():
    @torch.library.custom_op("tests_autocast::sine", mutates_args=())
    def sine(x: torch.Tensor) -> torch.Tensor:
        assert not torch.is_autocast_enabled("cpu")
        return x.sin()
    yield sine
    sine._definition.forget()


@pytest.mark.parametrize("register", [
    lambda op: op.register_autocast("cpu", torch.bfloat16),
    lambda op: torch.library.register_autocast("tests_autocast::sine", "cpu", torch.bfloat16),
    lambda op: torch.library.register_autocast(op, "cpu", torch.bfloat16)])
def test_inputs_are_cast_where_autocast_is_on(sine, register):
    register(sine)
    with torch.autocast("cpu", dtype=torch.float16):
        assert sine(torch.ones(2)).dtype is torch.bfloat16
        assert sine(torch.ones(2, dtype=torch.float64)).dtype is torch.float64
        assert torch.is_autocast_enabled("cpu")
    assert sine(torch.ones(2)).dtype is torch.float32


def test_gradients_go_through_the_cast(sine):
    sine.register_autocast("cpu", torch.bfloat16)
    sine.register_autograd(lambda ctx, grad: grad * 2)
    x = torch.ones(2, requires_grad=True)
    with torch.autocast("cpu"):
        sine(x).sum().backward()
    assert x.grad.dtype is torch.float32 and x.grad.tolist() == [2.0, 2.0]


@pytest.mark.parametrize(("op", "device", "error", "text"), [
    (3, "cpu", ValueError, "got unexpected type for op: <class 'int'>"),
    ("tests_autocast::sine", "nope", RuntimeError, "Expected one of cpu, cuda"),
    ("tests_autocast::sine", "mps", ValueError, "Unknown device type: mps")])
def test_registrations_are_refused(sine, op, device, error, text):
    with pytest.raises(error, match=text):
        torch.library.register_autocast(op, device, torch.float16)


@pytest.fixture
def places():
    @torch.library.custom_op("tests_autocast::places", mutates_args=())
    def places(x: torch.Tensor) -> torch.Tensor:
        return x.nonzero()

    @places.register_fake
    def _(x):
        return x.new_empty((torch.library.get_ctx().new_dynamic_size(), x.dim()), dtype=torch.int64)
    yield places
    places._definition.forget()


def test_a_size_that_depends_on_values_is_refused(places):
    assert places(torch.tensor([0.0, 2.0])).tolist() == [[1]]
    with FakeTensorMode(), pytest.raises(DynamicOutputShapeException, match="tests_autocast.places.default"):
        places(torch.ones(2))
    with pytest.raises(RuntimeError, match="You're trying to run this operator with meta Tensors"):
        places(torch.ones(2, device="meta"))
    assert torch.library.get_ctx() is None

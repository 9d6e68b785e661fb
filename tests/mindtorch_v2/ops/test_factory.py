"""What the factory functions take beside what their ops take."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

MAKERS = [
    lambda **o: torch.empty(2, **o), lambda **o: torch.zeros((2,), **o), lambda **o: torch.ones(2, **o),
    lambda **o: torch.full((2,), 1.0, **o), lambda **o: torch.rand(2, **o), lambda **o: torch.randn(2, **o),
    lambda **o: torch.arange(2.0, **o), lambda **o: torch.linspace(0, 1, 2, **o), lambda **o: torch.eye(2, **o),
    lambda **o: torch.zeros_like(torch.ones(2), **o), lambda **o: torch.randn_like(torch.ones(2), **o),
    lambda **o: torch.ones(2).new_zeros(2, **o), lambda **o: torch.normal(0.0, 1.0, (2,), **o),
]


@pytest.mark.parametrize("make", MAKERS)
def test_requires_grad_makes_a_leaf(make):
    made = make(requires_grad=True)
    assert made.requires_grad and made.is_leaf


@pytest.mark.parametrize("make", MAKERS)
def test_a_new_tensor_was_never_written_to(make):
    assert make()._version == 0


@pytest.mark.parametrize("make", MAKERS)
def test_dtype_and_device_are_taken(make):
    assert make(dtype=torch.float64, device="cpu").dtype is torch.float64


@pytest.mark.parametrize("device", ["cpu", "cpu:0", torch.device("cpu"), torch.device("cpu", 0)])
@pytest.mark.parametrize("dtype", [None, torch.int16])
def test_the_cpu_is_taken_by_any_name(device, dtype):
    made = torch.zeros(2, 3, dtype=dtype, device=device)
    assert (made.shape, made.dtype, made.device.type) == ((2, 3), dtype or torch.float32, "cpu")


@pytest.mark.parametrize("device", ["cuda", "nowhere", "", 1.5])
def test_another_device_is_refused(device):
    with pytest.raises((AssertionError, RuntimeError, TypeError)):
        torch.zeros(2, device=device)


def test_out_is_filled_and_handed_back():
    out = torch.empty(0)
    assert torch.ones(2, 3, out=out) is out
    assert out.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_out_of_another_type_is_refused():
    with pytest.raises(RuntimeError, match=r"dtype Double does not match dtype of out parameter \(Float\)"):
        torch.zeros(3, out=torch.empty(0), dtype=torch.float64)


COMPLAINTS = [
    (lambda: torch.zeros(2.5), TypeError, "zeros(): argument 'size' (position 1) must be tuple of ints, not float"),
    (lambda: torch.zeros(-1), RuntimeError, "zeros: Dimension size must be non-negative."),
    (lambda: torch.empty(-1), RuntimeError, "Trying to create tensor with negative dimension -1: [-1]"),
    (lambda: torch.ones(3, requires_grad=1), TypeError, "ones(): argument 'requires_grad' must be bool, not int"),
    (lambda: torch.zeros(3, dtype=torch.int64, requires_grad=True), RuntimeError,
     "Only Tensors of floating point and complex dtype can require gradients"),
    (lambda: torch.arange(0, 5, 0), RuntimeError, "step must be nonzero"),
    (lambda: torch.arange(5, 0), RuntimeError, "upper bound and lower bound inconsistent with step sign"),
    (lambda: torch.arange(5, dtype=torch.bool), NotImplementedError, "\"arange_cpu\" not implemented for 'Bool'"),
    (lambda: torch.linspace(0, 1, -1), RuntimeError, "number of steps must be non-negative"),
    (lambda: torch.eye(-1), RuntimeError, "n must be greater or equal to 0, got -1"),
    (lambda: torch.empty(2, 3, memory_format=torch.channels_last), RuntimeError,
     "required rank 4 tensor to use channels_last format"),
    (lambda: torch.ones(2, device="cuda"), AssertionError, "Torch not compiled with CUDA enabled"),
]


@pytest.mark.parametrize(("act", "error", "text"), COMPLAINTS, ids=[c[2] for c in COMPLAINTS])
def test_what_cannot_be_made_is_refused_in_torchs_words(act, error, text):
    with pytest.raises(error) as caught:
        act()
    assert str(caught.value) == text


def test_inference_mode_marks_what_is_made_in_it():
    with torch.inference_mode():
        made = torch.zeros(2), torch.zeros_like(torch.ones(2)), torch.tensor([1.0])
    assert all(t.is_inference() for t in made)

"""Losses, and the gradients torch gives them."""
from __future__ import annotations

import numpy as np
import pytest

SHAPES = [(16, 32), (7,), (1,), (0,), (2, 3, 5)]
NAMES = {"mse": (), "smooth_l1": (0.8,), "huber": (0.8,)}


def test_equals_torch(replay, fact):
    replay(fact)


@pytest.mark.parametrize("shape", [(16, 32), (3, 4, 5), (2, 3, 2, 2), (5,), (1, 1)])
@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_compiled_likelihood_equals_reference(agree, drawn, shape, reduction, weighted, dtype):
    classes, places = (shape[0], ()) if len(shape) == 1 else (shape[1], shape[:1] + shape[2:])
    target = np.arange(int(np.prod(places))).reshape(places) % classes
    logp, weight = drawn(shape, dtype), np.abs(drawn(classes, dtype)) if weighted else None
    shape_out = places if reduction == 0 else ()
    total = np.array(3, dtype)
    agree("nll_forward", np.empty(shape_out, dtype), np.empty((), dtype), logp, target, weight, reduction, -100)
    agree("nll_backward", np.zeros(shape, dtype), drawn(shape_out, dtype).reshape(shape_out), target, weight, total,
          reduction, -100)


@pytest.mark.parametrize("target", [7, -1])
def test_target_out_of_range(kernels, target):
    logp, out, total = np.zeros((2, 3), np.float32), np.zeros((), np.float32), np.zeros((), np.float32)
    with pytest.raises(IndexError, match=rf"^Target {target} is out of bounds\.$"):
        kernels.nll_forward(out, total, logp, np.array([0, target]), None, 1, -100)
    with pytest.raises(IndexError, match=rf"^Target {target} is out of bounds\.$"):
        kernels.nll_backward(logp, out, np.array([0, target]), None, total, 1, -100)


def test_mean_of_nothing_is_nan(kernels):
    logp, out, total = np.zeros((2, 3), np.float32), np.zeros((), np.float32), np.zeros((), np.float32)
    kernels.nll_forward(out, total, logp, np.array([-100, -100]), None, 1, -100)
    assert np.isnan(out) and total == 0


def test_mean_of_an_empty_batch_is_nan(kernels):
    out, total = np.zeros((), np.float32), np.ones((), np.float32)
    kernels.nll_forward(out, total, np.zeros((0, 3), np.float32), np.zeros(0, np.int64), None, 1, -100)
    assert np.isnan(out) and total == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_compiled_equals_reference(agree, drawn, name, shape, dtype):
    a, b = drawn(shape, dtype), drawn(shape, dtype)
    agree(name, np.empty(shape, dtype), a, b, *NAMES[name])
    agree(f"{name}_backward", np.empty(shape, dtype), drawn(shape, dtype), a, b, 1.0, *NAMES[name])
    agree(f"{name}_backward", np.empty(shape, dtype), drawn((), dtype), a, b, 0.25, *NAMES[name])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
def test_compiled_cross_entropy_equals_reference(agree, drawn, shape, weighted, dtype):
    x, y = (np.clip(np.abs(drawn(shape, dtype)) / 4, 0, 1).astype(dtype) for _ in range(2))
    weight = drawn(shape, dtype) if weighted else None
    agree("bce", np.empty(shape, dtype), x, y, weight)
    agree("bce_backward", np.empty(shape, dtype), drawn(shape, dtype), x, y, weight, 0.5)


@pytest.mark.parametrize("bad", [1.5, -0.1, np.nan])
def test_cross_entropy_wants_probabilities(kernels, bad):
    x = np.array([0.5, bad], np.float32)
    with pytest.raises(RuntimeError, match="^all elements of input should be between 0 and 1$"):
        kernels.bce(np.empty_like(x), x, np.zeros_like(x), None)

"""Losses by margins: both builds alike, and classes that are not there are refused."""

from __future__ import annotations

import numpy as np
import pytest

REAL = [np.dtype(np.float32), np.dtype(np.float64)]
SHAPES = [(5, 1), (3, 40), (1, 17), (0, 4)]


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_right_class(agree, drawn, shape, p, dtype):
    x, target = drawn(shape, dtype), np.arange(shape[0]) * 7 % shape[1]
    x[:1, :3] = np.nan
    for weight in (None, drawn(shape[1:], dtype)):
        agree("multi_margin", np.empty(shape[0], dtype), x, target, weight, p, 0.5)
        for share in (drawn(shape[:1], dtype), drawn((1,), dtype)):
            agree("multi_margin_backward", np.empty(shape, dtype), share, x, target, weight, p, 0.5, of_largest=1e-5)


@pytest.mark.parametrize("dtype", REAL, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_several_right_classes(agree, drawn, shape, dtype):
    x, target = drawn(shape, dtype), np.arange(np.prod(shape)).reshape(shape) * 5 % (shape[1] + 1) - 1
    marks = np.zeros(shape, dtype)
    agree("multilabel_margin", np.empty(shape[0], dtype), marks, x, target)
    marks[:, ::3] = 1
    agree("multilabel_margin_backward", np.zeros(shape, dtype), drawn(shape[:1], dtype), x, target, marks)


@pytest.mark.parametrize("bad", [-1, 3])
def test_a_class_that_is_not_there_is_refused(kernels, bad):
    with pytest.raises(IndexError):
        kernels.multi_margin(np.empty(1), np.zeros((1, 3)), np.array([bad]), None, 1, 1.0)

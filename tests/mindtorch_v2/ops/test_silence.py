"""Numbers that are infinite, too large or none at all pass through every op in silence, as in torch."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch

from . import observe
from .test_every_op import CASES

EXTREMES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 3e38, -3e38, 1e-45, -1.0, 2.0])


class Extremes(observe.Builders):
    """The inputs of the samples, made of the numbers that floating point finds hard."""

    def _numbers(self, shape) -> np.ndarray:
        return np.resize(self.rng.permutation(EXTREMES), int(np.prod(shape))).reshape(shape)

    def f(self, *shape):
        return self._tensor(self._numbers(shape).astype(np.float32))

    pos = f

    def d(self, *shape):
        return self._tensor(self._numbers(shape))

    def h(self, *shape):
        return self._tensor(self._numbers(shape).astype(np.float32), "bfloat16")

    def c(self, *shape):
        return self._tensor((self._numbers(shape) + 1j * self._numbers(shape)).astype(np.complex64))


@pytest.mark.parametrize(("file", "op", "i", "sample"), CASES)
def test_extremes_raise_no_warning(file, op, i, sample):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            inputs = Extremes(torch).inputs(sample)
        except RuntimeError:  # an input that is itself computed, such as factors of a matrix, does not exist
            return
    for t in inputs.values():
        if isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex()):
            t.requires_grad_(True)
    leaves = [t for t in inputs.values() if isinstance(t, torch.Tensor) and t.requires_grad]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            outs = observe.tensors_of(torch, observe.evaluate(torch, sample, inputs))
            outs = [t for t in outs if t.grad_fn is not None]
            if outs and leaves:
                torch.autograd.grad(outs, leaves, [torch.ones_like(t) for t in outs], allow_unused=True)
        except RuntimeWarning:
            raise
        except Exception as error:  # a complaint about such numbers is torch's right; a warning is not
            assert not isinstance(error.__cause__ or error.__context__, RuntimeWarning)

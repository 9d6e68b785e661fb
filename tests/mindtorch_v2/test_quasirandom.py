"""torch.quasirandom against points that PyTorch 2.13 drew."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.quasirandom import SobolEngine

PLAIN = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75]]
AFTER_THREE_MORE = [[0.125, 0.625, 0.375], [0.1875, 0.3125, 0.9375]]
SCRAMBLED = [[0.1995, 0.1709, 0.7494], [0.6922, 0.7115, 0.4898], [0.8505, 0.2963, 0.7880], [0.3578, 0.8369, 0.0431]]


def test_points_are_those_of_torch():
    engine = SobolEngine(3)
    assert engine.draw(4).tolist() == PLAIN
    assert engine.fast_forward(3).draw(2).tolist() == AFTER_THREE_MORE
    assert engine.reset().draw_base2(2).tolist() == PLAIN


def test_scrambled_points_are_those_of_torch_for_the_same_seed():
    points = SobolEngine(3, scramble=True, seed=7).draw(4)
    assert torch.allclose(points, torch.tensor(SCRAMBLED), atol=1e-4)


def test_results_may_be_of_another_type_or_written_somewhere():
    out = torch.empty(0)
    SobolEngine(2).draw(3, out=out)
    assert out.shape == (3, 2)
    assert SobolEngine(2).draw(2, dtype=torch.float64).dtype is torch.float64


def test_mistakes_are_refused_in_torch_s_words():
    with pytest.raises(ValueError, match=r"Supported range of dimensionality for SobolEngine is \[1, 21201\]"):
        SobolEngine(30000)
    engine = SobolEngine(3)
    engine.draw(4)
    with pytest.raises(ValueError, match=r"n=4\+2\*\*1=6"):
        engine.draw_base2(1)

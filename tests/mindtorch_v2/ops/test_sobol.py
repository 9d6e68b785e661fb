"""torch.quasirandom: the points of PyTorch's engine."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

# What PyTorch draws with seed 7 in three dimensions.
SCRAMBLED = [[0.1995, 0.1709, 0.7494], [0.6922, 0.7115, 0.4898], [0.8505, 0.2963, 0.7880], [0.3578, 0.8369, 0.0431],
             [0.4019, 0.3785, 0.3495]]


def engine() -> torch.quasirandom.SobolEngine:
    return torch.quasirandom.SobolEngine(3, scramble=True, seed=7)


def test_scrambled_points_are_pytorchs():
    drawn = engine()
    points = torch.cat([drawn.draw(3), drawn.draw(2)])
    torch.testing.assert_close(points, torch.tensor(SCRAMBLED), rtol=0, atol=6e-5)
    assert str(drawn) == "SobolEngine(dimension=3, scramble=True, seed=7)"


def test_points_can_be_left_out_and_drawn_again():
    drawn = engine().fast_forward(3)
    torch.testing.assert_close(drawn.draw(2), engine().draw(5)[3:])
    torch.testing.assert_close(drawn.reset().draw(5), engine().draw(5))


def test_plain_points_halve_the_cube_again_and_again():
    points = torch.quasirandom.SobolEngine(2).draw_base2(2, dtype=torch.float64)
    assert points.tolist() == [[0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="Supported range of dimensionality for SobolEngine is"):
        torch.quasirandom.SobolEngine(0)
    with pytest.raises(ValueError, match="require n to be a power of 2"):
        torch.quasirandom.SobolEngine(2).fast_forward(3).draw_base2(2)

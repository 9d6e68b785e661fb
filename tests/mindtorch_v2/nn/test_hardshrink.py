"""What hardshrink makes of numbers at the edges."""

from __future__ import annotations

import math

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional as F  # noqa: N812


def test_what_shrinks_is_zero_without_a_sign_and_infinity_is_no_exception():
    shrunk = F.hardshrink(torch.tensor([-math.inf, -0.5, 0.25, math.inf]), math.inf)
    assert shrunk.tolist() == [0, 0, 0, 0] and not shrunk.signbit().any()


def test_nan_stays():
    assert F.hardshrink(torch.tensor([math.nan])).isnan().all()

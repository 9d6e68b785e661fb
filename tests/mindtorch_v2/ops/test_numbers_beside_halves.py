"""Numbers that PyTorch rounds to half precision before it computes in float32: what is left of x - x says which."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

ROUNDED = {torch.bfloat16: 0.30078125, torch.float16: 0.300048828125}  # 0.3
FORMS = {
    "add": lambda x, y: x.add(y, alpha=0.3), "add_": lambda x, y: x.clone().add_(y, alpha=0.3),
    "sub": lambda x, y: x.sub(-y, alpha=0.3), "rsub": lambda x, y: torch.rsub(-y, x, alpha=0.3),
    "foreach": lambda x, y: torch._foreach_add([x], [y], alpha=0.3)[0],
    "a number": lambda x, y: x.add(64.0, alpha=0.3), "out": lambda x, y: torch.add(x, y, alpha=0.3, out=x.clone()),
}


@pytest.mark.parametrize("dtype", ROUNDED, ids=str)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_alpha_is_rounded(form, dtype):
    y = torch.full((40,), 64.0, dtype=dtype)
    x = -(y * ROUNDED[dtype])
    assert form(x, y).tolist() == [0.0] * 40


@pytest.mark.parametrize("dtype", ROUNDED, ids=str)
def test_the_bound_of_hardshrink_is_rounded(dtype):
    assert torch.nn.functional.hardshrink(torch.tensor([0.3, 0.31], dtype=dtype), 0.3)[0] == 0


def test_alpha_stays_as_it_is_beside_floats():
    assert torch.zeros(1, dtype=torch.float64).add(1.0, alpha=0.3).item() == 0.3

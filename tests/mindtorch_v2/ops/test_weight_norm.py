"""weight_norm where PyTorch reads beyond memory or divides by zero."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch


def test_a_wrong_number_of_norms_is_refused():
    with pytest.raises(RuntimeError, match="one norm for each of the 4 indices of dimension 0, but got 3"):
        torch._weight_norm(torch.ones(4, 3), torch.ones(3, 1), 0)


def test_a_weight_without_elements_stays_empty():
    assert torch._weight_norm(torch.ones(0, 3), torch.ones(0, 1), 0).shape == (0, 3)

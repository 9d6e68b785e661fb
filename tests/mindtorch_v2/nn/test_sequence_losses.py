"""Losses of sequences and of margins between classes."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

from .cases.sequence_losses import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_losses_compute_as_torch_does(name):
    check("sequence_losses", name, CASES[name])


def test_a_label_that_is_none_is_refused_by_name():
    scores = torch.zeros(4, 1, 3)
    with pytest.raises(RuntimeError, match="target 3 is none of the labels 0 to 2"):
        functional.ctc_loss(scores, torch.tensor([[3]]), (4,), (1,))


@pytest.mark.parametrize("loss", [functional.multi_margin_loss, functional.multilabel_margin_loss])
def test_the_sum_over_no_samples_is_zero(loss):
    target = torch.zeros(0, dtype=torch.int64) if loss is functional.multi_margin_loss else torch.zeros(0, 4).long()
    assert loss(torch.zeros(0, 4), target, reduction="sum") == 0
    assert loss(torch.zeros(0, 4), target).isnan()

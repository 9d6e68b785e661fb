"""Linear algebra against PyTorch's recorded values and gradients where rows differ, and all names of torch.linalg."""

from __future__ import annotations

import gzip
import json
import pathlib
import sys

import pytest

import mindtorch_v2 as torch

from . import observe
from .test_every_op import assert_same_value

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))  # the recorder runs the same file outside the package
import matrix_samples  # noqa: E402

FACTS = json.loads(gzip.decompress((HERE.parent / "data" / "linalg.json.gz").read_bytes()))


@pytest.mark.parametrize("name", matrix_samples.SAMPLES)
def test_value_and_gradients_equal_torch(name):
    sample, theirs = matrix_samples.SAMPLES[name], FACTS["answers"][name]
    assert_same_value(observe.attempt(observe.value_of, torch, sample), theirs["value"])
    assert_same_value(observe.attempt(observe.gradients_of, torch, sample), theirs["gradients"])
    ours = observe.attempt(observe.second_gradients_of, torch, sample)
    assert_same_value(ours, theirs["second_gradients"], like="float32")


@pytest.mark.parametrize("name", matrix_samples.GAUGE)
def test_a_loss_that_depends_on_how_vectors_are_turned_has_no_gradient(name):
    assert observe.attempt(observe.gradients_of, torch, matrix_samples.GAUGE[name]) == FACTS["gauge"][name]


def test_torch_linalg_has_the_names_that_pytorch_s_has():
    assert matrix_samples.names_of(torch) == FACTS["names"]


def test_a_singular_matrix_raises_the_error_that_torch_linalg_names():
    with pytest.raises(torch.linalg.LinAlgError, match="singular"):
        torch.linalg.inv(torch.zeros(2, 2))
    assert torch.linalg.LinAlgError is torch._C._LinAlgError


def test_matrix_exp_shows_one_row():
    with torch.profiler.profile() as prof:
        torch.linalg.matrix_exp(torch.ones(2, 2))
    assert "aten::bmm" not in [event.name for event in prof.events()]
    assert "aten::linalg_matrix_exp" in [event.name for event in prof.events()]

"""vmap against PyTorch: what programs give, which numbers they draw, and what they are refused with."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest

import mindtorch_v2 as torch

from ..ops import observe
from ..ops.test_every_op import assert_same_value
from . import vmap_programs

DATA = pathlib.Path(__file__).parents[1] / "data" / "vmap.json.gz"
ANSWERS = json.loads(gzip.decompress(DATA.read_bytes()))


@pytest.mark.parametrize("name", vmap_programs.PROGRAMS)
def test_program_answers_as_in_torch(name):
    ours = vmap_programs.answer(torch, vmap_programs.PROGRAMS[name], observe.encode)
    assert_same_value(ours, ANSWERS[name])

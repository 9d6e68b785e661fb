"""Programs that say ``import torch``, run by `mindtorch run`: their losses are PyTorch's for the same seed."""

from __future__ import annotations

import json
import pathlib

import pytest

from . import scripts
from .cli.commands import mindtorch

RECORDED = json.loads((pathlib.Path(__file__).parent / "data" / "scripts.json").read_text())


def test_every_program_is_recorded():
    assert set(RECORDED) == set(scripts.NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", scripts.NAMES)
def test_losses_are_pytorchs(name: str, tmp_path):
    done = mindtorch("run", str(scripts.FOLDER / f"{name}.py"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert scripts.losses(done.stdout) == pytest.approx(RECORDED[name], rel=1e-3, abs=1e-3)


@pytest.mark.slow
def test_nothing_that_they_use_is_missing():
    done = mindtorch("check", *(str(scripts.FOLDER / f"{name}.py") for name in scripts.NAMES))
    assert done.returncode == 0, done.stdout

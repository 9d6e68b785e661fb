"""The programs in examples/ run, and the findings name the mistakes of the one that has some."""

from __future__ import annotations

import math
import pathlib
import re

import pytest

from mindtorch_v2.profiler import load
from mindtorch_v2.profiler.views.findings.catalogue import findings

from .cli.commands import ONE_THREAD, mindtorch

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
MOST_LINES = 100
MISTAKES = {"data loading on the critical path", "tiny ops in a Python loop", "gradients zeroed",
            "values read in the loop"}


def kinds(tmp_path: pathlib.Path, example: str) -> set[str]:
    """What is found in some steps of an example."""
    done = mindtorch("profile", "-o", str(tmp_path), "--steps", "10", str(EXAMPLES / example), "--steps", "12",
                     **ONE_THREAD)
    assert done.returncode == 0, done.stderr
    return {finding.kind for finding in findings(load(tmp_path / "profile.mtprof").digest())}


def test_every_example_is_short_and_plain_pytorch():
    for path in EXAMPLES.glob("*.py"):
        source = path.read_text()
        assert len(source.splitlines()) < MOST_LINES and "\nimport torch\n" in source, path.name
        assert "mindtorch_v2" not in source, path.name


@pytest.mark.slow
@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_example_runs(example):
    done = mindtorch("run", str(EXAMPLES / example), "--steps", "2", **ONE_THREAD)
    assert done.returncode == 0, done.stderr
    assert re.search(r"loss \d+\.\d+", done.stdout)


@pytest.mark.slow
def test_gpt_begins_at_the_loss_of_a_model_that_knows_nothing():
    said = mindtorch("run", str(EXAMPLES / "train_gpt.py"), "--steps", "1", **ONE_THREAD).stdout
    vocabulary, first = re.search(r"vocabulary of (\d+)", said)[1], re.search(r"step +0 +loss (\S+)", said)[1]
    assert float(first) == pytest.approx(math.log(int(vocabulary)), rel=0.05)


@pytest.mark.slow
def test_findings_name_the_mistakes_and_only_where_they_are(tmp_path):
    assert kinds(tmp_path / "with", "with_mistakes.py") >= MISTAKES
    assert not kinds(tmp_path / "without", "without_mistakes.py") & (MISTAKES - {"data loading on the critical path"})

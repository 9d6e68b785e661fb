"""`mindtorch check`: what a program would miss, told without running it."""

from __future__ import annotations

import pytest

from .commands import mindtorch

PROGRAM = """\
import torch
import torch.nn as nn, torch.nn.functional as F
from torch import no_such_function, optim as opt
from local import helper
raise SystemExit("this must not run")
x = torch.ones(2).no_such_method()
y = F.leaky_rellu(x) + torch.nn.functional.relu(x)
sgd = opt.SGDD(nn.Linear(2, 2).parameters())
nn.functional = F
if hasattr(torch, "npu"):
    torch.npu.synchronize()
try:
    from torch.no_such_module import name
except ImportError:
    name = None
def function(torch):
    return nn.Linear.forward
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "__init__.py").write_text("from .helper import *")
    (tmp_path / "local" / "helper.py").write_text("import torch.no_such_module as m\nm.something")
    return tmp_path


def test_missing_names_are_listed_with_line_and_near_matches(program):
    done = mindtorch("check", "program.py", cwd=program)
    assert done.stdout.splitlines() == [
        "program.py:3: torch.no_such_function is not in mindtorch_v2 yet (near: torch.functional)",
        "program.py:7: torch.nn.functional.leaky_rellu is not in mindtorch_v2 yet "
        "(near: torch.nn.functional.leaky_relu, torch.nn.functional.leaky_relu_)",
        "program.py:8: torch.optim.SGDD is not in mindtorch_v2 yet (near: torch.optim.SGD, torch.optim.ASGD)",
        "local/helper.py:1: torch.no_such_module is not in mindtorch_v2 yet",
    ]
    assert done.returncode == 1


def test_names_that_the_program_can_do_without_are_listed_on_demand(program):
    told = mindtorch("check", "--all", "program.py", cwd=program).stdout
    assert "program.py:11: torch.npu is not" in told and "program.py:13: torch.no_such_module is not" in told


def test_names_that_stand_for_something_else_are_no_alarm(tmp_path):
    (tmp_path / "program.py").write_text("""\
import torch
from torch.utils import data
from torch import optim as config
def collate(data, width=config.SGD): data.sort(); config = width; config.hidden
def train(loader):
    for data in loader: data.cuda_rows
print(torch.version.cuda, lambda config: config.heads)
if is_npu_available(): torch.npu.synchronize()
data.Datasets, config.SGDD
""")
    told = mindtorch("check", "program.py", cwd=tmp_path).stdout
    assert [line.partition(" is not")[0] for line in told.splitlines()] == [
        "program.py:9: torch.utils.data.Datasets", "program.py:9: torch.optim.SGDD"]


def test_exit_code_says_what_was_found(tmp_path):
    (tmp_path / "good.py").write_text("import torch\nprint(torch.nn.Linear, torch.optim.lr_scheduler.StepLR)")
    (tmp_path / "broken.py").write_text("import torch\nprint(")
    assert mindtorch("check", "good.py", cwd=tmp_path).returncode == 0
    broken = mindtorch("check", "broken.py", cwd=tmp_path)
    assert broken.returncode == 2 and "broken.py: cannot be read: '(' was never closed" in broken.stderr
    assert mindtorch("check", "nowhere.py", cwd=tmp_path).returncode == 2

"""docs/REFERENCE.md says what the docstrings say, and they explain every argument."""

from __future__ import annotations

import importlib.util
import inspect
import pathlib
import re

import pytest

from mindtorch_v2 import profiler

ROOT = pathlib.Path(__file__).parents[2]


def test_reference_is_up_to_date():
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "tools" / "write_reference.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(), "run `make docs` and commit docs/REFERENCE.md"


@pytest.mark.parametrize("function", [profiler.profile, profiler.schedule])
def test_every_argument_is_explained(function):
    explained = re.findall(r"^ *(\w+): \S", function.__doc__, re.MULTILINE)
    assert sorted(explained) == sorted(inspect.signature(function).parameters)

"""The rows that torch.nn leaves in a profile."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.record import recorder

from .recorded import recorded

CASES = [
    pytest.param(file.stem, name, case, id=name)
    for file in sorted((Path(__file__).parent / "cases").glob("rows*.py"))
    for name, case in import_module(f".cases.{file.stem}", __package__).CASES.items()
]


def rows(setup: str, call: str) -> str:
    """The names of the rows a call leaves, nested in braces."""
    torch.manual_seed(0)
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    exec(setup, scope)
    window = recorder.Window(1).open()
    try:
        exec(call, scope)
    finally:
        found = window.close()
    if not found.threads:
        return ""
    (thread,) = found.threads
    below: dict[int, list[int]] = {}
    for i, parent in enumerate(thread.parents().tolist()):
        below.setdefault(parent, []).append(i)

    def text(i: int) -> str:
        name = found.names[thread.rows[i]["name"]][0].removeprefix("aten::")
        inside = " ".join(text(child) for child in below.get(i, ()))
        return f"{name}{{{inside}}}" if inside else name

    return " ".join(text(i) for i in below.get(-1, ()))


@pytest.mark.parametrize("subject, name, case", CASES)
def test_the_rows_are_those_of_torch(subject, name, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rows(*case) == recorded(subject)[name]

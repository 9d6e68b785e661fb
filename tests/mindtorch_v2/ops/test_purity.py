"""Ops say what, devices say how: no op reaches for arrays, NumPy or a device's kernels."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

from mindtorch_v2.devices.cpu.kernels import KERNELS

OPS = pathlib.Path(__file__).parents[3] / "src" / "mindtorch_v2" / "ops"
FILES = sorted(OPS.rglob("*.py"))
ARRAY_WORK = re.compile(r"_mt_array\b|\bimport numpy\b|\bnp\.|\bdevices\.cpu\b|\bdevices import cpu\b")
# Where tensors meet NumPy and other libraries, or a generator's state: each file's reason.
BORDERS = {
    "python/buffers.py": "storages from Python's buffers",
    "python/construct.py": "tensors from NumPy's arrays and from buffers",
    "python/convert.py": "values as text",
    "python/exchange.py": "tensors as arrays of NumPy and other libraries",
    "python/nested_lists.py": "nested lists of Python's and NumPy's numbers",
    "python/numpy_types.py": "which of NumPy's types are numbers",
    "python/storage.py": "storages as bytes",
}
# Where a device is what the user asks about: each file's reason.
NAMED_BY_USERS = {
    "create/to.py": "x.is_cpu",
    "python/construct.py": "arrays of NumPy lie on the CPU",
    "python/exchange.py": "other libraries are handed memory of the CPU",
    "python/storage.py": "storages without memory have no address",
    "python/sharing.py": "processes share memory of the CPU",
    "random/generator.py": "generators are of the CPU",
}


def name_of(path: pathlib.Path) -> str:
    return str(path.relative_to(OPS))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_an_op_does_no_array_work(path):
    used = sorted(set(ARRAY_WORK.findall(path.read_text())))
    if name_of(path) in BORDERS:
        assert used, "it is clean: take it off the list"
    else:
        assert not used


def devices_named(code: ast.Module) -> set[str]:
    """Devices as constants, as words and as questions to a tensor; facets of a form are keys of tables."""
    keys = {key for node in ast.walk(code) if isinstance(node, ast.Dict) for key in node.keys}
    asked = {node.attr for node in ast.walk(code) if isinstance(node, ast.Attribute)} & {"is_meta", "is_cpu"}
    words = {node.value for node in ast.walk(code) if isinstance(node, ast.Constant) and node not in keys
             and node.value in ("cpu", "meta", "is_cpu", "is_meta")}
    return asked | words | {node.id for node in ast.walk(code) if isinstance(node, ast.Name) and node.id == "CPU"}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_op_names_a_device(path):
    """It asks devices/facts what the device of its tensors can do."""
    named = devices_named(ast.parse(path.read_text()))
    if name_of(path) in NAMED_BY_USERS:
        assert named, "it is clean: take it off the list"
    else:
        assert not named


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_kernel_that_an_op_names_is_there(path):
    named = re.findall(r"\b(?:run|ask|elementwise)\.(\w+)\b", path.read_text())
    assert [name for name in named if name not in KERNELS] == []

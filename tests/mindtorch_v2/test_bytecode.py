"""One file of bytecode for a package: what is taken from it, when it is not, and when it is written anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mindtorch_v2

ROOT = Path(mindtorch_v2.__file__).parent
PROGRAM = """
import importlib.util, inspect, sys
sys.path.insert(0, {root!r})
import small
from small import one
from small.below import two
print(*(type(m.__spec__.loader).__name__ for m in (one, two)), one.value(), two.VALUE)
assert inspect.getsource(one.value).startswith("def value") and one.value.__code__.co_filename == one.__file__
assert importlib.util.cache_from_source(one.__file__) == one.__cached__ and two.__package__ == "small.below"
"""


@pytest.fixture
def package(tmp_path):
    """A package that finds its modules as ours does, and a function that imports it in a process of its own."""
    small = tmp_path / "small"
    (small / "below").mkdir(parents=True)
    (small / "_bytecode.py").write_text((ROOT / "_bytecode.py").read_text())
    (small / "__init__.py").write_text("from . import _bytecode\n")
    (small / "below" / "__init__.py").write_text("")
    (small / "one.py").write_text("def value():\n    return 1\n")
    (small / "below" / "two.py").write_text("VALUE = 2\n")

    def imported(**environment: str) -> str:
        program = PROGRAM.format(root=str(tmp_path))
        env = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                              env=env | environment).stdout.strip()
    imported.folder = small
    return imported


def test_the_second_process_takes_modules_from_the_file(package):
    assert package() == "SourceFileLoader SourceFileLoader 1 2"
    assert package() == "BytecodeLoader BytecodeLoader 1 2"


def test_a_source_that_was_edited_in_place_is_read_anew(package):
    package()
    (package.folder / "one.py").write_text("def value():\n    return 1000\n")
    assert package() == "SourceFileLoader BytecodeLoader 1000 2"
    assert package() == "BytecodeLoader BytecodeLoader 1000 2"


def test_a_file_that_came_beside_a_source_is_looked_for(package):
    package()
    shadow = package.folder / "one"
    shadow.mkdir()
    (shadow / "__init__.py").write_text("def value():\n    return 9\n")
    assert package() == "SourceFileLoader BytecodeLoader 9 2"


def test_a_file_that_is_whole_is_not_written_again(package):
    package()
    [file] = (package.folder / "__pycache__").glob("package.*")
    package()
    before = file.stat()
    package()
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_no_file_is_written_where_python_writes_none(package):
    package(PYTHONDONTWRITEBYTECODE="1")
    assert not list(package.folder.rglob("package.*"))


@pytest.mark.parametrize("content", [b"", b"\0" * 8, b"\xff" * 64])
def test_a_broken_file_is_replaced(package, content):
    package()
    [file] = (package.folder / "__pycache__").glob("package.*")
    file.write_bytes(content)
    assert package() == "SourceFileLoader SourceFileLoader 1 2"
    assert package() == "BytecodeLoader BytecodeLoader 1 2"


def test_a_file_of_another_place_is_not_taken(package, tmp_path):
    package()
    (tmp_path / "small").rename(tmp_path / "moved")
    (tmp_path / "moved").rename(tmp_path / "small")
    [file] = (package.folder / "__pycache__").glob("package.*")
    file.write_bytes(file.read_bytes().replace(str(package.folder).encode(), str(package.folder).upper().encode()))
    assert package() == "SourceFileLoader SourceFileLoader 1 2"

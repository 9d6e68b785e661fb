"""What the tutorial and the how-tos show runs: Python blocks in one process, commands in their order between them."""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from .cli.commands import ONE_THREAD, mindtorch

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|shell)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    """Kind and text of the blocks that run."""
    return BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))


def run_commands(text: str, folder: pathlib.Path) -> None:
    for line in text.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "mindtorch", f"{line}: only commands of mindtorch are run"
        done = mindtorch(*arguments, cwd=folder, **ONE_THREAD)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def run_python(text: str, folder: pathlib.Path) -> None:
    """A block and all Python before it, as a program of its own."""
    (folder / "blocks.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run([sys.executable, "-W", "error", "blocks.py"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **ONE_THREAD, "PYTHONPATH": path})
    assert done.returncode == 0, f"{text}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["TUTORIAL.md", "HOW_TO.md"])
def test_blocks_run(page, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    python, waiting = "", False
    for kind, text in blocks(page):
        if kind == "python":
            python, waiting = python + text, True
            continue
        if waiting:
            run_python(python, tmp_path)
        waiting = False
        run_commands(text, tmp_path)
    if waiting:
        run_python(python, tmp_path)

"""Runs `mindtorch` as a user does: as a process of its own."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # small products wait for threads where all processors are busy


def mindtorch(*arguments: str, cwd: pathlib.Path | None = None, **env: str) -> subprocess.CompletedProcess:
    """What `mindtorch` answers to these arguments, with the package under test."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.run([sys.executable, "-m", "mindtorch_v2", *arguments], capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, "PYTHONPATH": path, **env})


def run_source(tmp_path: pathlib.Path, source: str, *arguments: str, **env: str) -> str:
    """What a program prints under `mindtorch run`; it must succeed."""
    (tmp_path / "program.py").write_text(source)
    done = mindtorch("run", "program.py", *arguments, cwd=tmp_path, **env)
    assert done.returncode == 0, done.stderr
    return done.stdout

"""Kernels are safe when they are called directly: what does not fit raises, whatever it is."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from mindtorch_v2.devices.cpu import SUBJECTS

PROGRAM = Path(__file__).with_name("hostile.py")
CALLS = 150  # of each kernel
SECONDS = 300


IS_COMPILED = importlib.util.find_spec("mindtorch_v2.devices.cpu.compiled.pointwise") is not None


@pytest.mark.skipif(not IS_COMPILED, reason="not compiled")
@pytest.mark.parametrize("subject", SUBJECTS)
def test_kernels_refuse_arrays_that_do_not_fit(subject):
    command = [sys.executable, "-X", "faulthandler", PROGRAM, subject, str(CALLS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout.splitlines()[-1:] + [done.stderr[-2000:]]
    finished = [line for line in done.stdout.splitlines() if line.startswith("done")]
    assert all("raised" in line for line in finished), finished
    assert any("returned the same" in line or subject == "random" for line in finished), finished

"""Whatever is called with whatever, the process lives and comes back; `tools/fuzz_hostile.py` makes more such calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools/fuzz_hostile.py"
CALLS = 400


def test_hostile_calls_raise_or_return():
    sources = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run([sys.executable, TOOL, "--calls", str(CALLS), "--seed", "5", "--seconds", "60"], text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": sources}, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert f"{CALLS} hostile calls" in done.stdout
    assert " 0 crash, 0 hang" in done.stdout

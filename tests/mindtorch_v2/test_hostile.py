"""Whatever is called with whatever, the process lives and comes back; `tools/fuzz_hostile.py` makes more such calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools/fuzz_hostile.py"
CALLS = 400


def test_hostile_calls_raise_or_return():
    sources = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run([sys.executable, TOOL, "--calls", str(CALLS), "--seed", "5", "--seconds", "60"], text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": sources}, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert f"{CALLS} hostile calls" in done.stdout
    assert " 0 crash, 0 hang" in done.stdout


@pytest.mark.parametrize("call", [
    "from mindtorch_v2.core import describe; describe.described({'a': 1})",
    "from mindtorch_v2.core import describe; describe.open_call(1, 0, -1, 5, 28, 0)",
    "from mindtorch_v2.core import strided; strided.add_attribute([5], 'a', 5)",
    "from mindtorch_v2.core import strided; strided.call_as_method(5)",
    "from mindtorch_v2.core import strided; strided.call_class(None, 'a')",
    "from mindtorch_v2.record import rows; getattr(rows, 'Ending', int)(10**6)",
    "from mindtorch_v2.core.describe import Written; Written.__new__(Written).read()",
    "from mindtorch_v2.record.ranges import record_range as r; r.__new__(r).__exit__(None, None, None)",
    "from mindtorch_v2.record.ranges import record_range; x = record_range('a'); x.row = 5 << 40; x.__exit__(0, 0, 0)"])
def test_what_is_internal_refuses_what_it_is_not_meant_for(call):
    """In a process of its own: what fails here fails by a crash."""
    code = f"try:\n    exec({call!r})\nexcept (TypeError, IndexError, AttributeError):\n    pass"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

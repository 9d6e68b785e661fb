"""Freed memory serves the next result: its pages are not asked for, and cleared, again."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from mindtorch_v2.devices.cpu import heap

PROGRAM = """
import resource
import mindtorch_v2 as torch
def results():
    return [torch.zeros(1_000_000) + 1 for _ in range(8)]
results()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
results()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the settings are those of glibc's malloc")
def test_results_take_the_pages_of_freed_ones():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert int(done.stdout) < 1000, done.stderr  # 8 results of 4 MB have 8 000 pages


def test_what_the_user_asked_of_malloc_stays(monkeypatch):
    monkeypatch.setitem(os.environ, "MALLOC_TRIM_THRESHOLD_", "1")
    assert not heap.keep_freed_blocks()

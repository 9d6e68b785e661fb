"""Profiles that name a device of the program's own (torch's privateuse1)."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from mindtorch_v2._C import _get_privateuse1_backend_name
from mindtorch_v2._C._profiler import ProfilerState
from mindtorch_v2.autograd import profiler


@pytest.fixture
def npu(monkeypatch):
    monkeypatch.setattr(profiler, "_get_privateuse1_backend_name", lambda: "npu")


def test_without_a_device_of_its_own_a_program_has_none_to_profile():
    assert _get_privateuse1_backend_name() == "privateuseone"
    with pytest.warns(UserWarning, match="The npu is not a valid device option."):
        prof = profiler.profile(use_device="npu", use_kineto=True)
    assert prof.use_device is None and prof.profiler_kind is ProfilerState.KINETO


@pytest.mark.parametrize(("use_kineto", "state"), [(True, ProfilerState.KINETO_PRIVATEUSE1),
                                                   (False, ProfilerState.KINETO_PRIVATEUSE1_FALLBACK)])
def test_a_device_of_the_program_s_own_has_states_of_its_own(npu, use_kineto, state):
    prof = profiler.profile(use_device="npu", use_kineto=use_kineto)
    assert prof.use_device == "npu" and prof.profiler_kind is state


def test_without_kineto_such_a_device_needs_the_processor(npu):
    with pytest.raises(AssertionError):
        profiler.profile(use_cpu=False, use_device="npu", use_kineto=False)


def test_a_device_of_the_program_s_own_gets_its_name_as_in_torch():
    here = Path(__file__).parent
    recorded = json.loads(gzip.decompress((here.parent / "data" / "device_names.json.gz").read_bytes()))
    ran = subprocess.run([sys.executable, here / "device_names.py", "mindtorch_v2"], capture_output=True, text=True,
                         check=True)
    ours = [[step, outcome.replace("mindtorch_v2", "torch")] for step, outcome in json.loads(ran.stdout)]
    assert ours == recorded

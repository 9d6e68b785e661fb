"""Pickles that would run something, and files that are damaged, raise clear errors and run nothing."""

from __future__ import annotations

import io
import pickle
import struct
import warnings
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch

from .hostile_files import Calls, changed, checkpoint, files, pickles
from .recorded import file_of, recorded

CLEAR = (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, AssertionError, NotImplementedError)


def saved(obj, **how) -> bytes:
    file = io.BytesIO()
    torch.save(obj, file, **how)
    return file.getvalue()


def answer(content: bytes, **how) -> list[str]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = ["", repr(torch.load(io.BytesIO(content), **how))]
        except Exception as error:
            result = [type(error).__name__, str(error)]
    return result + [str(warning.message) for warning in told]


def test_hostile_and_damaged_files_are_refused_in_pytorch_s_words():
    different = {}
    for name, (content, how) in files(saved(torch.ones(3))).items():
        ours, theirs = answer(content, **how), recorded()["hostile"][name]
        if ours != theirs:
            different[name] = ours, theirs
    assert different == {}


@pytest.mark.parametrize("name", pickles())
def test_a_pickle_that_was_refused_ran_nothing(name, capsys):
    answer(checkpoint(pickles()[name]))
    assert capsys.readouterr().out == ""


def test_a_global_runs_only_after_it_was_allowed(capsys):
    content = saved({"a": Calls(print, "ran")})
    assert torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content)) == ["builtins.print"]
    with pytest.raises(pickle.UnpicklingError, match="GLOBAL print was not an allowed global"):
        torch.load(io.BytesIO(content))
    with torch.serialization.safe_globals([print]):
        assert torch.serialization.get_safe_globals() == [print]
        assert torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content)) == []
        torch.load(io.BytesIO(content))
    assert capsys.readouterr().out == "ran\n"
    assert torch.serialization.get_safe_globals() == []


def test_a_global_may_be_allowed_under_the_name_that_a_file_has_for_it():
    content = changed(saved({"a": Calls(sorted, [2, 1])}), b"sorted", b"sortec")
    torch.serialization.add_safe_globals([(sorted, "builtins.sortec")])
    try:
        assert torch.load(io.BytesIO(content)) == {"a": [1, 2]}
    finally:
        torch.serialization.clear_safe_globals()
    assert torch.serialization.get_safe_globals() == []


def test_blocked_modules_stay_blocked_whatever_is_allowed():
    import os
    with torch.serialization.safe_globals([os.system, (os.system, "os.system")]):
        with pytest.raises(pickle.UnpicklingError, match="whose module os is blocked"):
            torch.load(io.BytesIO(checkpoint(pickles()["os.system"])))


@pytest.mark.parametrize("both, expected", [(False, "WeightsUnpickler"), (True, "Only one of")])
def test_the_environment_forces_care(monkeypatch, both, expected):
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    if both:
        monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "yes")
    with pytest.raises((pickle.UnpicklingError, RuntimeError), match=expected):
        torch.load(io.BytesIO(checkpoint(pickles()["reduce"])), weights_only=False)


def test_the_environment_can_say_that_care_is_not_needed(monkeypatch):
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    with pytest.warns(UserWarning, match="forcing weights_only=False"):
        assert torch.load(io.BytesIO(saved(frozenset({1})))) == {1}


def pickled(name: str) -> bytes:
    return zipfile.ZipFile(io.BytesIO(file_of(name))).read("archive/data.pkl")


SAMPLES_PICKLED = {name: pickled(name) for name in ("containers", "views", "parameters")}
GOOD = {
    "zip": file_of("containers"), "views": file_of("views"),
    "legacy": file_of("views", "legacy"), "parameters": file_of("parameters", "legacy"),
}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(GOOD)), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)),
                                               min_size=1, max_size=4), st.floats(0, 1))
def test_damaged_files_raise_clear_errors_only(name, changes, kept):
    content = bytearray(GOOD[name])
    for place, byte in changes:
        content[int(place * len(content))] = byte
    if kept < 0.5:
        content = content[:int(2 * kept * len(content))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.load(io.BytesIO(bytes(content)))
        except CLEAR:
            pass


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["containers", "views", "parameters"]),
       st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=3))
def test_damaged_pickles_raise_clear_errors_only(name, changes):
    content = bytearray(SAMPLES_PICKLED[name])
    for place, byte in changes:
        content[int(place * len(content))] = byte
    records = {f"data/{i}": bytes(96) for i in range(3)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.load(io.BytesIO(checkpoint(bytes(content), **records)))
        except CLEAR:
            pass


def test_a_changed_byte_of_a_tensor_is_noticed():
    content = bytearray(saved(torch.arange(4.0)))
    content[content.find(struct.pack("<4f", 0, 1, 2, 3)) + 5] ^= 1
    with pytest.raises(RuntimeError, match="failed reading file data/0: CRC-32 check failed"):
        torch.load(io.BytesIO(bytes(content)))


def test_without_checksums_nothing_is_compared():
    torch.serialization.set_crc32_options(False)
    try:
        content = saved(torch.arange(4.0))
    finally:
        torch.serialization.set_crc32_options(True)
    assert torch.load(io.BytesIO(content)).tolist() == [0, 1, 2, 3]

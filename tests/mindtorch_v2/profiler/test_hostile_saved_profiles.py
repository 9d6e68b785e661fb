"""Files that are no saved profiles, or no longer, or were made to do harm: a sentence says so, and nothing is run."""

from __future__ import annotations

import io
import json
import pickle
import random
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile, record_function
from mindtorch_v2.profiler.results.file_format import LEADING

from .saved_answers import answers
from .test_saved_profiles import EVERYTHING

ran = []


class Boom:
    """A pickle that tells that it was run."""

    def __reduce__(self):
        return ran.append, ("ran",)


@pytest.fixture(scope="module")
def members(tmp_path_factory) -> dict[str, bytes]:
    """The members of a good file."""
    path = tmp_path_factory.mktemp("good") / "saved.mtprof"
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters())
    with profile(**EVERYTHING) as prof:
        with record_function("step"):
            model(torch.ones(2, 3)).sum().backward()
            optimizer.step()
        torch.cat([torch.ones(2), torch.ones(3)])
    prof.save(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(members: dict[str, bytes], path: Path, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array)
    return stream.getvalue()


def with_cell(table: str, column: str, value: int) -> Callable[[dict], None]:
    """The last number of a column is another."""
    def change(members: dict[str, bytes]) -> None:
        facts = json.loads(members["profile.json"])
        rows = len(np.load(io.BytesIO(members[f"{table}/{LEADING[table]}.npy"])))
        facts["bases"][table][column] = 0
        cells = np.zeros(rows, np.uint64)
        cells[-1] = value % 2**64
        members["profile.json"], members[f"{table}/{column}.npy"] = json.dumps(facts).encode(), npy(cells)

    return change


def falling_ids(members: dict[str, bytes]) -> None:
    rows = len(np.load(io.BytesIO(members["events/start_ns.npy"])))
    members["events/id.npy"] = npy(np.arange(rows, 0, -1).astype(np.uint16))


def with_fact(*path_and_value) -> Callable[[dict], None]:
    *path, last, value = path_and_value

    def change(members: dict[str, bytes]) -> None:
        facts = json.loads(members["profile.json"])
        inner = facts
        for key in path:
            inner = inner[key]
        inner[last] = value
        members["profile.json"] = json.dumps(facts).encode()

    return change


def with_member(name: str, data: bytes | None) -> Callable[[dict], None]:
    def change(members: dict[str, bytes]) -> None:
        members.pop(name) if data is None else members.update({name: data})

    return change


def header_of(text: str) -> bytes:
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


OBJECTS = np.empty(2, object)
OBJECTS[:] = [Boom(), Boom()]
HUGE = header_of("{'descr': '<u8', 'fortran_order': False, 'shape': (1000000000000,), }")
DAMAGES = {
    "newer": (with_fact("version", 5), "newer version: it has format 5"),
    "a device that is not said": (with_fact("version", 2), "what it says of 'device'"),
    "no version": (with_fact("version", "1"), "does not say its version"),
    "foreign": (with_fact("format", "another"), "no saved profile"),
    "no facts": (with_member("profile.json", None), "no saved profile"),
    "facts that are a list": (with_member("profile.json", b"[]"), "no saved profile"),
    "facts that are no JSON": (with_member("profile.json", b"{"), "is no JSON"),
    "deep JSON": (with_member("inputs.json", b"[" * 100_000), "is no JSON"),
    "deep inputs": (with_member("inputs.json", b"[" * 900 + b"]" * 900), "inputs.json has another form|is no JSON"),
    "lists in lists": (with_member("inputs.json", b"[" + b'["[]",' * 100 + b"1" + b"]" * 101), "inputs.json has an"),
    "a window without a start": (with_fact("window", {}), "'window' has another form"),
    "a clock beyond all": (with_fact("window", "wall_offset_ns", 2**62), "clock is out of range"),
    "a number too large": (with_fact("window", "pid", 2**70), "'window' has another form"),
    "threads that are words": (with_fact("threads", [["one", 2, "three", 4]]), "'threads' has another form"),
    "threads twice": (with_fact("threads", [[1, 1, "", 1, False]] * 2), "threads are numbered wrongly"),
    "no threads": (with_fact("threads", []), "events/thread are out of range"),
    "no bases": (with_fact("bases", {}), "does not say the base of events/id"),
    "a base beyond its type": (with_fact("bases", "events", "name", 2**40), "events/name are out of range"),
    "parents ahead": (with_cell("events", "parent", 10**6), "events/parent are out of range"),
    "parents on other threads": (with_cell("events", "thread", 1), "events/(parent|thread) are out of range"),
    "names that are missing": (with_cell("events", "name", 10**6), "events/name are out of range"),
    "inputs that are missing": (with_cell("events", "inputs", 10**6), "events/inputs are out of range"),
    "threads that are missing": (with_cell("events", "thread", 10**6), "events/thread are out of range"),
    "scopes that are none": (with_cell("events", "scope", 77), "events/scope are out of range"),
    "flags that are none": (with_cell("events", "flags", 64), "events/flags are out of range"),
    "ids that fall": (falling_ids, "events/id do not grow"),
    "lengths beyond all": (with_cell("events", "end_ns", 2**62), "events/end_ns are out of range"),
    "memory of no event": (with_cell("memory", "event", 10**6), "memory/event are out of range"),
    "memory on no thread": (with_cell("memory", "thread", 10**6), "memory/thread are out of range"),
    "modules that are missing": (with_cell("module_calls", "module", 99), "module_calls/module are out of range"),
    "optimizers that are missing": (with_cell("optimizer_calls", "optimizer", 99), "optimizer are out of range"),
    "a column too short": (with_member("events/name.npy", npy(np.zeros(3, np.uint8))), "events/name has 3 rows"),
    "a column of floats": (with_member("events/name.npy", npy(np.zeros(3))), "no list of unsigned integers"),
    "a column of objects": (with_member("events/name.npy", npy(OBJECTS)), "no list of unsigned integers"),
    "a pickle": (with_member("events/name.npy", pickle.dumps(Boom())), "is no .npy file"),
    "a column that claims more": (with_member("events/name.npy", HUGE), "another length than it says"),
    "a table of two dimensions": (with_member("events/name.npy", npy(np.zeros((3, 3), "u1"))), "no list of unsigned"),
    "a header that is a program": (with_member("events/name.npy", header_of("__import__('os')")), "is no .npy file"),
    "no column that leads": (with_member("events/start_ns.npy", None), "has no member events/start_ns.npy"),
    "no names": (with_member("names.json", None), "has no member names.json"),
    "names that are numbers": (with_member("names.json", b"[1, 2]"), "names.json has another form"),
    "inputs of no form": (with_member("inputs.json", b'[[["a", "b", "c"]]]'), "inputs.json has another form"),
    "inputs of no type": (with_member("inputs.json", b'[[[[2], "int7", [1]]]]'), "inputs.json has another form"),
    "modules of no form": (with_member("modules.json", b"[[1, 2]]"), "modules.json has another form"),
    "optimizers of no form": (with_member("optimizers.json", b"{}"), "optimizers.json has another form"),
    "schemas of no form": (with_member("schemas.json", b"[]"), "schemas.json has another form"),
}


@pytest.mark.parametrize(("damage", "text"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused_in_a_sentence(damage, text, members, tmp_path):
    changed = dict(members)
    damage(changed)
    with pytest.raises(ValueError, match=text) as failure:
        load(written(changed, tmp_path / "saved.mtprof"))
    message = str(failure.value)
    assert message.startswith(f"'{tmp_path}") and "\n" not in message and len(message) < 300
    assert not ran


def test_the_good_file_is_read(members, tmp_path):
    assert len(load(written(members, tmp_path / "saved.mtprof")).events()) > 20


def test_a_file_that_was_cut_off_is_refused(members, tmp_path):
    path = written(members, tmp_path / "saved.mtprof")
    whole = path.read_bytes()
    for size in [*range(2, len(whole) - 1, len(whole) // 40), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="saved.mtprof' "):
            load(path)


def test_compressed_members_are_refused_before_they_are_unpacked(members, tmp_path):
    bomb = members | {"names.json": b" " * 10**8}
    with pytest.raises(ValueError, match="has a compressed member"):
        load(written(bomb, tmp_path / "saved.mtprof", zipfile.ZIP_DEFLATED))


def test_a_member_that_claims_to_be_larger_than_the_file_is_refused(members, tmp_path):
    path = written(members, tmp_path / "saved.mtprof")
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(b"profile.json"))
    for offset in (20, 24):  # the sizes in the directory, packed and not
        data[entry + offset:entry + offset + 4] = (2**31).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ValueError, match="larger than the file"):
        load(path)


@pytest.mark.parametrize("content", [b"", b"P", b"PK", b"PK\x03\x04 something else" * 10, b"PK\x05\x06" + bytes(18),
                                     b"\x80\x04]", b"{}", bytes(range(256))])
def test_a_foreign_file_is_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ValueError, match="file' "):
        load(tmp_path / "file")


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")


def mutated(value, rng: random.Random):
    """JSON with one piece of it changed."""
    if isinstance(value, (list, dict)) and value and rng.random() < 0.9:
        changed = value.copy()
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        changed[key] = mutated(value[key], rng)
        return changed
    return rng.choice([None, True, -1, 0, 2**31, 2**62, 2**63, 1e300, float("nan"), "", "complex", "[]", [], {}, [[]],
                       ["complex", [1.0, 2.0]], ["{}", ["a", 1]], [[2**40], "float32", [2**40]]])


def damaged(members: dict[str, bytes], rng: random.Random) -> dict[str, bytes]:
    name = rng.choice(sorted(members))
    if name.endswith(".json"):
        return members | {name: json.dumps(mutated(json.loads(members[name]), rng)).encode()}
    cells = np.load(io.BytesIO(members[name])).astype(rng.choice(["u1", "u2", "u4", "u8"]))
    if len(cells):
        cells[rng.randrange(len(cells))] = rng.randrange(np.iinfo(cells.dtype).max)
    return members | {name: npy(cells)}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), times=st.integers(1, 3))
def test_whatever_is_changed_a_file_is_refused_or_answers(members, seed, times):
    rng, changed = random.Random(seed), members
    for _ in range(times):
        changed = damaged(changed, rng)
    with tempfile.TemporaryDirectory() as folder:
        try:
            loaded = load(written(changed, Path(folder) / "saved.mtprof"))
        except ValueError:
            return
        answers(loaded, Path(folder))


@pytest.mark.parametrize("column, value", [("name", 10**6), ("thread", 99), ("end_ns", 0), ("start_ns", 2**62)])
def test_calls_of_modules_that_cannot_have_been_are_refused(tmp_path, column, value):
    with profile(with_modules=True) as prof:
        torch.nn.Linear(3, 2)(torch.ones(2, 3))
    prof.save(tmp_path / "saved.mtprof")
    with zipfile.ZipFile(tmp_path / "saved.mtprof") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with_cell("module_ranges", column, value)(members)
    with pytest.raises(ValueError, match="is damaged"):
        load(written(members, tmp_path / "damaged.mtprof"))

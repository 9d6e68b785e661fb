"""Every file is whole and valid, whatever is in it and wherever it goes, or it is not there."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _RecordFunctionFast, profile, record_function

from .reading import some_ops

ANY_TEXT = st.text(st.characters(codec=None), max_size=12)
ANY_NUMBER = (st.sampled_from([math.nan, math.inf, -math.inf]) | st.floats() | st.integers() | st.booleans()
              | st.complex_numbers())
ANY_VALUE = st.recursive(ANY_TEXT | ANY_NUMBER | st.none() | st.binary(max_size=3),
                         lambda inner: st.lists(inner, max_size=3))


def read_strictly(data: bytes):
    """What a parser that knows only the standard makes of a file."""
    return json.loads(data.decode("utf-8", "strict"), parse_constant=refuse)


def refuse(word: str):
    raise AssertionError(f"{word} is not JSON")


def exported(thing, *args) -> bytes:
    held = io.BytesIO()
    thing.export_chrome_trace(held, *args)
    return held.getvalue()


@pytest.fixture(scope="module")
def prof():
    with profile(record_shapes=True, profile_memory=True) as prof:
        some_ops(3)
    return prof


@given(name=ANY_TEXT, text=ANY_TEXT, values=st.lists(ANY_VALUE, max_size=3),
       keywords=st.dictionaries(ANY_TEXT, ANY_VALUE, max_size=3))
@settings(max_examples=150)
def test_names_and_values_of_ranges_come_back_from_a_strict_parser(name, text, values, keywords):
    with profile(record_shapes=True) as prof:
        with record_function(name, text), _RecordFunctionFast(name, values, keywords):
            torch.ones(1)
    trace = read_strictly(exported(prof))
    assert [e["name"] for e in trace["traceEvents"] if e["ph"] == "X"][:2] == [name, name]
    rows = read_strictly(exported(prof.key_averages(group_by_input_shape=True)))["traceEvents"]
    assert name in [row["name"] for row in rows]
    assert len(read_strictly(exported(prof.events()))) == len(prof.events())


@given(key=ANY_TEXT, text=ANY_TEXT, value=ANY_VALUE)
@settings(max_examples=100)
def test_metadata_comes_back_from_a_strict_parser(key, text, value):
    with profile() as prof:
        pass
    prof.add_metadata("text " + key, text)
    raw = json.dumps(value, default=str, ensure_ascii=False)
    prof.add_metadata_json("raw " + key, raw)
    prof.preset_metadata_json("preset " + key, raw)
    trace = read_strictly(exported(prof))
    assert trace["text " + key] == text
    for kind in ("raw ", "preset "):
        assert trace[kind + key] == (raw if "NaN" in raw or "Infinity" in raw else json.loads(raw))


@pytest.mark.parametrize("raw", ["", "{bad", "NaN", "[1, Infinity]", "'x'", "[" * 100_000, "1 2"])
def test_metadata_that_is_no_json_stands_in_the_file_as_a_string(raw):
    with profile() as prof:
        pass
    prof.add_metadata_json("added", raw)
    prof.preset_metadata_json("preset", raw)
    trace = read_strictly(exported(prof))
    assert trace["added"] == trace["preset"] == raw


def test_metadata_keys_must_be_text(prof):
    for add in (prof.add_metadata, prof.add_metadata_json, prof.preset_metadata_json):
        with pytest.raises(TypeError, match="arg0: str, arg1: str"):
            add(5, "1")


def test_thread_names_are_valid_too():
    with profile() as prof:
        worker = threading.Thread(target=some_ops, name='"\\\n\ud800</script>')
        worker.start()
        worker.join()
    said = [e["args"]["name"] for e in read_strictly(exported(prof))["traceEvents"] if e["name"] == "thread_name"]
    assert any('"\\\n\ud800</script>' in name for name in said)


@contextmanager
def text_file(folder):
    with open(folder / "f", "w") as file:
        yield file


@contextmanager
def binary_file(folder):
    with open(folder / "f", "wb") as file:
        yield file


@contextmanager
def unbuffered_file(folder):
    with open(folder / "f", "wb", buffering=0) as file:
        yield file


@contextmanager
def temporary_text_file(folder):
    with tempfile.NamedTemporaryFile("w", dir=folder) as file:
        yield file
        os.link(file.name, folder / "f")


@contextmanager
def wrapped_compressed_file(folder):
    with gzip.open(folder / "f", "wt") as file:
        yield file


@pytest.mark.parametrize("opened", [text_file, binary_file, unbuffered_file, temporary_text_file,
                                    wrapped_compressed_file])
def test_open_files_of_all_kinds_are_written_to(prof, tmp_path, opened):
    with opened(tmp_path) as file:
        prof.export_chrome_trace(file)
    data = (tmp_path / "f").read_bytes()
    data = gzip.decompress(data) if opened is wrapped_compressed_file else data
    assert read_strictly(data)["traceEvents"] == read_strictly(exported(prof))["traceEvents"]


@pytest.mark.parametrize("kind", [str, os.fsencode, lambda path: path])
@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_paths_of_all_kinds_are_written_to_and_gz_compresses(prof, tmp_path, kind, ending):
    path = tmp_path / f"trace.{ending}"
    for thing in (prof, prof.events(), prof.key_averages()):
        thing.export_chrome_trace(kind(path))
        data = path.read_bytes()
        assert (data[:2] == b"\x1f\x8b") == (ending == "json.gz")
        read_strictly(gzip.decompress(data) if ending == "json.gz" else data)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_link_is_followed_and_a_pipe_written_to(prof, tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    prof.export_chrome_trace(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink() and read_strictly((tmp_path / "real.json").read_bytes())
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit((tmp_path / "pipe").read_bytes)
        prof.export_chrome_trace(tmp_path / "pipe")
        assert read_strictly(reader.result())["traceEvents"]


def test_exports_at_the_same_time_write_the_same(prof, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: prof.export_chrome_trace(tmp_path / "one.json"), range(8)))
        read_strictly((tmp_path / "one.json").read_bytes())
        assert len(set(pool.map(lambda _: exported(prof), range(8)))) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["one.json"]


@contextmanager
def files_of_at_most(n_bytes: int):
    """As if the disk were full after so many bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def ways_out(prof):
    return {"trace.json": prof.export_chrome_trace, "trace.json.gz": prof.export_chrome_trace,
            "events.json": prof.events().export_chrome_trace, "rows.json": prof.key_averages().export_chrome_trace}


@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz", "events.json", "rows.json"])
def test_a_disk_that_fills_up_raises_and_leaves_what_was_there(prof, tmp_path, name):
    export = ways_out(prof)[name]
    (tmp_path / name).write_text("before")
    with files_of_at_most(100), pytest.raises(OSError):
        export(tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "before"
    export(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz", "events.json", "rows.json"])
def test_a_missing_folder_raises_and_nothing_is_made(prof, tmp_path, name):
    export = ways_out(prof)[name]
    for place in (tmp_path / "missing" / name, tmp_path / "file" / name):
        (tmp_path / "file").write_text("")
        with pytest.raises(OSError) as caught:
            export(place)
        assert caught.value.filename == str(place)
    with pytest.raises(IsADirectoryError):
        export(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a device that is always full")
@pytest.mark.parametrize("name", ["trace.json", "events.json", "rows.json"])
def test_a_full_device_raises_for_paths_and_open_files(prof, name):
    export = ways_out(prof)[name]
    with pytest.raises(OSError, match="No space left"):
        export("/dev/full")
    full = open("/dev/full", "wb")
    with pytest.raises(OSError, match="No space left"):
        export(full)
    with suppress(OSError):
        full.close()


def test_a_trace_can_be_written_while_recording_goes_on():
    prof = profile()
    prof.start()
    some_ops()
    first = read_strictly(exported(prof))["traceEvents"]
    some_ops()
    prof.stop()
    last = read_strictly(exported(prof))["traceEvents"]
    assert sum(e["name"] == "aten::mm" for e in first) == 1 and sum(e["name"] == "aten::mm" for e in last) == 2

"""Files that PyTorch wrote load here, and what is saved here is byte for byte what PyTorch writes."""

from __future__ import annotations

import io
import json
import warnings
import zipfile

import pytest

import mindtorch_v2 as torch

from .checkpoints import SAMPLES, facts, sharing
from .recorded import file_of, recorded


def loaded(name: str, kind: str = "zip"):
    return torch.load(io.BytesIO(file_of(name, kind)), weights_only=SAMPLES[name][0])


def saved(obj, **how) -> bytes:
    file = io.BytesIO()
    torch.save(obj, file, **how)
    return file.getvalue()


def facts_of(obj):
    return json.loads(json.dumps(facts(torch, obj)))


@pytest.fixture(autouse=True)
def typed_storages_are_deprecated():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "TypedStorage is deprecated")
        yield


def facts_in_the_older_format(name):
    """What is in such a file: an untyped storage stays one, of which PyTorch's zip format makes a typed one."""
    facts = recorded()["files"][name]["facts"]
    return ["list", [["UntypedStorage", facts[1][0][1]], *facts[1][1:]]] if name == "storage" else facts


@pytest.mark.parametrize("name", SAMPLES)
def test_a_zip_file_of_pytorch_loads(name):
    assert facts_of(loaded(name)) == recorded()["files"][name]["facts"]


@pytest.mark.parametrize("name", [name for name, file in recorded()["files"].items() if file["legacy"]])
def test_an_older_file_of_pytorch_loads(name):
    assert facts_of(loaded(name, "legacy")) == facts_in_the_older_format(name)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_saved_here_is_the_one_that_pytorch_writes(name):
    ours, theirs = saved(SAMPLES[name][1](torch)), file_of(name)
    if ours != theirs:
        archives = [zipfile.ZipFile(io.BytesIO(content)) for content in (ours, theirs)]
        assert [archive.namelist() for archive in archives][0] == archives[1].namelist()
        for entry in archives[0].namelist():
            assert archives[0].read(entry) == archives[1].read(entry), entry
    assert ours == theirs


@pytest.mark.parametrize("kind", ["zip", "legacy"])
def test_tensors_on_one_storage_share_it_after_loading(kind):
    views = loaded("views", kind)
    assert sharing(torch, views) == sharing(torch, SAMPLES["views"][1](torch))
    views["row"].fill_(-1)
    assert views["base"][1].tolist() == [-1.0] * 6


@pytest.mark.parametrize("name", SAMPLES)
def test_the_older_format_keeps_everything(name):
    is_plain, make = SAMPLES[name]
    obj = make(torch)
    content = saved(obj, _use_new_zipfile_serialization=False)
    assert facts_of(torch.load(io.BytesIO(content), weights_only=is_plain)) == facts_in_the_older_format(name)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_protocol_is_read_back(protocol):
    obj = SAMPLES["views"][1](torch)
    content = saved(obj, pickle_protocol=protocol)
    assert b"mindtorch" not in content
    assert facts_of(torch.load(io.BytesIO(content), weights_only=False)) == facts_of(obj)


def test_a_file_with_the_high_byte_first_is_turned_around():
    types = SAMPLES["types"][1](torch)
    swapped = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(types))) as archive, zipfile.ZipFile(swapped, "w") as turned:
        for entry in archive.namelist():
            content = archive.read(entry)
            if entry.startswith("archive/data/"):
                dtype = list(types.values())[int(entry.rpartition("/")[2])].dtype
                size = dtype.itemsize // (2 if dtype.is_complex else 1)
                content = b"".join(content[i:i + size][::-1] for i in range(0, len(content), size))
            turned.writestr(entry, b"big" if entry == "archive/byteorder" else content)
    swapped.seek(0)
    assert facts_of(torch.load(swapped)) == facts_of(types)

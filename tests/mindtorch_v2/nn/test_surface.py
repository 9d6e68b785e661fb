"""The surface of torch.nn against PyTorch's, as recorded by tools/record_surface.py."""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path

import pytest

from . import surface

FACTS = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "nn_surface.json.gz").read_bytes()))
ANYTHING = "(*args, **kwargs)"  # what torch's wrappers show of themselves; ours show what they take

# Addresses and names that we leave out, each with the reason.
WITHOUT = {
    "nn.backends": "empty in torch", "nn.backends.thnn": "empty in torch", "nn.cpp": "modules of torch's C++ frontend",
    "nn.attention.experimental": "empty in torch", "nn.attention.varlen": "CUDA only",
}
LEFT_OUT = {
    "nn.functional": {
        "ScalingType": "matrix products in 8 and 4 bits: CUDA only", "SwizzleType": "as ScalingType",
        "scaled_mm": "as ScalingType", "scaled_grouped_mm": "as ScalingType"},
}
# Members of classes that we leave out.
WITHOUT_MEMBERS = {name: "cannot be made without a process group" for name in (
    "DistributedDataParallel", "DistributedDataParallelCPU")}
ADDRESSES = [address for address in FACTS if address not in WITHOUT]
NAMES = [pytest.param(address, name, id=f"{address}.{name}") for address in ADDRESSES for name in FACTS[address]
         if name not in LEFT_OUT.get(address, {})]


def ours(address: str):
    return importlib.import_module(f"mindtorch_v2.{address}")


@pytest.mark.parametrize(("address", "name"), NAMES)
def test_a_name_takes_what_it_takes_in_torch(address, name):
    theirs = FACTS[address][name]
    mine = surface.described(getattr(ours(address), name))
    for call in ("call", "init", "forward"):
        if theirs.get(call) not in (None, ANYTHING):
            assert mine[call].replace("mindtorch_v2", "torch") == theirs[call]


@pytest.mark.parametrize(("address", "name"), [p for p in NAMES if p.values[1] not in WITHOUT_MEMBERS])
def test_a_class_has_the_members_of_torch_s(address, name):
    theirs = FACTS[address][name].get("members", [])
    mine = surface.described(getattr(ours(address), name)).get("members", [])
    assert [member for member in theirs if member not in mine] == []


@pytest.mark.parametrize("address", [address for address in ADDRESSES if FACTS[address]])
def test_everything_that_is_exported_is_there(address):
    module = ours(address)
    assert [name for name in getattr(module, "__all__", ()) if not hasattr(module, name)] == []


def test_what_is_left_out_is_really_missing():
    """An exception that is no longer needed is taken off its table."""
    here = [f"{address}.{name}" for address, names in LEFT_OUT.items() for name in names
            if hasattr(ours(address), name)]
    assert here == []

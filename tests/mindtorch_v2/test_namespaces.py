"""torch.special, torch.fft and torch.signal against PyTorch's, as recorded by tools/record_namespaces.py."""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from . import namespaces

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "data" / "namespaces.json.gz").read_bytes()))
FACTS = RECORDED["modules"]


def module_of(address: str):
    return importlib.import_module(f"mindtorch_v2.{address}")


@pytest.mark.parametrize("address", FACTS)
def test_a_module_has_the_functions_of_torch_s(address):
    assert namespaces.names_of(module_of(address)) == sorted(FACTS[address])


@pytest.mark.parametrize("address", FACTS)
def test_functions_are_called_as_torch_s(address):
    ours = {name: namespaces.described(getattr(module_of(address), name)) for name in FACTS[address]}
    assert ours == FACTS[address]


@pytest.mark.parametrize("call", namespaces.CALLS)
def test_a_window_is_that_of_torch_s_with_its_rows_and_errors(call):
    ours, theirs = namespaces.outcome(torch, call), dict(RECORDED["calls"][call])
    assert ours.pop("values", []) == pytest.approx(theirs.pop("values", []), rel=1e-5, abs=1e-6)
    assert ours == theirs

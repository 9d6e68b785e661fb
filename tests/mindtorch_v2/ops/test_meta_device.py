"""Every sample where no tensor has values: shapes, types, strides and errors are those of the CPU."""

from __future__ import annotations

import gzip
import json

import pytest

import mindtorch_v2 as torch

from . import observe
from .test_every_op import CASES, DATA

_REFUSED = DATA / "_meta_refused.json.gz"
# Samples that PyTorch refuses on the meta device, because their result depends on values, with its words.
REFUSED = json.loads(gzip.decompress(_REFUSED.read_bytes())) if _REFUSED.exists() else {}

SPARSE = {"compressed", "sparse"}  # folders of samples: there are no sparse tensors on the meta device here
DENSE = [case for case in CASES if case.values[0].partition("/")[0] not in SPARSE]


@pytest.mark.parametrize(("file", "op", "i", "sample"), DENSE)
def test_meta_device_gives_what_the_cpu_gives(file, op, i, sample):
    cpu = observe.attempt(observe.on_cpu, torch, sample)
    meta = observe.attempt(observe.on_meta, torch, sample)
    if "error" in meta and "error" not in cpu:
        assert f"{op}-{i}" in REFUSED, f"torch runs this on the meta device, ours says {meta['error']}"
    elif "error" in cpu and "error" not in meta:  # a complaint about values, such as a label that no class has
        assert f"{op}-{i}" not in REFUSED, f"torch refuses this on the meta device too: {REFUSED[f'{op}-{i}']}"
    elif "error" in meta and f"{op}-{i}" in REFUSED:
        assert meta["error"] in (cpu["error"], REFUSED[f"{op}-{i}"])
    else:
        assert meta == cpu

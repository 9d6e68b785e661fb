"""Loaders with workers against PyTorch's recorded answers (tools/record_loader.py)."""

from __future__ import annotations

import gzip
import importlib
import json
import warnings
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile

from . import loader_surface
from .loader_cases import cases

FACTS = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "loader.json.gz").read_bytes()))
# Signed: what other devices and layouts need, what lines between processes are made of, and helpers of torch's own.
NOT_OURS = {
    "utils.data": {"argument_validation", "guaranteed_datapipes_determinism", "non_deterministic",
                   "runtime_validation", "runtime_validation_disabled", "DFIterDataPipe", "IterDataPipe",
                   "MapDataPipe"},
    "utils.data.dataloader": {"_get_distributed_settings", "_share_dist_seed"},
    "utils.data.graph": {"_list_connected_datapipes", "_stub_unpickler", "_traverse_helper"},
    "utils.data.graph_settings": {"_get_all_graph_pipes_helper", "_is_random_datapipe", "_is_sharding_datapipe",
                                  "_is_shuffle_datapipe", "apply_sharding"},
    "utils.data._utils.pin_memory": {"_pin_memory_loop"},
    "utils.data._utils.worker": {"ManagerWatchdog", "_worker_loop"},
    "multiprocessing.reductions": {
        "SharedCache", "rebuild_cuda_tensor", "rebuild_event", "rebuild_meta_tensor", "rebuild_nested_tensor",
        "rebuild_sparse_compressed_tensor", "rebuild_sparse_coo_tensor", "rebuild_typed_storage_child", "reduce_event",
        "reduce_nested_tensor", "reduce_sparse_tensor", "reduce_typed_storage_child"},
    "multiprocessing.queue": {"ConnectionWrapper", "Queue"},
    "multiprocessing.pool": {"clean_worker"},
}


@pytest.mark.parametrize("name", FACTS["cases"])
def test_loader_gives_what_pytorch_s_gives(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of more workers than this machine has processors
        answer = cases(torch, torch.utils.data, profile)[name]()
    assert json.loads(json.dumps(answer)) == FACTS["cases"][name]


@pytest.mark.parametrize("address", FACTS["surface"])
def test_names_and_parameters_are_pytorch_s(address):
    module = importlib.import_module(f"mindtorch_v2.{address}")
    wrong = {}
    for name, facts in FACTS["surface"][address].items():
        if name in NOT_OURS.get(address, ()):
            continue
        own = loader_surface.described(getattr(module, name)) if hasattr(module, name) else None
        if own is None or facts["takes"] not in (None, own["takes"]) or set(facts["members"]) - set(own["members"]):
            wrong[name] = (facts, own)
    assert not wrong

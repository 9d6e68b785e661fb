"""torch.cpu.get_capabilities: what the kernel tells of the processor, by PyTorch's names."""

from __future__ import annotations

import os
import platform

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.cpu import capabilities

INFO = "model name\t: A Processor\nflags\t\t: fpu sse pni fma avx2 sha_ni avx512f avx512_vnni\n\nmodel name\t: B\n"


@pytest.fixture
def processor(tmp_path, monkeypatch):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(INFO)
    for number, core in enumerate("001"):
        topology = tmp_path / f"cpu{number}" / "topology"
        topology.mkdir(parents=True)
        (topology / "physical_package_id").write_text("0")
        (topology / "core_id").write_text(core)
    cache = tmp_path / "cpu0" / "cache" / "index2"
    cache.mkdir(parents=True)
    (cache / "size").write_text("1024K\n")
    monkeypatch.setattr(capabilities, "_CPUINFO", cpuinfo)
    monkeypatch.setattr(capabilities, "_CPU", tmp_path)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    capabilities._told.cache_clear()
    yield
    capabilities._told.cache_clear()


def test_instructions_have_pytorchs_names(processor):
    told = torch.cpu.get_capabilities()
    assert told["cpu_name"] == "A Processor" and told["architecture"] == "x86_64"
    assert {name for name, has in told.items() if has is True} == {
        "sse", "sse3", "fma3", "avx2", "sha", "avx512_f", "avx512_vnni"}
    assert torch.cpu._is_avx2_supported() and torch.cpu._is_vnni_supported()
    assert not torch.cpu._is_avx512_supported() and not torch.cpu._is_amx_tile_supported()


def test_cores_and_caches_are_counted(processor):
    told = torch.cpu.get_capabilities()
    assert told["num_physical_cores"] == 2 and told["num_sockets"] == 1 and told["l2_cache_size"] == 1024 * 1024
    assert told["num_logical_cores"] == os.cpu_count() and told["l1d_cache_size"] == 0

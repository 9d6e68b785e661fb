"""Several processes against PyTorch's, as recorded by tools/record_distributed.py."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from . import scenarios

pytestmark = pytest.mark.slow  # processes and threads of their own, apart from tests of profiles

RECORDED = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "distributed.json.gz").read_bytes()))


def close(found, expected) -> bool:
    """Equal, with numbers compared as float32 results are."""
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(close, found, expected))
    return found == (pytest.approx(expected, rel=1e-4, abs=1e-5) if isinstance(expected, float) else expected)


@pytest.mark.parametrize("size", scenarios.SIZES)
@pytest.mark.parametrize("scenario", scenarios.SCENARIOS | scenarios.ENDINGS)
def test_processes_find_together_what_pytorchs_find(scenario, size):
    found, expected = scenarios.outcome(torch, scenario, size), RECORDED[f"{scenario} of {size}"]
    assert close(found, expected), (found, expected)


def _late(rank: int, folder: str) -> None:
    """Two processes, of which one comes to barriers too late, and then goes on with the other."""
    dist, limit = torch.distributed, timedelta(seconds=0.2)
    dist.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=2, timeout=scenarios.LIMIT)
    found = []
    if rank == 1:
        dist.recv(torch.zeros(1), 0)  # the other has given up
    for wait in (lambda: dist.barrier(timeout=limit), lambda: dist.monitored_barrier(timeout=limit)):
        if rank == 0:
            with pytest.raises(RuntimeError) as refusal:
                wait()
            found.append(str(refusal.value))
    if rank == 0:
        dist.send(torch.zeros(1), 1)
        Path(folder, "found").write_text(json.dumps(found))
    else:
        dist.barrier()
    dist.destroy_process_group()


def test_barriers_wait_no_longer_than_they_are_told(tmp_path):
    torch.multiprocessing.start_processes(_late, (str(tmp_path),), nprocs=2, start_method="fork")
    barrier, monitored = json.loads((tmp_path / "found").read_text())
    assert barrier == "Timed out waiting 200ms for recv operation to complete"
    assert monitored.startswith("[Rank 0]: Rank 1 failed to pass monitoredBarrier in 200 ms\n Original exception: \n")

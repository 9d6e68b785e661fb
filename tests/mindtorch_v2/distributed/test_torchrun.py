"""torchrun: processes that find each other, are told their numbers, and end together when one fails."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # processes and threads of their own, apart from tests of profiles

PROGRAM = """
import os, sys
import torch, torch.distributed as dist
dist.init_process_group()
x = torch.tensor([10 ** dist.get_rank()])
dist.all_reduce(x)
line = [dist.get_rank(), x.item(), os.environ["LOCAL_WORLD_SIZE"], dist.is_torchelastic_launched(), *sys.argv[1:]]
os.write(1, (" ".join(map(str, line)) + "\\n").encode())  # at once: both processes write to one pipe
dist.barrier()
dist.destroy_process_group()
"""
FAILING = """
import os, sys
from torch.distributed.elastic.multiprocessing.errors import record

@record
def main():
    if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        raise ValueError("once")
    print("again")
main()
"""


def torchrun(tmp_path, program: str, *options: str, arguments=()) -> subprocess.CompletedProcess:
    file = tmp_path / "program.py"
    file.write_text(program)
    command = [sys.executable, "-m", "mindtorch_v2", "torchrun", "--standalone", *options, str(file), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_processes_of_one_program_find_each_other(tmp_path):
    result = torchrun(tmp_path, PROGRAM, "--nproc-per-node", "2", arguments=["--epochs", "3"])
    assert sorted(result.stdout.splitlines()) == ["0 11 2 True --epochs 3", "1 11 2 True --epochs 3"], result.stderr


def test_a_failure_is_told_with_its_traceback(tmp_path):
    result = torchrun(tmp_path, FAILING)
    assert result.returncode == 1 and "program.py FAILED" in result.stderr
    assert "Root Cause" in result.stderr and 'raise ValueError("once")' in result.stderr.partition("Root Cause")[2]


def test_workers_are_started_again(tmp_path):
    result = torchrun(tmp_path, FAILING, "--max-restarts=1")
    assert (result.returncode, result.stdout) == (0, "again\n"), result.stderr


@pytest.mark.parametrize(("options", "text"), [
    (("--nnodes", "1:4"), "give one number"), (("--nproc-per-node", "gpu"), "gpu is not available"),
    (("--nproc-per-node", "many"), "Unsupported nproc_per_node value: many")])
def test_what_cannot_be_started_is_refused(options, text):
    from mindtorch_v2.distributed import run
    with pytest.raises(ValueError, match=text):
        run.main([*options, "train.py"])

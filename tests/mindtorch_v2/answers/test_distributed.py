"""torch.distributed: what it answers without a group, and a group of one process that works as PyTorch's does."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
import mindtorch_v2.distributed as dist

NOT_INITIALIZED = "Default process group has not been initialized, please make sure to call init_process_group."


@pytest.fixture
def world(monkeypatch):
    for name, value in {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": "1"}.items():
        monkeypatch.setenv(name, value)
    dist.init_process_group("gloo")
    yield dist.group.WORLD
    if dist.is_initialized():
        dist.destroy_process_group()


def test_processes_can_be_reached_by_gloo_alone():
    assert dist.is_available() is dist.is_gloo_available() is dist.is_backend_available("gloo") is True
    assert dist.is_initialized() is dist.is_nccl_available() is dist.is_mpi_available() is False
    assert dist.group.WORLD is None


def test_a_process_is_in_every_group_but_the_mark_for_those_outside():
    assert not dist._rank_not_in_group(None)
    assert dist.distributed_c10d._rank_not_in_group(dist.GroupMember.NON_GROUP_MEMBER)


@pytest.mark.parametrize("call", [dist.get_rank, dist.get_world_size, dist.barrier, dist.get_backend,
                                  lambda: dist.all_reduce(torch.ones(2)),
                                  lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))])
def test_without_a_group_everything_else_is_refused(call):
    with pytest.raises(ValueError, match=NOT_INITIALIZED):
        call()


@pytest.mark.parametrize(("options", "error", "text"), [
    ({}, ValueError, "environment variable RANK expected, but not set"),
    ({"rank": 0}, ValueError, "environment variable WORLD_SIZE expected, but not set"),
    ({"rank": 2, "world_size": 2, "store": object()}, ValueError, "rank 2 is none of 2 processes"),
    ({"init_method": "carrier://pigeon"}, RuntimeError, "No rendezvous handler for carrier://"),
    ({"rank": 0, "world_size": 1, "store": 1, "backend": "nccl"}, RuntimeError, "doesn't have NCCL built in"),
    ({"rank": 0, "world_size": 1, "store": 1, "backend": "nope"}, AssertionError, "Unknown backend type nope"),
])
def test_a_group_that_cannot_be_made_is_refused(options, error, text, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(error, match=text):
        dist.init_process_group(**options)


def test_a_group_of_one_knows_itself(world):
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend(), dist.is_initialized()) == (0, 1, "gloo", True)
    assert dist.new_group([0]).size() == 1 and dist.get_process_group_ranks(world) == [0]
    with pytest.raises(ValueError, match="trying to initialize the default process group twice!"):
        dist.init_process_group("gloo")


def test_collectives_of_one_process_keep_or_copy(world):
    x, out = torch.arange(3.), torch.zeros(3)
    assert dist.all_reduce(x, op=dist.ReduceOp.MAX) is None and x.tolist() == [0, 1, 2]
    work = dist.broadcast(x, 0, async_op=True)
    assert work.wait() and work.result()[0] is x and work.get_future().wait()[0] is x
    for call in (lambda: dist.all_gather([out], x), lambda: dist.gather(x, [out]), lambda: dist.scatter(out, [x]),
                 lambda: dist.reduce_scatter(out, [x]), lambda: dist.all_gather_into_tensor(out, x)):
        out.zero_()
        call()
        assert out.tolist() == [0, 1, 2]
    objects = [None]
    dist.all_gather_object(objects, {"a": [1]})
    assert objects == [{"a": [1]}]


@pytest.mark.parametrize(("call", "error", "text"), [
    (lambda x: dist.broadcast(x, 1), RuntimeError, "ProcessGroupGloo::broadcast: invalid root rank: 1"),
    (lambda x: dist.all_gather([x, x], x), RuntimeError, "invalid output tensor list at index 0 .expected length 1"),
    (lambda x: dist.all_gather([torch.ones(3)], x), RuntimeError, r"invalid tensor size at index 0 \(expected \(2\)"),
    (lambda x: dist.gather(x), ValueError, "``gather_list`` must be specified on destination rank"),
    (lambda x: dist.send(x, 0), ValueError, "destination rank should not be the same as the rank of the current"),
])
def test_mistakes_are_refused_in_torchs_words(world, call, error, text):
    with pytest.raises(error, match=text):
        call(torch.ones(2))


def test_a_module_trains_in_a_group_of_one(world):
    torch.manual_seed(0)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
    assert list(model.state_dict()) == ["module.weight", "module.bias"]
    with model.no_sync():
        model(torch.ones(1, 2)).sum().backward()
    assert model.module.bias.grad.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="is not needed when a module doesn't have any parameter"):
        torch.nn.parallel.DistributedDataParallel(torch.nn.ReLU())
    dist.destroy_process_group()
    assert not dist.is_initialized()

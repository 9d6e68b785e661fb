"""What several processes do together, on any library with torch's interface; each function is run in every process."""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from datetime import timedelta
from pathlib import Path

SIZES = (2, 3)
LIMIT = timedelta(seconds=30)


def reductions(torch, rank: int, size: int) -> list:
    """all_reduce, reduce and reduce_scatter, by kinds of reduction and types."""
    dist, found = torch.distributed, []
    for op in ("SUM", "AVG", "PRODUCT", "MIN", "MAX"):
        x = torch.arange(4.) + rank
        dist.all_reduce(x, op=getattr(dist.ReduceOp, op))
        found.append(x.tolist())
    for dtype in ("bfloat16", "float16", "int64", "uint8", "bool", "complex64"):
        x = (torch.ones(3) * (rank + 1)).to(getattr(torch, dtype))
        dist.all_reduce(x)
        found.append(str(x))
    bits = torch.tensor([rank + 1, 4])
    dist.all_reduce(bits, op=dist.ReduceOp.BXOR)
    turned = torch.arange(6.).view(2, 3).t() * (rank + 1)
    dist.all_reduce(turned)
    one = torch.arange(3.) + rank
    dist.reduce(one, 1)
    part, parts = torch.zeros(2), [torch.full((2,), float(i + rank)) for i in range(size)]
    dist.reduce_scatter(part, parts)
    whole = torch.zeros(2)
    dist.reduce_scatter_tensor(whole, torch.arange(2. * size) * (rank + 1))
    return [*found, bits.tolist(), turned.tolist(), one.tolist() if rank == 1 else None, part.tolist(), whole.tolist()]


def copies(torch, rank: int, size: int) -> list:
    """What is handed from one to all, from all to one, and from each to each."""
    dist = torch.distributed
    mine = torch.arange(2.) + 10 * rank
    sent = mine.clone()
    dist.broadcast(sent, size - 1)
    everyone = [torch.zeros(2) for _ in range(size)]
    dist.all_gather(everyone, mine)
    row = torch.zeros(2 * size)
    dist.all_gather_into_tensor(row, mine)
    gathered = [torch.zeros(2) for _ in range(size)] if rank == 0 else None
    dist.gather(mine, gathered)
    scattered = torch.zeros(2)
    dist.scatter(scattered, [mine * i for i in range(size)] if rank == 0 else None)
    swapped = torch.zeros(size)
    dist.all_to_all_single(swapped, torch.arange(float(size)) + 10 * rank)
    uneven = torch.zeros(size * (rank + 1))
    dist.all_to_all_single(uneven, torch.arange(float(sum(range(size + 1)))) + 100 * rank, [rank + 1] * size,
                           list(range(1, size + 1)))
    lists = [sent, *everyone, row, *(gathered or []), scattered, swapped, uneven]
    return [t.tolist() for t in lists]


def objects(torch, rank: int, size: int) -> list:
    """The same for objects."""
    dist = torch.distributed
    everyone = [None] * size
    dist.all_gather_object(everyone, {"rank": rank})
    told = ["a", rank]
    dist.broadcast_object_list(told, src=1)
    gathered = [None] * size if rank == 0 else None
    dist.gather_object([rank], gathered)
    given = [None]
    dist.scatter_object_list(given, [f"for {i}" for i in range(size)] if rank == 0 else None)
    dist.barrier()
    return [everyone, told, gathered, given]


def messages(torch, rank: int, size: int) -> list:
    """What one process sends to the next."""
    dist = torch.distributed
    mine, came = torch.arange(3.) + rank, torch.zeros(3)
    sending = dist.isend(mine, (rank + 1) % size)
    source = dist.recv(came, (rank - 1) % size)
    sending.wait()
    again = torch.zeros(3)
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, mine * 2, (rank + 1) % size),
                                        dist.P2POp(dist.irecv, again, (rank - 1) % size)]):
        work.wait()
    work = dist.all_reduce(mine, async_op=True)
    work.wait()
    return [source, came.tolist(), again.tolist(), mine.tolist(), work.is_completed()]


def groups(torch, rank: int, size: int) -> list:
    """A group of some of the processes."""
    dist = torch.distributed
    group = dist.new_group([0, 1])
    x = torch.ones(2) * (rank + 1)
    if rank < 2:
        dist.all_reduce(x, group=group)
    known = [dist.get_process_group_ranks(group), group.group_name] if rank < 2 else str(group)
    return [x.tolist(), dist.get_rank(group), dist.get_world_size(group), dist.get_pg_count(), known,
            dist.get_backend(), dist.get_backend_config()]


MISTAKES = {
    "all_reduce of a list": lambda dist, x, rank: dist.all_reduce([x]),
    "bits of numbers that have none": lambda dist, x, rank: dist.all_reduce(x, op=dist.ReduceOp.BAND),
    "a type that is not reduced": lambda dist, x, rank: dist.all_reduce(x.short()),
    "a root that is not there": lambda dist, x, rank: dist.broadcast(x, 7),
    "sending to itself": lambda dist, x, rank: dist.send(x, rank),
    "too long a list": lambda dist, x, rank: dist.all_gather([x] * 5, x),
    "too small a tensor": lambda dist, x, rank: dist.all_gather([x[:1]] * dist.get_world_size(), x),
    "a list of a wrong length": lambda dist, x, rank: dist.reduce_scatter(x, [x] * 5),
    "a group of strangers": lambda dist, x, rank: dist.new_group([0, 5]),
    "no number of another group": lambda dist, x, rank: dist.get_node_local_rank(),
    "a second time": lambda dist, x, rank: dist.init_process_group("gloo"),
}


def mistakes(torch, rank: int, size: int) -> list:
    """Calls that every process makes and that fail in each."""
    found = []
    for call in MISTAKES.values():
        try:
            found.append(str(call(torch.distributed, torch.ones(4), rank)))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


def training(torch, rank: int, size: int) -> list:
    """DistributedDataParallel: gradients, buffers and parameters after steps, one of them without an exchange."""
    nn = torch.nn
    module = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
    for place, parameter in enumerate(module.parameters()):
        parameter.data = torch.linspace(-1, 1 + rank, parameter.numel()).view(parameter.shape) * (place + 1) / 4
    wrapped = nn.parallel.DistributedDataParallel(module)
    optimizer = torch.optim.SGD(wrapped.parameters(), 0.1)
    found = []
    for step in range(3):
        x = (torch.arange(12.).view(4, 3) * (rank + 1) + step).sin()
        optimizer.zero_grad()
        if step == 1:
            with wrapped.no_sync():
                wrapped(x).pow(2).mean().backward()
        wrapped(x).pow(2).mean().backward()
        optimizer.step()
        found += [[p.tolist() for p in wrapped.parameters()], [b.tolist() for b in wrapped.buffers()]]
    return found


def _two_ways(torch, rank: int):
    class TwoWays(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.third = (torch.nn.Linear(2, 2) for _ in range(3))
            for parameter in self.parameters():
                torch.nn.init.ones_(parameter)

        def forward(self, x):
            return self.first(x) if rank == 0 else self.second(x)
    return TwoWays()


def unused(torch, rank: int, size: int) -> list:
    """Parameters that not every process uses: found, or complained of in the next step."""
    x = torch.ones(1, 2) * (rank + 1)
    module = _two_ways(torch, rank)
    finding = torch.nn.parallel.DistributedDataParallel(module, find_unused_parameters=True)
    for _ in range(2):
        finding(x).sum().backward()
    found = [None if p.grad is None else p.grad.tolist() for p in module.parameters()]
    plain = torch.nn.parallel.DistributedDataParallel(_two_ways(torch, rank))
    plain(x).sum().backward()
    try:
        plain(x)
    except RuntimeError as error:
        found.append(str(error).partition("Parameter indices")[0])
    return found


def hooked(torch, rank: int, size: int) -> list:
    """A hook that exchanges the gradients in its own way."""
    seen = []

    def doubled(state, bucket):
        state.append([bucket.index(), bucket.is_last(), list(bucket.buffer().shape), len(bucket.parameters()),
                      [list(g.shape) for g in bucket.gradients()]])
        work = torch.distributed.all_reduce(bucket.buffer(), async_op=True)
        return work.get_future().then(lambda future: future.value()[0] * 2)

    wrapped = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
    wrapped.register_comm_hook(seen, doubled)
    wrapped(torch.ones(1, 2) * (rank + 1)).sum().backward()
    return [seen, [p.grad.tolist() for p in wrapped.parameters()]]


def _refusal(call) -> str:
    """The type and words of what a call raises, without where in C++ that was; or that it raises nothing."""
    try:
        call()
    except Exception as error:
        where = r"^\[\S*\] (?=Timed)|^\[rank.*?\] (?=Check)| (send|recv) operation to complete|<.*> *"
        return f"{type(error).__name__}: {re.sub(where, '', str(error)).strip()}"
    return "nothing"


def refusals(torch, rank: int, size: int) -> list:
    """What every process is told at once, before anything is sent."""
    dist, x, whole = torch.distributed, torch.ones(2), torch.ones(2, dtype=torch.int32)
    others = dist.new_group([size - 1])
    calls = [
        lambda: dist.broadcast(x), lambda: dist.broadcast(x, 0, group_src=0), lambda: dist.broadcast(x, 9),
        lambda: dist.broadcast(x, None, group_src=9), lambda: dist.reduce(x),
        lambda: dist.all_reduce(x + 1j, op=dist.ReduceOp.MAX),
        lambda: dist.all_reduce(torch.eye(2).to_sparse(), op=dist.ReduceOp.MAX),
        lambda: dist.all_gather([whole] * size, x), lambda: dist.reduce_scatter(x, [whole] * size),
        lambda: dist.all_to_all([x] * size, [whole] * size), lambda: dist.all_to_all([x], [x] * size),
        lambda: dist.all_to_all_single(x, whole), lambda: dist.all_gather_single(torch.ones(size, 2), x),
        lambda: dist.all_gather_single(torch.ones(2 * size).double(), x),
        lambda: dist.all_gather_single(torch.ones(size), torch.tensor(1.)),
        lambda: dist.reduce_scatter_single(torch.ones(3), x),
        lambda: dist.reduce_scatter_single(x, torch.ones(2, size)),
        lambda: dist.reduce_scatter_single(x, torch.ones(2 * size, dtype=torch.int32)),
        lambda: dist.send(x), lambda: dist.send(x, rank), lambda: dist.batch_isend_irecv([]),
        lambda: dist.monitored_barrier(timeout=5), lambda: dist.new_group(timeout=5), lambda: dist.new_group([0, 0]),
        lambda: dist.get_group_rank(others, size), lambda: dist.init_process_group("gloo"),
        lambda: dist.all_reduce_coalesced(3), lambda: dist.all_reduce_coalesced([x, whole]),
    ]
    member = dist.get_process_group_ranks(others)
    return [member, str(dist.ReduceOp.SUM), repr(dist.P2POp(dist.isend, x, 1)), *map(_refusal, calls)]


def lateness(torch, rank: int, size: int) -> list:
    """What processes are told about one that comes too late."""
    dist, limit = torch.distributed, timedelta(milliseconds=300)
    if rank == size - 1:
        time.sleep(2)  # all others have given up
        return []
    found = [_refusal(lambda: dist.all_reduce(torch.ones(1), async_op=True).wait(limit))]
    if rank == 0:
        found.append(_refusal(lambda: dist.monitored_barrier(timeout=limit, wait_all_ranks=True)).replace(" 1,", ""))
    time.sleep(1)  # none leaves while another waits
    return found


def many(torch, rank: int, size: int) -> list:
    """Several tensors at once, and sparse ones."""
    dist = torch.distributed
    pair = [torch.ones(2) * rank, torch.arange(3.)]
    dist.all_reduce_coalesced(pair)
    lists = [[torch.zeros(2), torch.zeros(3)] for _ in range(size)]
    dist.all_gather_coalesced(lists, pair)
    sparse = torch.sparse_coo_tensor([[0, 0, rank]], [[1., 2.], [3., 4.], [5., 6.]], (3, 2))
    dist.all_reduce(sparse)
    on_meta = torch.ones(2, device="meta")
    dist.all_reduce(on_meta)
    return [[t.tolist() for t in [*pair, *sum(lists, []), sparse.indices(), sparse.values()]], sparse.is_coalesced()]


SCENARIOS = {function.__name__: function for function in
             (reductions, copies, objects, messages, groups, mistakes, refusals, many, training, unused, hooked)}
ENDINGS = {"lateness": lateness}  # what leaves the processes unable to go on together


def _in_process(rank: int, torch_name: str, scenario: str, size: int, folder: str) -> None:
    """Join the others by a file, and write down what is found."""
    import importlib
    torch = importlib.import_module(torch_name)
    os.environ.pop("LOCAL_RANK", None)
    torch.distributed.init_process_group("gloo", f"file://{folder}/meeting", rank=rank, world_size=size, timeout=LIMIT)
    found = (SCENARIOS | ENDINGS)[scenario](torch, rank, size)
    Path(folder, f"{rank}.json").write_text(json.dumps(found))
    if scenario in ENDINGS:
        return
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def outcome(torch, scenario: str, size: int) -> list:
    """What each process found, in their order."""
    import importlib
    multiprocessing = importlib.import_module(f"{torch.__name__}.multiprocessing")
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.start_processes(_in_process, (torch.__name__, scenario, size, folder), nprocs=size,
                                        start_method="fork")
        return [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(size)]

"""Worker processes of a DataLoader: what comes over, what fails, and that nothing is left behind."""

from __future__ import annotations

import gc
import os
import signal
import socket
import time

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import multiprocessing
from mindtorch_v2.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info

pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create")


class Numbers(Dataset):
    def __init__(self, size=8):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        return torch.full((3,), float(i))


class Acting(Numbers):
    """Does something to the worker at one item."""

    def __init__(self, act, at=5):
        super().__init__()
        self.act, self.at = act, at

    def __getitem__(self, i):
        if i == self.at:
            self.act()
        return super().__getitem__(i)


class Large(Dataset):
    """Batches and indices that fill every buffer between two processes."""

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return [str(i)] * 100_000


class Endless(IterableDataset):
    def __iter__(self):
        while True:
            yield 1


def first(batch):
    return batch[0]


def own_descriptors() -> int:
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


def is_gone(process) -> bool:
    process.join(10)
    return not process.is_alive()


def test_batches_come_in_shared_memory_and_outlive_their_worker():
    batches = list(DataLoader(Numbers(), 4, num_workers=1))
    assert all(batch.is_shared() for batch in batches)
    batches[0] += 1
    assert batches[0][:, 0].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_worker_that_was_killed_after_it_sent_a_batch_takes_nothing_along():
    loop = iter(DataLoader(Numbers(), 4, num_workers=1))
    batch = next(loop)
    os.kill(loop._workers[0].pid, signal.SIGKILL)
    assert is_gone(loop._workers[0])
    assert batch.sum().item() == 18.0


def test_killed_worker_is_reported_by_its_number_and_signal():
    loop = iter(DataLoader(Acting(lambda: os.kill(os.getpid(), signal.SIGKILL)), num_workers=2))
    with pytest.raises(RuntimeError) as caught:
        list(loop)
    pid = loop._workers[1].pid
    assert str(caught.value) == f"DataLoader worker (pid(s) {pid}) exited unexpectedly"
    assert str(caught.value.__cause__) == f"DataLoader worker (pid {pid}) is killed by signal: Killed. "


def test_worker_that_exits_is_reported_with_its_code():
    loop = iter(DataLoader(Acting(lambda: os._exit(3)), num_workers=1))
    with pytest.raises(RuntimeError, match="exited unexpectedly") as caught:
        list(loop)
    assert "exited unexpectedly with exit code 3. Details are lost" in str(caught.value.__cause__)


def test_hanging_worker_times_out_and_is_ended():
    loop = iter(DataLoader(Acting(lambda: time.sleep(60), at=0), num_workers=1, timeout=0.5))
    with pytest.raises(RuntimeError, match=r"^DataLoader timed out after 0.5 seconds$"):
        next(loop)
    worker = loop._workers[0]
    worker.terminate()  # or the deletion of the loop would wait for it
    del loop
    assert is_gone(worker)


def test_batch_that_cannot_be_pickled_is_an_error_and_does_not_hang():
    with pytest.raises(Exception, match="in DataLoader worker process 0"):
        list(DataLoader(Numbers(), num_workers=1, collate_fn=lambda batch: lambda: batch))


def test_failure_in_worker_init_fn_is_raised_with_the_first_batch():
    def fail(worker_id):
        raise ValueError(f"no worker {worker_id}")

    with pytest.raises(ValueError, match=r"(?s)Caught ValueError in DataLoader worker process 0.*no worker 0"):
        list(DataLoader(Numbers(), num_workers=1, worker_init_fn=fail))


def test_loop_that_goes_on_after_a_failure_gets_the_other_batches():
    def fail():
        raise KeyError("once")

    loop, got = iter(DataLoader(Acting(fail, at=2), num_workers=2)), []
    while len(got) < 8:
        try:
            got.append(next(loop)[0, 0].item())
        except KeyError:
            got.append("failed")
    assert got == [0.0, 1.0, "failed", 3.0, 4.0, 5.0, 6.0, 7.0]


def test_dropped_loop_ends_its_workers_and_leaves_no_descriptors():
    before = own_descriptors()
    loop = iter(DataLoader(Endless(), 4, num_workers=2))
    next(loop)
    workers = loop._workers
    del loop
    assert all(is_gone(worker) for worker in workers)
    del workers
    assert own_descriptors() == before


def test_many_epochs_leak_neither_descriptors_nor_memory():
    loader = DataLoader(Numbers(), 4, num_workers=1)
    list(loader)
    before, files = own_descriptors(), set(os.listdir("/dev/shm"))
    for _ in range(10):
        list(loader)
    assert own_descriptors() == before
    assert not {name for name in set(os.listdir("/dev/shm")) - files if name.startswith("torch_")}


def test_persistent_workers_stay_and_keep_what_they_know():
    class Counting(Numbers):
        seen = 0

        def __getitem__(self, i):
            self.seen += 1
            return self.seen

    loader = DataLoader(Counting(4), num_workers=1, persistent_workers=True)
    epochs = [[batch.item() for batch in loader] for _ in range(3)]
    assert epochs == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]


def test_persistent_worker_that_died_between_epochs_is_reported():
    loader = DataLoader(Numbers(), num_workers=2, persistent_workers=True)
    list(loader)
    os.kill(loader._iterator._workers[0].pid, signal.SIGKILL)
    for _ in range(2):  # and again whenever somebody tries
        with pytest.raises(RuntimeError, match="exited unexpectedly"):
            list(loader)


def test_broken_off_epoch_of_persistent_workers_leaves_nothing_in_the_next():
    loader = DataLoader(Numbers(), num_workers=2, persistent_workers=True)
    next(iter(loader))
    assert [batch[0, 0].item() for batch in loader] == [float(i) for i in range(8)]


def test_large_batches_and_large_indices_block_nobody():
    class Sampler:
        def __iter__(self):
            return iter([[i] * 50_000 for i in range(6)])

    dataset = Large()
    loader = DataLoader(dataset, batch_sampler=Sampler(), num_workers=1, prefetch_factor=6, collate_fn=first)
    dataset.__class__.__getitems__ = lambda self, indices: [self[indices[0]]]
    assert [batch[0] for batch in loader] == [str(i) for i in range(6)]


def test_more_tensors_than_one_message_may_carry_descriptors_for():
    loader = DataLoader(Numbers(1), num_workers=1, collate_fn=lambda batch: [batch[0] + i for i in range(300)])
    batch, = loader
    assert [tensor[0].item() for tensor in batch] == [float(i) for i in range(300)]


def test_without_order_a_slow_worker_holds_up_nobody():
    others_came = multiprocessing.get_context("fork").Event()
    loop = iter(DataLoader(Acting(others_came.wait, at=0), num_workers=2, in_order=False))
    order = [next(loop)[0, 0].item()]
    others_came.set()
    order += [batch[0, 0].item() for batch in loop]
    assert sorted(order) == [float(i) for i in range(8)] and order[0] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_ways_to_start_workers(method):
    data = TensorDataset(torch.arange(6.0).share_memory_())
    loader = DataLoader(data, 2, num_workers=1, multiprocessing_context=method)
    assert [batch[0].tolist() for batch in loader] == [[0, 1], [2, 3], [4, 5]]


def test_names_of_files_are_another_way_to_share():
    before = multiprocessing.get_sharing_strategy()
    multiprocessing.set_sharing_strategy("file_system")
    try:
        batches = list(DataLoader(Numbers(), 4, num_workers=1))
        assert [batch.sum().item() for batch in batches] == [18.0, 66.0]
        del batches
        assert not [name for name in os.listdir("/dev/shm") if name.startswith(f"torch_{os.getpid()}_")]
    finally:
        multiprocessing.set_sharing_strategy(before)


def test_worker_knows_itself_and_the_main_process_is_none():
    def told(batch):
        info = get_worker_info()
        return info.id, info.num_workers, info.dataset.size

    assert list(DataLoader(Numbers(2), num_workers=2, collate_fn=told)) == [(0, 2, 2), (1, 2, 2)]
    assert get_worker_info() is None


def test_a_program_s_timeout_for_sockets_is_not_the_workers():
    socket.setdefaulttimeout(0.05)
    try:
        assert len(list(DataLoader(Acting(lambda: time.sleep(0.2)), 4, num_workers=1))) == 2
    finally:
        socket.setdefaulttimeout(None)

"""One pass over a loader whose batches worker processes fetch, ahead of the loop and in its order."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import select
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from ...core.exception_wrapper import ExceptionWrapper
from ...core.user_warning import warn_user
from ...record import workers as recorded_by_workers
from ...record.locks import new_lock
from . import _utils
from ._utils import signal_handling
from ._utils.board import Board
from ._utils.channel import CONNECTION_LOST, Channel
from ._utils.worker import (
    FETCH,
    Task,
    _IterableDatasetStopIteration,
    _ResumeIteration,
    _worker_loop,
    get_worker_info,
    worker_name,
)
from .datapipes.datapipe import IterDataPipe, MapDataPipe
from .graph_settings import apply_sharding
from .iterators import _BaseDataLoaderIter

NOT_PICKLABLE = ("Got pickle error when attempting to start a worker Process. This might be because the worker Process "
                 "arguments are not picklable. Python 3.14+ changed the multiprocessing start method in non-Mac POSIX "
                 "platforms to 'forkserver', which requires the worker Process arguments to be picklable. You can also "
                 "try multiprocessing.set_start_method('fork').")
MILLISECONDS = 1000


def _sharding_worker_init_fn(worker_init_fn: Callable | None, world_size: int, rank_id: int, worker_id: int) -> None:
    """Give a worker its share of a stream of pipes, then do what the user wants done."""
    info = get_worker_info()
    apply_sharding(info.dataset, info.num_workers * world_size, worker_id * world_size + rank_id)
    if worker_init_fn is not None:
        worker_init_fn(worker_id)


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """A pass that loads in worker processes."""

    _shutdown = True  # nothing to shut down before the first worker is started
    _workers: list = []

    def __init__(self, loader):
        super().__init__(loader)
        self._prefetch_factor, self._in_order = loader.prefetch_factor, loader.in_order
        if self._num_workers <= 0:
            raise AssertionError("num_workers must be greater than 0 for MultiProcessingDataLoaderIter")
        if self._prefetch_factor <= 0:
            raise AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter")
        self._worker_init_fn = loader.worker_init_fn
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            self._worker_init_fn = partial(_sharding_worker_init_fn, self._worker_init_fn, 1, 0)
        self._pid = os.getpid()
        self._workers, self._channels = [], []
        self._arrived: deque[Channel] = deque()  # where the next messages are to be read
        self._board, self._exchanging = Board(self._num_workers), new_lock()
        self._shutdown = False
        self._start(loader.multiprocessing_context or multiprocessing)
        signal_handling._set_worker_pids(id(self), [worker.pid for worker in self._workers])
        recorded_by_workers.register(self)
        self._reset(loader, first_iter=True)

    def _start(self, context) -> None:
        task = Task(self._dataset, self._dataset_kind, self._auto_collation, self._collate_fn, self._drop_last,
                    self._worker_init_fn, self._base_seed, self._num_workers, self._shared_seed, self._board)
        for worker_id in range(self._num_workers):
            own, other = Channel.pair()
            self._channels.append(own)
            worker = context.Process(target=_worker_loop, args=(task, worker_id, other), daemon=True)
            try:
                worker.start()
            except (TypeError, AttributeError, pickle.PicklingError):
                warn_user(NOT_PICKLABLE)
                raise
            finally:
                other.close()
            self._workers.append(worker)

    def _reset(self, loader, first_iter: bool = False) -> None:
        super()._reset(loader, first_iter)
        self._send_idx = 0  # number of the next batch to ask for
        self._rcvd_idx = 0  # number of the next batch to give out
        self._task_info: dict[int, tuple] = {}  # by number: the worker that was asked, and its batch once it is here
        self._tasks_outstanding = 0
        self._workers_status = [True] * self._num_workers  # whether a worker is asked for more
        self._workers_num_tasks = [0] * self._num_workers
        self._worker_queue_idx_cycle = itertools.cycle(range(self._num_workers))
        if not first_iter:
            self._resume()
        for _ in range(self._prefetch_factor * self._num_workers):
            self._try_put_index()

    def _resume(self) -> None:
        """Have all workers begin anew; what they still send of the last pass is dropped."""
        for channel in self._channels:
            with contextlib.suppress(OSError):  # its worker is gone, which is told below
                channel.post(_ResumeIteration(self._shared_seed))
        self._check_workers([worker_id for worker_id, channel in enumerate(self._channels) if channel.fileno() < 0])
        waiting = self._num_workers
        while waiting:
            number, _ = self._get_data()
            waiting -= isinstance(number, _ResumeIteration)

    def _try_get_data(self, timeout: float = _utils.MP_STATUS_CHECK_INTERVAL) -> tuple[bool, Any]:
        """Whether something came within the time, and what; RuntimeError if a worker is gone."""
        deadline = time.monotonic() + timeout
        while not self._arrived:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                self._check_workers(worker for worker, process in enumerate(self._workers) if not process.is_alive())
                return False, None
            self._exchange(remaining)
        return True, self._arrived.popleft().read()

    def _exchange(self, timeout: float) -> None:
        """Wait until a worker sends something or there is room for what it is to be sent, and do it."""
        poll, lines = select.poll(), {}
        for worker_id, channel in enumerate(self._channels):
            if channel.fileno() >= 0:
                lines[channel.fileno()] = worker_id
                poll.register(channel, select.POLLIN | (select.POLLOUT if channel.has_unsent else 0))
        lost = []
        for fd, event in poll.poll(timeout * MILLISECONDS):
            channel = self._channels[lines[fd]]
            try:
                if event & select.POLLOUT:
                    channel.flush()
                with self._exchanging:
                    self._pull(channel)
            except CONNECTION_LOST:
                lost.append(lines[fd])
        if not self._arrived:
            self._check_workers(lost)

    def _pull(self, channel: Channel) -> None:
        """Take in what a worker has sent."""
        self._arrived.extend([channel] * channel.pull())
        while channel.recorded:
            recorded_by_workers.deliver(channel.recorded.popleft())

    def ask_workers(self, wants: int) -> None:
        """Have workers record what this process does, from their next batch on."""
        self._board.wants = wants

    def collect(self) -> None:
        """Take in what workers have sent, for a profile that ends; unless that is being done just now, here or on
        another thread."""
        if not self._exchanging._is_owned() and self._exchanging.acquire(blocking=False):
            try:
                for channel in self._channels:
                    if channel.fileno() >= 0:
                        with contextlib.suppress(*CONNECTION_LOST):  # who waits for a batch will be told
                            self._pull(channel)
            finally:
                self._exchanging.release()

    def in_progress(self) -> list[recorded_by_workers.InProgress]:
        """What workers are fetching, and since when."""
        return [recorded_by_workers.InProgress(process.pid, worker_name(worker_id), FETCH, fetching[1])
                for worker_id, process in enumerate(self._workers)
                if (fetching := self._board.in_progress(worker_id)) is not None]

    def _check_workers(self, lost) -> None:
        """Say which of the workers ended that should not have."""
        failed = []
        for worker_id in lost:
            self._channels[worker_id].close()
            if self._workers_status[worker_id] or self._persistent_workers:
                self._workers_status[worker_id] = False
                self._workers[worker_id].join(_utils.MP_STATUS_CHECK_INTERVAL)
                failed.append(self._workers[worker_id])
        if failed:
            pids = ", ".join(str(process.pid) for process in failed)
            raise RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly") \
                from signal_handling.failure(failed[0].pid, failed[0].exitcode)

    def _get_data(self) -> tuple:
        """The next thing that a worker sends."""
        if self._timeout > 0:
            success, data = self._try_get_data(self._timeout)
            if not success:
                raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
            return data
        while True:
            success, data = self._try_get_data()
            if success:
                return data

    def _next_data(self) -> Any:
        while True:
            self._skip_ended()
            if len(self._task_info[self._rcvd_idx]) == 2:  # noqa: PLR2004  the worker and its batch
                worker_id, data = self._task_info.pop(self._rcvd_idx)
                self._rcvd_idx += 1
                return self._process_data(data, worker_id)
            if self._shutdown or self._tasks_outstanding <= 0:
                raise AssertionError("Invalid iterator state: shutdown or no outstanding tasks when fetching next data")
            number, data = self._get_data()
            self._tasks_outstanding -= 1
            if isinstance(data, _IterableDatasetStopIteration):
                self._end_stream(data.worker_id)
            elif number == self._rcvd_idx or not self._in_order:
                self._rcvd_idx += number == self._rcvd_idx
                return self._process_data(data, self._task_info.pop(number)[0])
            else:
                self._task_info[number] += (data,)

    def _skip_ended(self) -> None:
        """Come to the next batch that is here or that a worker may still send."""
        while self._rcvd_idx < self._send_idx:
            info = self._task_info.get(self._rcvd_idx)
            if info is not None:
                if len(info) > 1 or self._workers_status[info[0]]:
                    return
                del self._task_info[self._rcvd_idx]
            self._rcvd_idx += 1
        if not self._persistent_workers:
            self._shutdown_workers()
        raise StopIteration

    def _end_stream(self, worker_id: int) -> None:
        """A worker has nothing more to give: others get what was meant for it."""
        self._workers_status[worker_id] = False
        if not self._persistent_workers:
            self._channels[worker_id].close()
        self._try_put_index()

    def _try_put_index(self) -> None:
        """Ask a worker for the next batch, if there is one and somebody to ask."""
        most = self._prefetch_factor * self._num_workers
        if self._tasks_outstanding >= most:
            raise AssertionError("Number of outstanding tasks exceeded maximum allowed tasks")
        try:
            index = self._next_index()
        except StopIteration:
            return
        for worker_id in itertools.islice(self._worker_queue_idx_cycle, self._num_workers):
            if self._workers_status[worker_id] and (
                    self._in_order or self._workers_num_tasks[worker_id] < most // sum(self._workers_status)):
                break
        else:
            return
        with contextlib.suppress(*CONNECTION_LOST):  # who waits for the answer will be told
            self._channels[worker_id].post((self._send_idx, index))
        self._task_info[self._send_idx] = (worker_id,)
        self._workers_num_tasks[worker_id] += 1
        self._tasks_outstanding += 1
        self._send_idx += 1

    def _process_data(self, data: Any, worker_idx: int) -> Any:
        self._workers_num_tasks[worker_idx] -= 1
        self._try_put_index()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return data

    def _shutdown_workers(self) -> None:
        """Let the workers go: they end when their line is closed; those that do not are killed."""
        if self._shutdown or _utils.python_exit_status is not False or self._pid != os.getpid():
            return
        self._shutdown = True
        try:
            if self._board.wants:
                self.collect()
            for channel in self._channels:
                channel.close()
            deadline = time.monotonic() + _utils.MP_STATUS_CHECK_INTERVAL
            for worker in self._workers:
                worker.join(max(0, deadline - time.monotonic()))
        finally:
            signal_handling._remove_worker_pids(id(self))
            for end in ("terminate", "kill"):
                for worker in self._workers:
                    if worker.is_alive():
                        getattr(worker, end)()
                        worker.join(_utils.MP_STATUS_CHECK_INTERVAL)

    def __del__(self) -> None:
        self._shutdown_workers()

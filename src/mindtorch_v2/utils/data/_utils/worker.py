"""What a worker process does: it fetches the batches it is told to, until its loader is gone."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.exception_wrapper import ExceptionWrapper
from ....multiprocessing import _set_thread_name
from ....ops.random.generator import Generator, manual_seed
from ....record import workers
from ....record.recorder import leave_inherited
from ....threads import set_num_threads
from ..dataset import Dataset
from ..graph_settings import apply_random_seed
from .board import Board
from .channel import CONNECTION_LOST, Channel
from .fetch import _BaseDatasetFetcher, _DatasetKind

FETCH = "DataLoader.fetch"  # the row of a batch in a worker's profile
WORD_BITS = 32
STATE_WORDS = 4


@dataclass(frozen=True, slots=True)
class _RNG:
    """Generators of random numbers of a worker that is a thread."""

    random_generator: random.Random
    torch_generator: Generator
    numpy_generator: object | None = None


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What a worker knows of itself."""

    id: int
    num_workers: int
    seed: int
    dataset: Dataset
    rng: _RNG | None = None
    worker_method: str | None = "multiprocessing"


@dataclass(frozen=True)
class _IterableDatasetStopIteration:
    """A worker's stream has ended."""

    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    """Begin anew: told to a worker, and answered by it."""

    seed: int | None = None


class ManagerWatchdog:
    """Tells a worker whether the process that started it is still there: loaders of other libraries ask it."""

    def __init__(self):
        self.manager_pid, self.manager_dead = os.getppid(), False

    def is_alive(self) -> bool:
        self.manager_dead = self.manager_dead or os.getppid() != self.manager_pid
        return not self.manager_dead


_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What a worker process knows of itself; None outside of one."""
    return _worker_info


def _generate_state(base_seed: int, worker_id: int) -> list[int]:
    """A worker's seed for NumPy: words that have nothing to do with its seed for Python's random numbers."""
    entropy = [worker_id, base_seed % 2**WORD_BITS, base_seed >> WORD_BITS, 0]
    return np.random.SeedSequence(entropy).generate_state(STATE_WORDS).tolist()


@dataclass
class Task:
    """What all workers of an iterator have in common."""

    dataset: Dataset
    dataset_kind: int
    auto_collation: bool
    collate_fn: Callable
    drop_last: bool
    init_fn: Callable | None
    base_seed: int
    num_workers: int
    shared_seed: int | None  # of pipes that shuffle
    board: Board

    def create_fetcher(self, dataset: Dataset) -> _BaseDatasetFetcher:
        return _DatasetKind.create_fetcher(self.dataset_kind, dataset, self.auto_collation, self.collate_fn,
                                           self.drop_last)


def _worker_loop(task: Task, worker_id: int, channel: Channel) -> None:
    """Answer every ``(number, index)`` by ``(number, batch)``."""
    try:
        _set_thread_name("pt_data_worker")
        _seed(task.base_seed, worker_id)
        set_num_threads(1)
        leave_inherited()
        Worker(task, worker_id, channel).run()
    except (KeyboardInterrupt, *CONNECTION_LOST):
        pass  # the loader was interrupted too, or is gone


def worker_name(worker_id: int) -> str:
    """What profiles call a worker."""
    return f"DataLoader worker {worker_id}"


def _seed(base_seed: int, worker_id: int) -> None:
    random.seed(base_seed + worker_id)
    manual_seed(base_seed + worker_id)
    np.random.seed(_generate_state(base_seed, worker_id))


class Worker:
    """One process that fetches."""

    def __init__(self, task: Task, worker_id: int, channel: Channel):
        global _worker_info
        self.task, self.id, self.channel, self.board = task, worker_id, channel, task.board
        self.dataset, self.fetcher = task.dataset, None
        self.failure: ExceptionWrapper | None = None  # to be told instead of a batch
        self.ended = False  # the stream has
        self._seed_pipes(task.shared_seed)
        _worker_info = WorkerInfo(worker_id, task.num_workers, task.base_seed + worker_id, self.dataset)
        try:
            if task.init_fn is not None:
                task.init_fn(worker_id)
            self.fetcher = task.create_fetcher(self.dataset)
        except Exception:
            self.failure = self._caught()

    def _seed_pipes(self, shared_seed: int | None) -> None:
        if shared_seed is not None:
            self.dataset = apply_random_seed(self.dataset, Generator().manual_seed(shared_seed))

    def _caught(self) -> ExceptionWrapper:
        """The exception that is being handled, for the loader to raise."""
        return ExceptionWrapper(where=f"in DataLoader worker process {self.id}")

    def run(self) -> None:
        while True:
            request = self.channel.recv()
            if isinstance(request, _ResumeIteration):
                self.channel.send((request, None))
                self._resume(request)
            elif not self.ended:
                number, index = request
                self.board.begins(self.id, number)
                wants = self.board.wants
                batch = self._recorded(index, wants) if wants else self._batch(index)
                self.board.ends(self.id)
                self._answer(number, batch)
                del batch

    def _resume(self, request: _ResumeIteration) -> None:
        self.ended, self.failure = False, None
        try:
            self._seed_pipes(request.seed)
            self.fetcher = self.task.create_fetcher(self.dataset)
        except Exception:
            self.failure = self._caught()

    def _batch(self, index) -> Any:
        if self.failure is not None:
            return self.failure
        try:
            return self.fetcher.fetch(index)
        except StopIteration:
            if self.task.dataset_kind == _DatasetKind.Map:
                return self._caught()
            self.ended = True
            return _IterableDatasetStopIteration(self.id)
        except Exception:
            return self._caught()

    def _recorded(self, index, wants: int) -> Any:
        """The batch, and what fetching it was for those who profile the loader's process."""
        batch, recorded = workers.perform(self._batch, index, wants, worker_name(self.id), FETCH)
        if recorded is not None:
            self.channel.send_recorded(recorded)
        return batch

    def _answer(self, number: int, batch: Any) -> None:
        try:
            self.channel.send((number, batch))
        except CONNECTION_LOST:
            raise
        except Exception:  # it cannot be pickled
            self.channel.send((number, self._caught()))

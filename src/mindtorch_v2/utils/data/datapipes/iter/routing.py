"""One stream read by several pipes: each gets all items, or those that a function sends to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ..callables import warn_local
from ..datapipe import IterDataPipe, functional_datapipe
from ..named import describe

_STALE = ("This iterator has been invalidated, because a new iterator has been created from one of the ChildDataPipes "
          "of {main}.\nFor feedback regarding this single iterator per IterDataPipe constraint, feel free to comment "
          "on this issue: https://github.com/pytorch/data/issues/45.")


class _ChildDataPipe(IterDataPipe):
    """One of several pipes that read the same stream."""

    def __init__(self, main_datapipe: _Main, instance_id: int):
        self.main_datapipe = main_datapipe
        self.instance_id = instance_id

    def __iter__(self):
        return self.main_datapipe.items_of(self.instance_id)

    def __len__(self) -> int:
        return len(self.main_datapipe.main_datapipe)


class _Main(IterDataPipe):
    """Reads the stream as far as any child needs it, and keeps for each what it has not taken yet."""

    def __init__(self, datapipe: IterDataPipe, num_instances: int, buffer_size: int):
        self.main_datapipe = datapipe
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        self.begin()

    def begin(self) -> None:
        """A new pass over the stream, which no child has joined yet."""
        self.source = None
        self.waiting: list[deque] = [deque() for _ in range(self.num_instances)]
        self.started: set[int] = set()

    def items_of(self, child: int):
        """One child's pass; when a child begins anew, so must all."""
        if child in self.started:
            self.begin()
        self.started.add(child)
        return self._pass(child, self.waiting)

    def _pass(self, child: int, waiting: list[deque]):
        while True:
            if waiting is not self.waiting:
                raise RuntimeError(_STALE.format(main=describe(self)))
            if waiting[child]:
                yield waiting[child].popleft()
                continue
            if self.source is None:
                self.source = iter(self.main_datapipe)
            try:
                item = next(self.source)
            except StopIteration:
                return
            self.hand_out(item)
            if self.buffer_size >= 0 and sum(map(len, waiting)) > self.room():
                raise BufferError(self.overflow())

    def room(self) -> int:
        return self.buffer_size


class _ForkerIterDataPipe(_Main):
    """Every child gets every item."""

    def hand_out(self, item) -> None:
        for queue in self.waiting:
            queue.append(item)

    def room(self) -> int:
        return self.buffer_size * (self.num_instances - 1) + 1  # as far as the furthest may be ahead

    def overflow(self) -> str:
        return f"ForkerIterDataPipe buffer overflow,buffer size {self.buffer_size} is insufficient."


class _DemultiplexerIterDataPipe(_Main):
    """A function says which child gets an item."""

    def __init__(self, datapipe, num_instances, buffer_size, classifier_fn, drop_none):
        super().__init__(datapipe, num_instances, buffer_size)
        self.classifier_fn = classifier_fn
        self.drop_none = drop_none

    def hand_out(self, item) -> None:
        child = self.classifier_fn(item)
        if child is None and self.drop_none:
            return
        if child is None or not 0 <= child < self.num_instances:
            raise ValueError(f"Output of the classification fn should be between 0 and {self.num_instances - 1}. "
                             f"{child} is returned.")
        self.waiting[child].append(item)

    def overflow(self) -> str:
        return f"DemultiplexerIterDataPipe buffer overflow, buffer size {self.buffer_size} is insufficient."


def _check(num_instances: int, buffer_size: int) -> None:
    if num_instances < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")
    if buffer_size == 0:
        raise ValueError(f"Expected `buffer_size` larger than 0, but {buffer_size} is found")


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe):
    """Several pipes that each give all items of one."""

    def __new__(cls, datapipe: IterDataPipe, num_instances: int, buffer_size: int = 1000, copy: str | None = None):
        _check(num_instances, buffer_size)
        if num_instances == 1:
            return datapipe
        main = _ForkerIterDataPipe(datapipe, num_instances, buffer_size)
        return [_ChildDataPipe(main, i) for i in range(num_instances)]


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe):
    """Several pipes among which a function divides the items of one."""

    def __new__(cls, datapipe: IterDataPipe, num_instances: int, classifier_fn: Callable, drop_none: bool = False,
                buffer_size: int = 1000):
        _check(num_instances, buffer_size)
        warn_local(classifier_fn)
        main = _DemultiplexerIterDataPipe(datapipe, num_instances, buffer_size, classifier_fn, drop_none)
        return [_ChildDataPipe(main, i) for i in range(num_instances)]

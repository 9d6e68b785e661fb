"""What is under way between processes: each group has a thread that carries its collectives out, in their order."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
import weakref
from collections.abc import Callable
from datetime import timedelta

from ..core.tensor import Tensor
from ..futures import Future
from ..record.ranges import record_range

LONGEST_WAIT_S = 1.0  # for a collective under way, which may wait for a process that is gone


class Work:
    """What a call with ``async_op=True`` returns."""

    def __init__(self, result: list[Tensor], done: concurrent.futures.Future | None = None) -> None:
        self._result = result
        self._done = done or concurrent.futures.Future()
        if done is None:
            self._done.set_result(None)

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait until it is done; what it failed with is raised."""
        limit = timeout.total_seconds() if timeout is not None and timeout.total_seconds() > 0 else None
        if not concurrent.futures.wait([self._done], limit).done:
            raise RuntimeError("Operation timed out!")
        self._done.result()
        return True

    synchronize = wait

    def is_completed(self) -> bool:
        """Whether it is done, or failed."""
        return self._done.done()

    def is_success(self) -> bool:
        """Whether it is done and did not fail."""
        return self._done.done() and self._done.exception() is None

    def exception(self) -> BaseException | None:
        """What it failed with."""
        return self._done.exception() if self._done.done() else None

    def result(self) -> list[Tensor]:
        """The tensors that were written."""
        if not self.is_completed():
            raise RuntimeError("Work needs to be completed before calling result(). Should call wait() before "
                               "result().")
        return self._result

    def get_future(self) -> Future:
        """The same as a future."""
        future = Future()

        def settle(done: concurrent.futures.Future) -> None:
            error = done.exception()
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(self._result)

        self._done.add_done_callback(settle)
        return future


class Receiving(Work):
    """A tensor that is on its way: taken when somebody waits for it or asks whether it is here."""

    def __init__(self, result: list[Tensor], has_come: Callable[[], bool],
                 take: Callable[[timedelta | None], int]) -> None:
        super().__init__(result, concurrent.futures.Future())
        self._has_come, self._take, self._source = has_come, take, -1

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Wait until it is here."""
        if not self._done.done():
            self._source = self._take(timeout)
            self._done.set_result(None)
        return True

    def is_completed(self) -> bool:
        """Whether it is here."""
        if not self._done.done() and self._has_come():
            self.wait()
        return self._done.done()

    def source_rank(self) -> int:
        """Whose it was."""
        return self._source


class Worker:
    """The thread of a group; it starts with the first collective, and ends with the group."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        _workers.add(self)

    def close(self) -> None:
        """End the thread when it has done what it was given."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join(LONGEST_WAIT_S)
            self._thread = None

    def submit(self, name: str, function: Callable[[], None]) -> concurrent.futures.Future:
        """Have a function called after all before it, in a range of the profiler."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="pt_gloo_runloop", daemon=True)
            self._thread.start()
        done: concurrent.futures.Future = concurrent.futures.Future()
        self._waiting.put((name, function, done))
        return done

    def _run(self) -> None:
        while True:
            given = self._waiting.get()
            if given is None:
                return
            name, function, done = given
            try:
                with record_range(name):
                    function()
            except BaseException as error:  # whoever waits gets it
                done.set_exception(error)
            else:
                done.set_result(None)
            del given, function, done  # while it waits for the next, it keeps no tensors


_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


def end_workers() -> None:
    """End the threads of all groups."""
    for worker in list(_workers):
        worker.close()

"""A small device for tests: a worker thread is its queue, and its clock is hours off the host's and drifts."""

from __future__ import annotations

import queue
import threading
import time

from mindtorch_v2.record.device_activity import DeviceActivity

HOURS_OFF_NS = 5 * 3600 * 10**9
DRIFT = 1e-3  # its clock gains a millisecond in a second
STREAM = 7


class QueueDevice:
    """Work is launched and runs later, on the device's own thread; times are told by the device's own clock."""

    def __init__(self, name: str = "npu", index: int = 0, stream: int = STREAM):
        self.stream = stream
        self.ran_between: dict[int, tuple[int, int]] = {}  # what the host's clock said, by launch
        self._began_ns = time.monotonic_ns()
        self._queue: queue.Queue = queue.Queue()
        self._may_run = threading.Event()
        self._may_run.set()
        self.activity = DeviceActivity(name, index, synchronize=self.synchronize, clock_ns=self.clock_ns)
        self._thread = threading.Thread(target=self._run, name="queue", daemon=True)
        self._thread.start()

    def clock_ns(self) -> int:
        return self._on_device(time.monotonic_ns())

    def _on_device(self, host_ns: int) -> int:
        """What the device's clock says at a moment of the host's."""
        return host_ns + HOURS_OFF_NS + int((host_ns - self._began_ns) * DRIFT)

    def synchronize(self) -> None:
        """Wait until the queue is empty; work that was held is let go."""
        self._may_run.set()
        self._queue.join()

    def hold(self) -> None:
        """Run nothing until somebody waits."""
        self._may_run.clear()

    def launch(self, name: str, seconds: float = 0.002, kind: str = "kernel", nbytes: int = 0) -> int:
        """Put work on the queue; the number of the launch."""
        number = self.activity.launched(self.stream, name, kind)
        self._queue.put((number, seconds, nbytes))
        return number

    def close(self) -> None:
        self._may_run.set()
        self._queue.put(None)
        self._thread.join()
        self.activity.unregister()

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            number, seconds, nbytes = work
            self._may_run.wait()
            start_ns = time.monotonic_ns()
            time.sleep(seconds)
            end_ns = time.monotonic_ns()
            self.ran_between[number] = start_ns, end_ns
            if number:
                self.activity.ran(number, self._on_device(start_ns), self._on_device(end_ns), nbytes)
            self._queue.task_done()
        self._queue.task_done()

"""A device with a queue of its own: ops launch kernels that run later on its thread, and a profile shows both."""

from __future__ import annotations

import math
import queue
import threading
import time
import weakref

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import device as core_device
from mindtorch_v2.core.device import device
from mindtorch_v2.core.storage import place
from mindtorch_v2.devices.backend import Backend, register
from mindtorch_v2.devices.cpu.kernels import KERNELS
from mindtorch_v2.devices.kernel import arrays_of
from mindtorch_v2.profiler import ProfilerActivity, profile
from mindtorch_v2.record.device_activity import DeviceActivity

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]
HOURS_OFF_NS = 3 * 3600 * 10**9
STREAM = 3
NAME = "npu"


class Queued(Backend):
    """The CPU's kernels on a thread that takes them one by one; its clock is hours off the host's."""

    kernels = KERNELS

    def __init__(self):
        super().__init__(device(NAME, 0))
        self._work: queue.Queue = queue.Queue()
        self._may_run = threading.Event()
        self._may_run.set()
        self.activity = DeviceActivity(NAME, synchronize=self.synchronize, clock_ns=self.clock_ns)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def clock_ns(self) -> int:
        return time.monotonic_ns() + HOURS_OFF_NS

    def close(self) -> None:
        """End the thread: others' profiles would show it."""
        self.synchronize()
        self._work.put(None)
        self._thread.join()
        self.activity.unregister()

    def hold(self) -> None:
        """Run nothing until somebody waits."""
        self._may_run.clear()

    def synchronize(self) -> None:
        self._may_run.set()
        self._work.join()

    def allocate(self, shape, dtype):
        array = np.empty(math.prod(shape), dtype.numpy).reshape(shape)
        address = array.__array_interface__["data"][0]
        self.activity.allocated(address, array.nbytes)
        weakref.finalize(array, self.activity.released, address, array.nbytes)
        return array, place(array, array.nbytes, self.number)

    def run(self, name, args, out=None) -> None:
        into = {} if out is None else {"out": out._mt_array}
        self._launch(name, "kernel", 0, self.kernel(name), arrays_of(args), into)

    def ask(self, name, args):
        self.synchronize()
        return super().ask(name, args)

    def copy(self, into, source) -> None:
        arrays = [into._mt_array, source._mt_array]
        self._launch("copy", "memcpy", arrays[0].nbytes, KERNELS["copy"], arrays, {})
        self.synchronize()

    def _launch(self, name, kind, nbytes, kernel, arrays, into) -> None:
        self._work.put((self.activity.launched(STREAM, name, kind), nbytes, kernel, arrays, into))

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            launch, nbytes, kernel, arrays, into = work
            self._may_run.wait()
            start_ns = self.clock_ns()
            kernel(*arrays, **into)
            if launch:
                self.activity.ran(launch, start_ns, self.clock_ns(), nbytes)
            del work, arrays, into
            self._work.task_done()


@pytest.fixture(scope="module")
def queued() -> Queued:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core_device, "_own_name", NAME)  # what rename_privateuse1_backend() does once for a process
        backend = register(Queued())
        yield backend
        backend.close()


def test_an_op_returns_before_its_kernel_has_run(queued):
    x = torch.ones(4).to(queued.place)
    queued.hold()
    result = x * 3
    assert result.shape == (4,)
    assert result.cpu().tolist() == [3.0] * 4  # the copy waits for the queue


def test_values_are_read_after_the_queue_is_empty(queued):
    x = torch.ones((), device=queued.place)
    queued.hold()
    assert (x + 4).item() == 5.0


def test_a_kernel_is_credited_to_the_op_that_launched_it(queued):
    x = torch.ones(4).to(queued.place)
    with profile(activities=BOTH) as prof:
        queued.hold()
        x * 3
    op = next(event for event in prof.events() if event.name == "aten::mul")
    assert [kernel.name for kernel in op.kernels] == ["mul"]
    assert op.device_time_total == pytest.approx(op.kernels[0].duration)


def test_a_training_step_runs_on_the_queue_and_shows_there(queued):
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2).to(queued.place)
    x = torch.randn(5, 3).to(queued.place)
    with profile(activities=BOTH, profile_memory=True) as prof:
        model(x).sum().backward()
    assert model.weight.grad.device == queued.place
    assert {"product", "fill"} <= {kernel.name for event in prof.events() for kernel in event.kernels}
    expected = torch.nn.Linear(3, 2)
    expected.load_state_dict({name: value.cpu() for name, value in model.state_dict().items()})
    expected(x.cpu()).sum().backward()
    assert torch.allclose(model.weight.grad.cpu(), expected.weight.grad)


def test_memory_of_the_device_is_counted_on_it(queued):
    with profile(activities=BOTH, profile_memory=True) as prof:
        torch.empty(1000, device=queued.place)
    assert sum(event.device_memory_usage for event in prof.events()) == 0
    assert any(event.device_memory_usage == 4000 for event in prof.events())

"""A device with a queue of its own: ops launch kernels that run later on its thread, and a profile shows both."""

from __future__ import annotations

import json
import math
import queue
import threading
import time
import weakref
from collections import Counter

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import device as core_device
from mindtorch_v2.core.device import device
from mindtorch_v2.core.storage import place
from mindtorch_v2.devices.backend import Backend, register
from mindtorch_v2.devices.cpu.kernels import KERNELS
from mindtorch_v2.devices.kernel import arrays_of
from mindtorch_v2.profiler import ProfilerActivity, load, profile
from mindtorch_v2.profiler.memory.keys import TensorKey
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


def training(place):
    """Two steps of a small network on a device."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Linear(5, 2)).to(place)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x, y = torch.ones(4, 3).to(place), torch.zeros(4, 2).to(place)

    def run():
        for _ in range(2):
            optimizer.zero_grad()
            ((model(x) - y) ** 2).mean().backward()
            optimizer.step()

    return run


def memory_profiled(run):
    with profile(activities=BOTH, record_shapes=True, profile_memory=True, with_stack=True) as prof:
        run()
    return prof


def entries_of(prof, place) -> Counter:
    """What happened to memory of a device, by category; what a step drops may be dropped later on a queue."""
    known, entries = prof._memory_profile(), Counter()
    for _, action, (key, version), nbytes in known.timeline:
        if key.device == place and isinstance(key, TensorKey):
            category = known._categories.get(key, version).name.replace("TEMPORARY", "AUTOGRAD_DETAIL")
            entries[action.name, category, nbytes] += 1
    return entries


def test_memory_of_the_device_has_the_categories_that_it_would_have_on_the_cpu(queued):
    on_device, on_cpu = (memory_profiled(training(place)) for place in (queued.place, device("cpu")))
    of_device, of_cpu = entries_of(on_device, queued.place), entries_of(on_cpu, device("cpu"))
    by_category = Counter()
    for (action, category, nbytes), n in of_device.items():
        by_category[category] += n
        assert of_cpu[action, category, nbytes] == n
    assert {"PARAMETER", "GRADIENT", "OPTIMIZER_STATE", "ACTIVATION", "INPUT", "AUTOGRAD_DETAIL"} <= set(by_category)
    assert not {key.device for _, _, (key, _), _ in on_cpu._memory_profile().timeline} - {device("cpu")}


@pytest.mark.filterwarnings("ignore:`export_memory_timeline`:FutureWarning")
def test_the_memory_timeline_of_the_device_is_its_own_and_the_same_when_loaded(queued, tmp_path):
    prof = memory_profiled(training(queued.place))
    prof.save(tmp_path / "saved.mtprof")
    written = {}
    for label, one in (("live", prof), ("loaded", load(tmp_path / "saved.mtprof"))):
        for name, where in (("cpu", "cpu"), ("device", f"{NAME}:0"), ("asked for", None), ("other", f"{NAME}:1")):
            one.export_memory_timeline(str(tmp_path / "timeline.json"), where)
            written[label, name] = json.loads((tmp_path / "timeline.json").read_text())
    for name in ("cpu", "device", "asked for", "other"):
        assert written["live", name] == written["loaded", name]
    assert written["live", "device"] == written["live", "asked for"] and written["live", "other"] == [[], []]
    names = ["PARAMETER", "OPTIMIZER_STATE", "INPUT", "TEMPORARY", "ACTIVATION", "GRADIENT", "AUTOGRAD_DETAIL"]
    last = dict(zip(names, written["live", "device"][1][-1][1:]))
    assert last | {"PARAMETER": 128, "OPTIMIZER_STATE": 128, "INPUT": 80, "ACTIVATION": 0, "GRADIENT": 128} == last
    assert written["live", "cpu"][1][-1][1:3] == [0, 0]


def test_the_event_tree_shows_what_ops_launch_and_where_their_tensors_are(queued):
    with profile(activities=BOTH, record_shapes=True, profile_memory=True) as prof:
        x = torch.ones(3, device=queued.place)
        x * x
    op = next(node for node in prof.profiler.kineto_results.experimental_event_tree() if node.name == "aten::mul")
    assert [(node.name, node.tag.name) for node in op.children] == [("[memory]", "Allocation"),
                                                                    (f"{NAME}LaunchKernel", "Kineto")]
    memory, launch = op.children
    assert memory.extra_fields.device == queued.place and memory.extra_fields.alloc_size == 12
    assert [node.name for node in launch.children] == ["mul"]
    assert [tensor.device for tensor in op.extra_fields.inputs] == [queued.place] * 2
    assert op.extra_fields.inputs[0].storage_data_ptr == x._mt_storage.address


def test_memory_of_the_device_is_counted_on_it(queued):
    with profile(activities=BOTH, profile_memory=True) as prof:
        torch.empty(1000, device=queued.place)
    assert sum(event.device_memory_usage for event in prof.events()) == 0
    assert any(event.device_memory_usage == 4000 for event in prof.events())

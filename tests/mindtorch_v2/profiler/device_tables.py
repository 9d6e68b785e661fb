"""Events with work on a device, built by hand the same way from torch's classes and from ours, and what they answer.

Used by tools/record_device_tables.py, which asks PyTorch, and by the tests.
"""

from __future__ import annotations

import warnings

# name, thread, start and end in us, kernels as (name, device, us); indented by time.
CALLS = [
    (1, "step", 1, 0.0, 900.0, []),
    (2, "aten::mm", 1, 10.0, 60.0, [("gemm", 0, 1500.5)]),
    (3, "aten::add", 1, 100.0, 300.0, [("elementwise", 0, 20.25), ("elementwise", 1, 30.0)]),
    (4, "aten::empty", 1, 110.0, 130.0, []),
    (5, "aten::copy_", 1, 140.0, 250.0, [("Memcpy HtoD", 0, 4000.0)]),
    (6, "aten::mm", 2, 20.0, 50.0, [("gemm", 0, 2.0e6)]),
]
# id, name, device index, stream, start and end in us, category
ACTIVITIES = [
    (11, "gemm", 0, 7, 70.0, 1570.5, "kernel"),
    (12, "elementwise", 0, 7, 1600.0, 1620.25, "kernel"),
    (13, "elementwise", 1, 7, 310.0, 340.0, "kernel"),
    (14, "Memcpy HtoD", 0, 13, 300.0, 4300.0, "gpu_memcpy"),
    (15, "gemm", 0, 7, 5000.0, 2005000.0, "kernel"),
]
MEMORY = {"aten::empty": 4096, "aten::add": 1 << 20, "step": (1 << 20) + 4096}
SORTS = ("self_device_time_total", "device_time_total", "cuda_time_total", "self_cuda_time_total", "cuda_time",
         "privateuse1_time_total", "self_device_memory_usage", "cuda_memory_usage", "cpu_time_total")
FIELDS = ("key", "count", "cpu_time_total", "self_cpu_time_total", "device_time", "device_time_total",
          "self_device_time_total", "device_memory_usage", "self_device_memory_usage", "device_time_str",
          "device_time_total_str", "self_device_time_total_str")
OLD_NAMES = ("cuda_time", "cuda_time_total", "self_cuda_time_total", "self_cuda_memory_usage")


def events(util, device_type, use_device: str | None, memory: bool = False, with_activities: bool = True):
    """An EventList of these calls and activities."""
    made = []
    for number, name, thread, start, end, kernels in CALLS:
        event = util.FunctionEvent(number, name, thread, start, end, use_device=use_device, input_shapes=[], stack=[],
                                   overload_name="", device_memory_usage=MEMORY.get(name, 0) if memory else 0)
        for kernel in kernels:
            event.append_kernel(*kernel)
        made.append(event)
    for number, name, index, stream, start, end, kind in ACTIVITIES if with_activities else ():
        made.append(util.FunctionEvent(number, name, 1, start, end, use_device=use_device, input_shapes=[], stack=[],
                                       overload_name="", device_type=device_type, device_index=index,
                                       device_resource_id=stream, activity_type=kind))
    listed = util.EventList(sorted(made, key=lambda e: (e.time_range.start, -e.time_range.end)), use_device=use_device,
                            profile_memory=memory)
    listed._build_tree()
    return listed


def answers(util, kinds) -> dict:
    """Texts, fields and errors, by what was asked."""
    own, cuda = kinds.PrivateUse1, kinds.CUDA
    asked = {}
    for label, kind, device in (("npu", own, "npu"), ("cuda", cuda, "cuda"), ("privateuseone", own, "privateuseone")):
        for memory in (False, True):
            listed = events(util, kind, device, memory)
            for sort_by in (None, *SORTS):
                asked[f"{label} events {memory} {sort_by}"] = _outcome(lambda s=sort_by, e=listed: e.table(sort_by=s))
                asked[f"{label} averages {memory} {sort_by}"] = _outcome(
                    lambda s=sort_by, e=listed: e.key_averages().table(sort_by=s))
            asked[f"{label} top level {memory}"] = _outcome(lambda e=listed: e.table(top_level_events_only=True))
            asked[f"{label} in ms {memory}"] = _outcome(lambda e=listed: e.table(time_unit="ms", row_limit=3))
            asked[f"{label} fields {memory}"] = _outcome(lambda e=listed: _fields(e))
            asked[f"{label} fields of averages {memory}"] = _outcome(lambda e=listed: _fields(e.key_averages()))
            asked[f"{label} total {memory}"] = _outcome(lambda e=listed: _fields([e.total_average()]))
    asked["old names"] = _outcome(lambda: _old_names(events(util, own, "npu")[0]))
    asked["without activities"] = _outcome(lambda: events(util, own, "npu", False, False).table())
    asked["without a device"] = _outcome(lambda: events(util, own, None).table())
    asked["a kind that does no work"] = _outcome(lambda: events(util, kinds.Vulkan, "npu").table())
    asked["memory without a device"] = _outcome(lambda: events(util, own, None, True, False).table())
    return asked


def _fields(rows) -> list:
    return [[getattr(row, name) for name in FIELDS] for row in rows]


def _old_names(event) -> list:
    told = []
    for name in OLD_NAMES:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            told.append([name, getattr(event, name), [f"{w.category.__name__}: {w.message}" for w in caught]])
    return told


def _outcome(ask):
    try:
        return ask()
    except Exception as error:
        return f"{type(error).__name__}: {error}"

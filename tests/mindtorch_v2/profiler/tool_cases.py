"""What torch's profiling tools say of hand-made events; ``tools`` gives either torch's modules or ours."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from types import SimpleNamespace


def event(name: str, start_us: int, duration_us: int, *children):
    made = SimpleNamespace(name=name, start_time_ns=start_us * 1000, duration_time_ns=duration_us * 1000,
                           end_time_ns=(start_us + duration_us) * 1000, children=list(children), id=name, parent=None)
    for child in children:
        child.parent = made
    return made


class Raw:
    """A raw event of a device or of the runtime that drives it."""

    def __init__(self, name: str, start_us: int, duration_us: int, link: int, device):
        self.name = name
        self.start_ns, self.duration_ns = lambda: start_us * 1000, lambda: duration_us * 1000
        self.end_ns = lambda: (start_us + duration_us) * 1000
        self.device_type, self.linked_correlation_id = lambda: device, lambda: link


def evaluated(tools, tree: list, raw: list, length: int) -> list:
    """Depths, metrics and ranking of a made-up profile."""
    results = SimpleNamespace(experimental_event_tree=lambda: tree, events=lambda: raw)
    found = tools.utils.BasicEvaluation(SimpleNamespace(kineto_results=results))
    printed = StringIO()
    with redirect_stdout(printed):
        found.get_optimizable_events(length)
    return [[[i.start, i.end, i.queue_depth] for i in found.queue_depth_list],
            {key.event.name: [m.duration_time_ns, m.self_time_ns, m.idle_time_ns, m.queue_depth]
             for key, m in found.metrics.items()},
            [str(key) for key in found.rank_events(length)], printed.getvalue()]


def evaluation(tools) -> list:
    cpu, gpu = tools.DeviceType.CPU, tools.DeviceType.CUDA
    launches = [Raw("cudaLaunchKernel", 400 + 100 * i, 100, i + 1, cpu) for i in range(5)]
    launches.append(Raw("cudaLaunchKernel", 1500, 100, 6, cpu))
    kernels = [Raw("GPU", 900 + 100 * i, 100, i + 1, gpu) for i in range(5)] + [Raw("GPU", 1700, 100, 6, gpu)]
    tree = [event("before", 1, 100), event("a.py(3): f", 400, 500, event("inner", 450, 100)), event("gap", 900, 500),
            event("late", 1400, 400)]
    cases = ([], launches + kernels, launches + kernels[:3], kernels, launches)
    return [evaluated(tools, tree, raw, 3) for raw in cases] + [evaluated(tools, [], [], 1)]


def searches(tools) -> list:
    u = tools.utils
    tree = [event("a", 0, 9, event("b", 1, 2, event("c", 1, 1)), event("d", 4, 1)), event("e", 10, 1)]
    names = ["nn.Module: L_0", "<built-in x>", "foo.py(3): g", "a.pyc(3): g", "t.py(1): <lambda>"]
    overlaps = [[(0, 15)], [(0, 15), (12, 25)], [(5, 50)], [(20, 22), (12, 14)], [(40, 50)], []]
    key = u.EventKey(SimpleNamespace(name="x", id=1, start_time_ns=10, end_time_ns=30, duration_time_ns=20))
    return [[e.name for e in u.traverse_dfs(tree)], [e.name for e in u.traverse_bfs(tree)],
            [e.name for e in u.traverse_dfs(tree, children_fn=lambda e: e.children[:1])],
            [u.source_code_location(event(name, 0, 1)) for name in names],
            u.source_code_location(event("x.py(1): f", 0, 2, event("inner", 0, 1)).children[0]),
            [u.argmax([3, 9, 2, 9]), u.argmax([3, 9, 2], key=lambda v: -v), u.argmax([3, 9, 2], start=2), u.argmax([]),
             u.argmax([1, 2, 3], end=2)],
            [u.index_of_first_match([3, 9, 2], lambda v: v > 4), u.index_of_first_match([3], lambda v: v > 4),
             u.index_of_first_match([5, 9, 2], lambda v: v > 4, start=1),
             u.index_of_first_match([1, 9, 2], lambda v: v > 4, end=1)],
            [key.intervals_overlap([u.Interval(*pair) for pair in pairs]) for pairs in overlaps],
            u.EventMetrics(10, 5, 2, 1).fraction_idle_time, u.EventMetrics().fraction_idle_time]


def keys(tools) -> list:
    """Keys of tensors and the dict of categories."""
    m, cpu = tools.memory, tools.cpu
    a, b, c = (m.TensorKey(cpu, i, m._Storage(ptr, allocation)) for i, ptr, allocation in
               ((1, 0x10, 5), (1, 0x20, 6), (2, 0x10, 7)))
    known = m.CategoryDict()
    told = []

    def tell():
        told.append([str(known.get(key, version)) for key in (a, b, c) for version in (0, 1)])

    known.set_by_version(a, 0, m.Category.INPUT)
    known.setdefault_by_version(a, 0, m.Category.GRADIENT)
    tell()
    known.set_by_key(a, m.Category.TEMPORARY)
    known.setdefault_by_version(c, 1, m.Category.ACTIVATION)
    tell()
    known.set_by_id(b, m.Category.PARAMETER)
    known.set_by_version(b, 0, m.Category.ACTIVATION)
    tell()
    return [str(a), str(c), a < b, b < c, c < a, list(a._as_sortable), a == m.TensorKey(cpu, 1, m._Storage(0x99, 5)),
            m._Storage(1, 5) == m._Storage(2, 5), str(m.TensorKey._make(None, 1, 2, cpu)),
            str(m.TensorKey._make(0, None, 2, cpu)), str(m.TensorKey._make(0, 3, 0, cpu)),
            str(known.get(m.Key(cpu), 0)), told]


def _slice(category: str, name: str, ts: float, dur: float = 1, **args) -> dict:
    return {"ph": "X", "cat": category, "name": name, "ts": ts, "dur": dur, "args": args}


def rules(tools) -> list:
    v = tools.validator
    node, waits = "autograd::engine::evaluate_function: ", "wait_on_cuda_event_record_corr_id"
    wait = {"cuda_sync_kind": "Stream Wait Event", "stream": 3}
    waiting = _slice("cuda_sync", "s", 10, **wait, **{waits: 5})
    sync = _slice("cuda_sync", "s", 10, 10, stream=7, device=0, cuda_sync_kind="Stream Sync")
    traces = [
        [_slice("cpu_op", node + "A", 1, **{"Sequence number": 3}), _slice("cpu_op", node + "B", 2, seq_num=3)],
        [_slice("cpu_op", node + "A", 1, **{"Sequence number": 3}), _slice("cpu_op", "A", 2, **{"Sequence number": 3}),
         _slice("cpu_op", node + "A", 2, **{"Sequence number": 3})],
        [_slice("cuda_runtime", "cudaLaunchKernel", 10, correlation=3, **{"External id": 1}),
         _slice("kernel", "k", 8, correlation=3, **{"External id": 1})],
        [_slice("cuda_runtime", "cudaLaunchKernel", 10, correlation=3, **{"External id": 1}),
         _slice("kernel", "k", 12, correlation=3, **{"External id": 1})],
        [_slice("cpu_op", "record_param_comms", 1)], [_slice("cpu_op", "record_param_comms", 1, dtype="float")],
        [_slice("cuda_sync", "s", 10, **wait)], [_slice("cuda_sync", "s", 10, **wait, **{waits: -1})],
        *([waiting, *recorded] for recorded in (
            [], [_slice("cuda_runtime", "cudaEventRecord", 20, correlation=5)],
            [_slice("cuda_runtime", "cudaEventRecord", 2, correlation=5)])),
        *([sync, _slice("kernel", "k", start, dur, stream=7, device=0)] for start, dur in
          ((15, 10), (5, 3), (5, 10), (5, 25), (9, 1.5), (10, 5))),
        [sync, _slice("kernel", "k", 5, 10, stream=8, device=0)], []]
    return [[str(violation) for rule in v._RULES for violation in rule(trace)] for trace in traces]


CASES = {"evaluation": evaluation, "searches": searches, "keys": keys, "rules": rules}

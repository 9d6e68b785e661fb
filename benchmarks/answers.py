"""What it takes to stop, and to be answered: averages, events, tables, files.

Times per event are of the first question after ``stop()``, so that everything worked out on the way is counted.
PyTorch is asked about fewer events than we are where a million would take it minutes; per event the two compare.
"""

from __future__ import annotations

import os
import tempfile
import time

from ops import profiled, small, two_calls
from training import mlp_step

OPS, MILLION, TEN_MILLION = 100_000, 1_000_000, 10_000_000
STEPS, FEWER_STEPS = 1000, 60  # of training
FEWER = 20_000  # as many of PyTorch's, where it takes 50 to 200 microseconds an event


def recorded(torch, count: int, run=None, **wishes):
    """A profile of that many calls, stopped."""
    profile = started(torch, count, run, **wishes)
    profile.stop()
    return profile


def started(torch, count: int, run=None, **wishes):
    x = small(torch)
    profile = profiled(torch, **wishes)()
    profile.start()
    if run is None:
        for _ in range(count):
            x + x  # noqa: B018
    else:
        for _ in range(count):
            run()
    return profile


def many(torch, ours: int) -> int:
    return FEWER if torch.__name__ == "torch" else ours


def seconds(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def per_event(run, profile, count: int | None = None) -> float:
    """Nanoseconds per event; the events are counted afterwards, because counting answers half of the question."""
    took = seconds(run)
    return took / (count or len(profile.events())) * 1e9


def stop(torch, count: int = OPS) -> float:
    return seconds(started(torch, count).stop) * 1e6


def stop_growth(torch) -> float:
    few = min(second_stop(torch, OPS) for _ in range(5))
    return min(second_stop(torch, MILLION) for _ in range(3)) / few


def second_stop(torch, count: int) -> float:
    """Just after another profile's: a million rows drive the code of stop() out of the processor's caches, and fetching
    it again takes three times as long as all that it does, however much was recorded."""
    profile = started(torch, count)
    recorded(torch, 1)
    return seconds(profile.stop)


def averages(torch, count: int = OPS) -> float:
    profile = recorded(torch, count)
    return per_event(profile.key_averages, profile, count)


def averages_growth(torch) -> float:
    few = min(averages(torch) for _ in range(5))
    return averages(torch, TEN_MILLION) / few


def averages_by_shape(torch) -> float:
    profile = recorded(torch, many(torch, OPS), record_shapes=True)
    return per_event(lambda: profile.key_averages(group_by_input_shape=True), profile)


def with_stacks(torch, count: int):
    """PyTorch gives events their stacks only when asked to be verbose."""
    config = torch.profiler._ExperimentalConfig(verbose=True)
    return recorded(torch, count, two_calls(small(torch)), with_stack=True, experimental_config=config)


def averages_by_stack(torch) -> float:
    """Per op: PyTorch's events include the Python calls, ours do not."""
    count = many(torch, OPS)
    profile = with_stacks(torch, count)
    return per_event(lambda: profile.key_averages(group_by_stack_n=5), profile, count)


def events_made(torch) -> float:
    profile = recorded(torch, many(torch, MILLION))
    return per_event(lambda: len(profile.events()), profile)


def event_indexed(torch, count: int = MILLION) -> float:
    """Once the events are there: the fastest of many single questions, each for another event."""
    events = recorded(torch, min(count, many(torch, count))).events()
    length = len(events)
    events[0].name  # noqa: B018
    took = []
    for i in range(1000):
        at = length * i // 1000
        start = time.perf_counter_ns()
        len(events), events[at]
        took.append(time.perf_counter_ns() - start)
    return sorted(took)[len(took) // 2]


def event_indexed_growth(torch) -> float:
    return event_indexed(torch) / event_indexed(torch, 1000)


def events_iterated(torch) -> float:
    profile = recorded(torch, many(torch, OPS))
    return per_event(lambda: sum(e.cpu_time_total for e in profile.events() if e.name), profile)


def averages_table(torch) -> float:
    profile = recorded(torch, many(torch, MILLION))
    return per_event(lambda: profile.key_averages().table(sort_by="self_cpu_time_total"), profile)


def events_table(torch) -> float:
    profile = recorded(torch, many(torch, MILLION))
    return per_event(lambda: profile.events().table(sort_by="self_cpu_time_total"), profile)


def stacks(torch) -> float:
    count = many(torch, MILLION)
    profile = with_stacks(torch, count)
    return written(profile, count, "stacks.txt", lambda path: profile.export_stacks(path, "self_cpu_time_total"))


def trace(torch) -> float:
    profile = recorded(torch, OPS)
    return written(profile, OPS, "trace.json", profile.export_chrome_trace)


def trace_full(torch) -> float:
    profile = recorded(torch, OPS, record_shapes=True, profile_memory=True)
    return written(profile, OPS, "trace.json", profile.export_chrome_trace)


def trace_packed(torch) -> float:
    profile = recorded(torch, OPS)
    return written(profile, OPS, "trace.json.gz", profile.export_chrome_trace)


def memory_timeline(torch, steps: int | None = None) -> float:
    """Per op of training; PyTorch's and our events differ in what they count, so ops are counted without the rest."""
    profile, count = trained(torch, steps or (FEWER_STEPS if torch.__name__ == "torch" else STEPS))
    return written(profile, count, "memory.json", lambda path: profile.export_memory_timeline(path, device="cpu"))


def memory_timeline_growth(torch) -> float:
    few = min(memory_timeline(torch) for _ in range(3))
    return memory_timeline(torch, 10 * STEPS) / few


def trained(torch, steps: int):
    """A profile of that many training steps that knows all about their memory, and the number of ops in it."""
    step = mlp_step(torch)
    step()
    ops_per_step = len(recorded(torch, 1, step).events())
    return recorded(torch, steps, step, record_shapes=True, profile_memory=True, with_stack=True), steps * ops_per_step


def written(profile, count: int, name: str, export) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return per_event(lambda: export(os.path.join(folder, name)), profile, count)

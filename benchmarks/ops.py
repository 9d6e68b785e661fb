"""What single calls cost: unprofiled, and more of it while somebody records."""

from __future__ import annotations

import subprocess
import sys
import timeit
from contextlib import nullcontext

NUMBER, REPEAT = 20_000, 5


def best_ns(run, number: int = NUMBER, context=nullcontext) -> float:
    """The shortest time of one call, each timing inside a context of its own."""
    found = []
    for _ in range(REPEAT):
        with context():
            timeit.timeit(run, number=number // 10)
            found.append(timeit.timeit(run, number=number) / number * 1e9)
    return min(found)


def profiled(torch, **wishes):
    """A maker of profiles that record the processor only."""
    profiler = torch.profiler
    return lambda: profiler.profile(activities=[profiler.ProfilerActivity.CPU], **wishes)


def importing(torch) -> float:
    """Milliseconds, in a process of its own; starting Python is not counted."""
    program = f"import time; t = time.perf_counter(); import {torch.__name__}; print(time.perf_counter() - t)"
    times = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
             for _ in range(REPEAT)]
    return min(map(float, times)) * 1000


def small(torch, requires_grad: bool = False):
    return torch.ones(4, 4, requires_grad=requires_grad)


def add(torch) -> float:
    x = small(torch)
    return best_ns(lambda: x + x)


def add_requires_grad(torch) -> float:
    x = small(torch, True)
    return best_ns(lambda: x + x)


def add_number(torch) -> float:
    x = small(torch)
    return best_ns(lambda: x + 1)


def linear(torch) -> float:
    x, w, b = torch.ones(16, 32), torch.ones(24, 32), torch.ones(24)
    call = torch.nn.functional.linear
    return best_ns(lambda: call(x, w, b))


def added(torch, run, **wishes) -> float:
    """What recording adds to a call: the difference of two best times, taken side by side."""
    return best_ns(run, context=profiled(torch, **wishes)) - best_ns(run)


def added_plain(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x)


def added_shapes(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, record_shapes=True)


def added_memory(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, profile_memory=True)


def added_stack(torch) -> float:
    return added(torch, two_calls(small(torch)), with_stack=True)


def two_calls(x):
    """An addition below two Python functions."""
    def inner():
        return x + x

    def outer():
        return inner()

    return outer


def named_range(torch):
    record_function = torch.profiler.record_function

    def run():
        with record_function("range"):
            pass

    return run


def range_unheard(torch) -> float:
    return best_ns(named_range(torch))


def range_recorded(torch) -> float:
    return best_ns(named_range(torch), context=profiled(torch))

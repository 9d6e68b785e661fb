"""What single calls cost: unprofiled, and more of it while somebody records."""

from __future__ import annotations

import os
import subprocess
import sys
import timeit
from contextlib import nullcontext

NUMBER, REPEAT = 20_000, 12


def best_ns(run, number: int = NUMBER, *contexts) -> list[float]:
    """The shortest time of one call in each of the contexts, which take turns."""
    found = [[] for _ in contexts]
    for _ in range(REPEAT):
        for context, times in zip(contexts, found):
            with context():
                timeit.timeit(run, number=number // 10)
                times.append(timeit.timeit(run, number=number) / number * 1e9)
    return [min(times) for times in found]


def unprofiled_ns(run, number: int = NUMBER) -> float:
    return best_ns(run, number, nullcontext)[0]


def profiled(torch, **wishes):
    """A maker of profiles that record the processor only."""
    profiler = torch.profiler
    return lambda: profiler.profile(activities=[profiler.ProfilerActivity.CPU], **wishes)


def importing(torch, *rooms: str) -> float:
    """Milliseconds, in a process of its own; starting Python is not counted."""
    what = ", ".join([torch.__name__, *(f"{torch.__name__}.{room}" for room in rooms)])
    program = f"import time; t = time.perf_counter(); import {what}; print(time.perf_counter() - t)"
    keeping_bytecode = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as an installed package has it
    times = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                            env=keeping_bytecode).stdout for _ in range(REPEAT)]
    return min(map(float, times)) * 1000


def importing_all(torch) -> float:
    """The same with the rooms that PyTorch loads at once, and we when they are asked for."""
    return importing(torch, "nn", "optim", "profiler", "utils.data")


def small(torch, requires_grad: bool = False):
    return torch.ones(4, 4, requires_grad=requires_grad)


def add(torch) -> float:
    x = small(torch)
    return unprofiled_ns(lambda: x + x)


def add_requires_grad(torch) -> float:
    x = small(torch, True)
    return unprofiled_ns(lambda: x + x)


def add_number(torch) -> float:
    x = small(torch)
    return unprofiled_ns(lambda: x + 1)


def linear(torch) -> float:
    x, w, b = torch.ones(16, 32), torch.ones(24, 32), torch.ones(24)
    call = torch.nn.functional.linear
    return unprofiled_ns(lambda: call(x, w, b))


def added(torch, run, **wishes) -> float:
    """What recording adds to a call: the difference of two best times, taken in turns."""
    plain, recorded = best_ns(run, NUMBER, nullcontext, profiled(torch, **wishes))
    return recorded - plain


def added_plain(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x)


def added_shapes(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, record_shapes=True)


def added_memory(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, profile_memory=True)


def added_crash_safe(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, crash_safe=True)


def added_spilling(torch) -> float:
    x = small(torch)
    return added(torch, lambda: x + x, overflow="spill")


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
    return unprofiled_ns(named_range(torch))


def range_recorded(torch) -> float:
    return best_ns(named_range(torch), NUMBER, profiled(torch))[0]

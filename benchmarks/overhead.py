"""Whether prof.overhead() tells the truth: what it says recording cost, by what it is measured to cost."""

from __future__ import annotations

import time
from contextlib import nullcontext

from gpt import training_step as gpt_step
from ops import profiled, small
from training import mlp_step

ROUNDS = 40

KINDS = {"plain": {}, "shapes": {"record_shapes": True}, "memory": {"profile_memory": True},
         "stacks": {"with_stack": True}, "all": {"record_shapes": True, "profile_memory": True, "with_stack": True}}


def adding(torch):
    """A call of a small op."""
    x = small(torch)
    return lambda: x + x


def python_heavy(torch):
    """Two small ops among Python's own work: calls, loops, text and lists."""
    x = small(torch)

    def hashed(words: list[str]) -> int:
        total = 0
        for word in words:
            total = (total * 31 + len(word)) % 65521
        return total

    def run():
        words = [str(i).rjust(8) for i in range(20)]
        total = hashed(words) + sum(map(len, words))
        return (x + x) * x if total else None

    return run


def ratio(torch, run, number: int, kind: str) -> float:
    """Of one program and one kind of profile."""
    contexts, times = (nullcontext, profiled(torch, **KINDS[kind])), ([], [])
    for _ in range(ROUNDS):
        for context, taken in zip(contexts, times):
            with context() as prof:
                run()
                start_ns = time.thread_time_ns()
                for _ in range(number):
                    run()
                taken.append(time.thread_time_ns() - start_ns)
    plain_ns, recorded_ns = map(min, times)
    return prof.overhead().total_ns * number / (number + 1) / (recorded_ns - plain_ns)


def worst(torch, run, number: int, kinds=tuple(KINDS)) -> float:
    """The kind of profile for which it is furthest from 1, as a factor: too high and too low count the same."""
    ratios = [max(ratio(torch, run, number, kind), 1e-3) for kind in kinds]
    return max(max(r, 1 / r) for r in ratios)


def of_adding(torch) -> float:
    return worst(torch, adding(torch), 2000)


def of_mlp(torch) -> float:
    return worst(torch, mlp_step(torch), 10)


def of_gpt(torch) -> float:
    return worst(torch, gpt_step(torch), 2)


def of_python(torch) -> float:
    """With stacks: what its two ops cost more is too little to be measured."""
    return worst(torch, python_heavy(torch), 60, ("stacks", "all"))

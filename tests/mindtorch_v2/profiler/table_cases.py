"""Rows and table arguments whose text torch was asked for; used by tools/record_profiler.py and by the tests."""

from __future__ import annotations

import random


def row(key, count=1, cpu=1.0, own=None, **more):
    """The fields of one averaged row; whatever is not said is what torch shows for an ungrouped row."""
    fields = {"key": key, "count": count, "node_id": -1, "cpu_time_total": cpu, "input_shapes": "", "stack": [],
              "self_cpu_time_total": cpu if own is None else own, "overload_name": "", "cpu_memory_usage": 0,
              "self_cpu_memory_usage": 0, "flops": 0}
    return fields | more


PLAIN = [row("aten::mm", 3, 1500.5, 1000.25), row("aten::add", 10, 12.0), row("ProfilerStep*", 2, 4e6, 0.0004),
         row("autograd::engine::evaluate_function: MmBackward0", 2, 2e6, 3e5)]
MEMORY = [row("aten::empty", 4, 8.5, cpu_memory_usage=1536, self_cpu_memory_usage=1536),
          row("[memory]", 7, 0.0, cpu_memory_usage=-5 * 2**20, self_cpu_memory_usage=-5 * 2**20),
          row("aten::rand", 1, 99.9996, 3.0, cpu_memory_usage=3 * 2**40, self_cpu_memory_usage=-1)]
SHAPES = [row("aten::mm", 3, 1500.5, 1000.25, input_shapes=[[3, 4], [4, 5]]),
          row("aten::cat", 1, 2.0, input_shapes=[[], []]), row("a", 1, 2.0, input_shapes=[]),
          row("aten::stack", 1, 2.0, input_shapes=[[i, 1000000] for i in range(20)])]
OVERLOADS = [row("aten::add", 3, 15.5, overload_name="Tensor"), row("aten::add", 1, 2.0, overload_name="out"),
             row("aten::mm", 1, 2.0)]
STACKS = [row("aten::mm", 3, 1500.5, stack=["a.py(1): forward", "b.py(22): __call__", "c.py(3): <module>"]),
          row("aten::add", 3, 15.5, stack=["x" * 100]), row("aten::sub", 3, 15.5)]


def flops(*counts):
    return [row(f"op{i}", 1, 1.0, flops=n) for i, n in enumerate(counts)]


def names(*lengths):
    return [row("n" * n, 1, float(n)) for n in lengths]


# name of the case: rows, arguments of the list, arguments of table()
CASES = {
    "plain": (PLAIN, {}, {}),
    "empty": ([], {}, {}),
    "one nameless": ([row("", 0, 0.0)], {}, {}),
    "nothing took time": ([row("a", 1, 0.0), row("b", 1, 0.0)], {}, {}),
    "negative time": ([row("a", 1, -5.0), row("b", 1, 20.0)], {}, {}),
    "memory": (MEMORY, {"profile_memory": True}, {}),
    "memory not asked for": (MEMORY, {}, {}),
    "shapes": (SHAPES, {}, {}),
    "shapes narrow": (SHAPES, {}, {"max_shapes_column_width": 20}),
    "shapes very narrow": (SHAPES, {}, {"max_shapes_column_width": 5}),
    "shapes any width": (SHAPES, {}, {"max_shapes_column_width": None}),
    "overloads": (OVERLOADS, {}, {}),
    "overloads and shapes": ([r | {"input_shapes": [[2]]} for r in OVERLOADS], {"profile_memory": True}, {}),
    "node ids": ([r | {"node_id": 3} for r in PLAIN], {}, {}),
    "stacks": (STACKS, {}, {}),
    "stacks narrow": (STACKS, {}, {"max_src_column_width": 10}),
    "stacks any width": (STACKS, {}, {"max_src_column_width": None}),
    "stacks limited": (STACKS, {}, {"row_limit": 1}),
    "stacks and shapes": ([r | {"input_shapes": [[2]]} for r in STACKS], {"profile_memory": True}, {}),
    "flops": (flops(0, 1, 999), {"with_flops": True}, {}),
    "kflops": (flops(0, 1, 1000), {"with_flops": True}, {}),
    "kflops edge": (flops(0, 1, 999999), {"with_flops": True}, {}),
    "mflops": (flops(10**6, 123456), {"with_flops": True}, {}),
    "gflops": (flops(10**9, 5), {"with_flops": True}, {}),
    "tflops": (flops(10**13, 5), {"with_flops": True}, {}),
    "pflops": (flops(10**15 * 7, 5), {"with_flops": True}, {}),
    "exaflops": (flops(10**19, 5), {"with_flops": True}, {}),
    "flops beyond the last unit": (flops(10**19, 10**20), {"with_flops": True}, {}),
    "small flops outside the limit": (flops(10**9, 1), {"with_flops": True}, {"row_limit": 1}),
    "no flops": (flops(0, 0), {"with_flops": True}, {}),
    "flops outside the limit": (flops(1, 10**9), {"with_flops": True}, {"row_limit": 1}),
    "all": (SHAPES, {"with_flops": True, "profile_memory": True}, {}),
    "header": (PLAIN, {}, {"header": "What happened"}),
    "top level": (PLAIN, {}, {"top_level_events_only": True}),
    "header and top level": (PLAIN, {}, {"top_level_events_only": True, "header": "x" * 300}),
    **{f"row_limit {n}": (PLAIN, {}, {"row_limit": n}) for n in (-2, -1, 0, 1, 3, 4, 5)},
    **{f"sort_by {by}": (PLAIN, {}, {"sort_by": by})
       for by in ("count", "key", "cpu_time_total", "self_cpu_time_total", "cpu_time", "cpu_memory_usage", "flops",
                  "cuda_time_total", "self_cuda_time_total", "device_time", "cpu_time_str", "node_id", "")},
    **{f"time_unit {unit}": (PLAIN, {}, {"time_unit": unit}) for unit in ("s", "ms", "us", "ns", "h", "")},
    **{f"name width {w}": (names(1, 3, 10, 17, 18, 19, 20, 21, 22, 23, 24, 25), {}, {"max_name_column_width": w})
       for w in (None, 4, 10, 20, 21, 22, 100)},
    "name edges": (names(*range(48, 62)), {}, {}),
    "name edge below": (names(*range(30, 51)), {}, {}),
    "name edge at": (names(51), {}, {}),
    "overload edges": ([row("n" * n, overload_name="o" * n) for n in range(48, 60)], {}, {}),
    "long overload": ([row("short", overload_name="o" * 30)], {}, {}),
}


def drawn(n: int) -> dict:
    """Random tables, always the same ones."""
    rng = random.Random(3)
    made = {}
    for number in range(n):
        rows = []
        for _ in range(rng.randrange(1, 9)):
            own = 10 ** rng.uniform(-3, 8)
            rows.append(row("aten::" + "q" * rng.randrange(0, 60), rng.randrange(1, 10**rng.randrange(1, 8)),
                            own * rng.uniform(1, 5), own))
            rows[-1]["cpu_memory_usage"] = rng.randrange(-2**rng.randrange(1, 45), 2**rng.randrange(1, 45))
            rows[-1]["flops"] = rng.choice([0, rng.randrange(10**rng.randrange(1, 16))])
            if number % 3 == 0:
                rows[-1]["input_shapes"] = [[rng.randrange(100)] * rng.randrange(4) for _ in range(rng.randrange(9))]
            if number % 4 == 0:
                rows[-1]["overload_name"] = "o" * rng.randrange(9)
        made[f"drawn {number}"] = (rows, {"profile_memory": number % 2 == 0, "with_flops": number % 5 < 2},
                                   {"sort_by": rng.choice([None, "count", "self_cpu_time_total", "key"]),
                                    "row_limit": rng.choice([-1, 3, 100])})
    return made


ALL = CASES | drawn(60)

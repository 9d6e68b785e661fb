"""Record what torch's profiler prints and shows; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import tempfile
from pathlib import Path

import torch
from torch.autograd import profiler_util
from torch.profiler import profile, record_function, schedule

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
TABLES = TESTS / "data" / "profiler_tables.json.gz"
VIEWS = TESTS / "data" / "profiler_views.json.gz"
NUMBERS = [0, 0.4, 1, 999.9994, 999.9996, 1000, 999999.4, 1e6, 1.5e6, 12345678, -5, -5000]
SIZES = [0, 1, 400, 1023, 1024, 1536, -2048, 1048575, 1048576, 2**30, 3 * 2**40, -2**30, 1.5]
OF_EVENT = ("name", "trace_name", "input_shapes", "structured_input_shapes", "structured_input_strides", "input_dtypes",
            "concrete_inputs", "cpu_memory_usage", "self_cpu_memory_usage", "sequence_nr", "fwd_thread", "scope",
            "is_user_annotation", "activity_type", "flow_id", "flow_type", "flow_start", "thread", "count", "stack")
OF_AVERAGE = ("key", "count", "input_shapes", "overload_name", "cpu_memory_usage", "self_cpu_memory_usage", "scope",
              "is_user_annotation", "node_id", "stack")


def table(rows: list[dict], options: dict, arguments: dict) -> str:
    """What torch prints, or raises, for rows with these fields."""
    made = []
    for fields in rows:
        average = profiler_util.FunctionEventAvg()
        vars(average).update(fields)
        made.append(average)
    try:
        return profiler_util.EventList(made, **options).table(**arguments)
    except (AttributeError, AssertionError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def program(prof) -> None:
    """A little of everything that a profile can show."""
    weight = torch.randn(4, 3, requires_grad=True)
    for _ in range(4):
        with record_function("forward"), record_function("layer", "with args"):
            hidden = torch.cat([weight, weight]).mul(2.5).relu()
            loss = torch.nn.functional.dropout(hidden, 0.2).pow(2).mean()
        with record_function("again"):
            with record_function("again"):
                loss.backward()
        torch.eye(3).sum(dim=0, dtype=torch.float64)
        weight.grad = None
        prof.step()


def view() -> dict:
    """One profile: the raw trace, and what the public calls make of it."""
    steps = schedule(wait=1, warmup=1, active=2, repeat=1)
    with profile(record_shapes=True, profile_memory=True, schedule=steps) as prof:
        program(prof)
    with tempfile.TemporaryDirectory() as folder:
        prof.export_chrome_trace(folder + "/trace.json")
        trace = json.loads(Path(folder, "trace.json").read_text())["traceEvents"]
    events = [e for e in trace if e.get("cat") in ("cpu_op", "user_annotation")]
    first = min(round(e["ts"] * 1000) for e in events)
    return {
        "calls": [[e["name"], e["cat"], round(e["ts"] * 1000) - first, round(e["dur"] * 1000), e["args"]]
                  for e in events],
        "memory": [[round(e["ts"] * 1000) - first, e["args"]["Addr"], e["args"]["Bytes"], e["args"]["Total Allocated"]]
                   for e in trace if e.get("name") == "[memory]"],
        "flows": [[e["id"], e["ph"], round(e["ts"] * 1000) - first] for e in trace if e.get("cat") == "fwdbwd"],
        "events": [[getattr(e, name) for name in OF_EVENT] for e in prof.events()],
        "parents": [prof.events().index(e.cpu_parent) if e.cpu_parent else -1 for e in prof.events()],
        "averages": [[getattr(a, name) for name in OF_AVERAGE] for a in prof.key_averages()],
        "by shape": [[getattr(a, name) for name in OF_AVERAGE] for a in prof.key_averages(group_by_input_shape=True)],
        "event fields": OF_EVENT, "average fields": OF_AVERAGE,
    }


def write(path: Path, facts: dict) -> None:
    # mtime=0: the same facts give the same bytes.
    path.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size} bytes")


def main() -> None:
    torch.set_num_threads(1)
    cases = runpy.run_path(str(TESTS / "profiler" / "table_cases.py"))["ALL"]
    version = torch.__version__.partition("+")[0]
    write(TABLES, {
        "torch": version,
        "tables": {name: table(*case) for name, case in cases.items()},
        "times": [[n, profiler_util._format_time(n), profiler_util._format_time_share(n, 3000)] for n in NUMBERS],
        "sizes": [[n, profiler_util._format_memory(n)] for n in SIZES],
    })
    write(VIEWS, {"torch": version} | view())


if __name__ == "__main__":
    main()

"""Everything that a profile can be asked, as plain values: what must be the same of a live and of a loaded one."""

from __future__ import annotations

import gzip
import itertools
import warnings
from pathlib import Path

EVENT_FIELDS = ("id", "node_id", "name", "overload_name", "trace_name", "thread", "fwd_thread", "input_shapes",
                "concrete_inputs", "kwinputs", "stack", "scope", "use_device", "cpu_memory_usage",
                "self_cpu_memory_usage", "is_async", "is_remote", "sequence_nr", "device_type", "device_index",
                "device_resource_id", "flops", "is_user_annotation", "cpu_time_total", "self_cpu_time_total",
                "structured_input_shapes", "is_legacy", "count", "kernels", "activity_type", "external_id",
                "linked_correlation_id", "device_time_total", "self_device_time_total", "device_memory_usage",
                "self_device_memory_usage")
RAW_FIELDS = ("name", "overload_name", "start_ns", "end_ns", "duration_ns", "start_thread_id", "device_index",
              "device_resource_id", "correlation_id", "activity_type", "scope", "nbytes", "flow_id", "flow_type",
              "flow_start", "stack", "python_id", "python_parent_id", "python_module_id", "sequence_nr",
              "fwd_thread_id", "flops", "shapes", "dtypes", "concrete_inputs", "kwinputs", "structured_input_shapes",
              "structured_input_strides", "metadata_json")
GROUPINGS = tuple(itertools.product((False, True), (0, 3), (False, True)))
TIMELINES = ("timeline.json", "timeline.raw.json.gz", "timeline.json.gz", "timeline.html")


def answers(prof, folder: Path) -> dict[str, str]:
    """All of them, by what was asked; an error is an answer too."""
    asked = {f"averages by {grouping}": lambda g=grouping: averages(prof, *g) for grouping in GROUPINGS}
    asked |= {f"timeline {name}": lambda n=name: timeline(prof, folder / n) for name in TIMELINES}
    asked |= {
        "events": lambda: [event_fields(event) for event in prof.events()],
        "events as text": lambda: (str(prof.events()), prof.events().table(sort_by="cpu_time_total", row_limit=-1)),
        "total average": lambda: str(prof.events().total_average()),
        "trace": lambda: written(prof.export_chrome_trace, folder / "trace.json"),
        "packed trace": lambda: written(prof.export_chrome_trace, folder / "trace.json.gz"),
        "stacks": lambda: written(prof.export_stacks, folder / "stacks.txt"),
        "tree": lambda: tree(prof.profiler.kineto_results),
        "raw events": lambda: [[getattr(event, name)() for name in RAW_FIELDS]
                               for event in prof.profiler.kineto_results.events()],
        "activities": lambda: [(a.name(), a.type(), a.timestamp(), a.device_id(), a.resource_id(), a.metadata_json())
                               for a in prof.profiler.kineto_results.trace_activities()],
        "start": lambda: prof.profiler.kineto_results.trace_start_ns(),
        "facts": lambda: (prof.dropped_events, prof.overhead(), prof.profiler.trace_id, prof.preset_metadata),
    }
    return {name: answer(ask) for name, ask in asked.items()}


def answer(ask) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # export_memory_timeline is deprecated
            return repr(ask())  # as text, in which NaN equals NaN
    except (AssertionError, RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def averages(prof, by_shape: bool, by_stack: int, by_overload: bool) -> tuple:
    rows = prof.key_averages(group_by_input_shape=by_shape, group_by_stack_n=by_stack,
                             group_by_overload_name=by_overload)
    return rows.table(row_limit=-1), [(row.key, row.count, row.cpu_time_total, row.self_cpu_time_total,
                                       row.cpu_memory_usage, row.flops, row.input_shapes, row.stack,
                                       row.device_time_total, row.self_device_time_total, row.device_memory_usage,
                                       row.self_device_memory_usage) for row in rows]


def written(export, path: Path) -> str:
    export(str(path))
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def timeline(prof, path: Path) -> str:
    return written(prof.export_memory_timeline, path)


def event_fields(event) -> dict:
    fields = {name: getattr(event, name, None) for name in EVENT_FIELDS}
    parent, span = event.cpu_parent, event.time_range
    return fields | {"parent": parent and parent.id, "start": span.start, "end": span.end,
                     "children": [child.id for child in event.cpu_children]}


def tree(results) -> list[tuple]:
    """The nodes from the roots down, each with its fields as text; without a framework types are others, the text is
    the same."""
    nodes, told = [*results.experimental_event_tree()], []
    while nodes:
        node = nodes.pop()
        fields = node.extra_fields
        told.append((node.name, node.tag.name, node.overload_name, node.start_time_ns, node.end_time_ns, node.start_tid,
                     node.id, node.correlation_id, node.parent and node.parent.id,
                     type(fields).__name__ if node.tag.name == "PythonGC" else repr(fields)))
        nodes += node.children
    return told

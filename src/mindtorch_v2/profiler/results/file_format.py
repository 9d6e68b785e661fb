"""What stands in a saved profile: the members of the zip, their columns and facts, each with one line of doc.

docs/SAVED_PROFILES.md shows the same to readers; a test holds the two together.
"""

from __future__ import annotations

from typing import NamedTuple

from ..table import columns
from ..table.columns import Column
from .json_forms import Maybe

FORMAT, VERSION = "mindtorch_v2 profile", 4
# The version of a file that says nothing of devices, of one without modules, and of one without processor time: readers
# that do not know them can read it.
WITHOUT_DEVICES, WITHOUT_MODULES, WITHOUT_CPU_TIMES = 1, 2, 3
FACTS_MEMBER = "profile.json"

# Folders of columns: one .npy member for each that has more than one value.
TABLES: dict[str, tuple[Column, ...]] = {
    "events": columns.EVENTS, "memory": columns.MEMORY, "tensors": columns.TENSORS,
    "module_calls": columns.MODULE_CALLS, "optimizer_calls": columns.OPTIMIZER_CALLS,
    "device_activity": columns.DEVICE_ACTIVITY, "device_memory": columns.DEVICE_MEMORY,
    "module_ranges": columns.MODULE_RANGES, "cpu_times": columns.CPU_TIMES,
}
# Tables that files of a version and of those before it do not have.
MISSING = {WITHOUT_DEVICES: ("device_activity", "device_memory", "module_ranges", "cpu_times"),
           WITHOUT_MODULES: ("module_ranges", "cpu_times"), WITHOUT_CPU_TIMES: ("cpu_times",)}
# The column of each table that is always there: it says how many rows there are.
LEADING = {"events": "start_ns", "memory": "time_ns", "tensors": "event", "module_calls": "event",
           "optimizer_calls": "event", "device_activity": "start_ns", "device_memory": "time_ns",
           "module_ranges": "start_ns", "cpu_times": "time_ns"}
# Columns of events that are stored relative to something, so that their numbers are small.
RELATIVE = {"id": "id less the number of the row", "parent": "number of the row less its parent's; 0 for none",
            "end_ns": "end_ns less start_ns"}


class Words(NamedTuple):
    """A JSON member: a list that columns number."""

    name: str
    doc: str


WORDS = (
    Words("names.json", "[name, overload] by the number that events hold."),
    Words("inputs.json", "Inputs of calls by the number that events hold, as profiler/views/inputs.py reads them; a "
                         "complex number is [\"complex\", [real, imaginary]]."),
    Words("modules.json", "Modules: [self_ptr, cls_ptr, class, [[name, tensor, gradient], ...], [file, line, "
                          "function]]; a tensor is [identity, address, sizes, strides, dtype] or null."),
    Words("optimizers.json", "Optimizers at a step: [self_ptr, cls_ptr, class, [[tensor, gradient, {name: state}], "
                             "...]]."),
    Words("schemas.json", "Of the names of ops: what the parameters of each overload take; ! is written to, ? may be "
                          "missing."),
)


class Fact(NamedTuple):
    """One entry of profile.json: its name, the form its JSON must have, what it means."""

    name: str
    form: object
    doc: str


WINDOW = {"start_ns": int, "end_ns": int, "wall_offset_ns": int, "pid": int, "record_shapes": bool,
          "profile_memory": bool, "with_flops": bool, "with_stack": bool, "dropped": int, "overflow": str,
          "arrows": bool}
SETTINGS = {"record_shapes": bool, "profile_memory": bool, "with_stack": bool, "with_flops": bool,
            "with_modules": bool}
SWITCHES = {"verbose": bool, "adjust_profiler_step": bool, "capture_overload_names": bool,
            "expose_kineto_event_metadata": bool, "trace_only": bool}

FACTS = (
    Fact("format", str, "Always \"mindtorch_v2 profile\"."),
    Fact("version", int, "Of this format: 1, or 2 if a device was profiled, or 3 if calls of modules were, or 4 if "
         "threads' processor time was. A "
                         "reader refuses what is newer."),
    Fact("window", WINDOW, "When, where and with which options it was recorded; wall_offset_ns turns the recorder's "
                           "clock into nanoseconds since the epoch."),
    Fact("threads", [(int, int, str, int, bool)],
         "[number, the system's number, name, process, whether it began inside unasked] of every thread."),
    Fact("settings", SETTINGS, "What profile() was called with."),
    Fact("switches", SWITCHES, "Experimental switches that change answers."),
    Fact("use_device", Maybe(str), "The device that was profiled beside the CPU."),
    Fact("device", str, "The device whose activity is in the file; not in files of version 1."),
    Fact("trace_id", str, "The name of the trace."),
    Fact("host_name", str, "The machine."),
    Fact("categories", Maybe([str]), "Categories that traces may show; null for all."),
    Fact("metadata", {str: str}, "Pieces of JSON for the trace, from torch._C._profiler's function."),
    Fact("preset_metadata", {str: str}, "The same from preset_metadata_json()."),
    Fact("trace_metadata", {str: str}, "The same from add_metadata() and add_metadata_json()."),
    Fact("dropped", int, "Events that there was no room for."),
    Fact("overhead", (float, int, float, float), "Nanoseconds per event, events, nanoseconds in all, share of the "
                                                 "time recorded."),
    Fact("bases", {str: {str: int}}, "By table and column, what is added to every stored number; a column without a "
                                     "member has this one value in all rows."),
)

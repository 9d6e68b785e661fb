"""Saving a profile: one zip with everything that it can answer."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping

import numpy as np

from ...record.recorded_json import inputs_as_json
from ..export.files import writing
from ..table.columns import Columns
from ..table.event_table import EventTable
from .archive import write_array, write_json
from .autograd_results import AutogradResults
from .file_format import (
    FACTS_MEMBER,
    FORMAT,
    LEADING,
    MISSING,
    RELATIVE,
    SETTINGS,
    SWITCHES,
    TABLES,
    VERSION,
    WINDOW,
    WITHOUT_CPU_TIMES,
    WITHOUT_DEVICES,
    WITHOUT_MODULES,
)
from .packing import pack, relative

RECORDING = ("a profile that records cannot be saved: call stop() first; while it goes on, events(), key_averages() "
             "and export_chrome_trace() show what there is so far")
NOTHING = "this profile has recorded nothing yet, so there is nothing to save"


def save(profile, profiler: AutogradResults, path: str | os.PathLike) -> None:
    """Write a profile whose results ``profiler`` works out."""
    recordings = profiler._recordings
    if recordings.running:
        raise RuntimeError(RECORDING)
    if not recordings.started:
        raise RuntimeError(NOTHING)
    table = recordings.table()
    identities = table.identities()
    of_names = [table["name"], table.device["name"], table.module_ranges["name"]]
    name, names = _used(np.concatenate(of_names), table.names)
    name, device_name, module_name = np.split(name, np.cumsum([len(numbers) for numbers in of_names])[:-1])
    inputs, described = _used(table["inputs"], table.inputs)
    tables = {"events": {**table.events, "name": name, "inputs": inputs}, "memory": table.memory,
              "tensors": identities.tensors, "module_calls": identities.module_calls,
              "optimizer_calls": identities.optimizer_calls,
              "device_activity": {**table.device, "name": device_name}, "device_memory": table.device_memory,
              "module_ranges": {**table.module_ranges, "name": module_name}, "cpu_times": table.cpu_times}
    version = _version(table)
    for missing in MISSING.get(version, ()):
        del tables[missing]
    words = {"names.json": names, "inputs.json": [inputs_as_json(value) for value in described],
             "modules.json": identities.modules, "optimizers.json": identities.optimizers,
             "schemas.json": {name: overloads for name, overloads in table.own_schemas().items()
                              if name in {name for name, _ in names}}}
    with writing(path, compressed=False) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        bases = {name: _write_table(archive, name, columns) for name, columns in tables.items()}
        for member, value in words.items():
            write_json(archive, member, value)
        facts = _facts(profile, profiler, table) | {"bases": bases, "version": version}
        if version > WITHOUT_DEVICES:
            facts["device"] = table.window.device
        write_json(archive, FACTS_MEMBER, facts)


def _version(table: EventTable) -> int:
    """The first version of the format that has all tables that are needed."""
    if table.cpu_times.n_rows:
        return VERSION
    if table.module_ranges.n_rows:
        return WITHOUT_CPU_TIMES
    with_devices = table.window.device or table.device.n_rows or table.device_memory.n_rows
    return WITHOUT_MODULES if with_devices else WITHOUT_DEVICES


def _used(numbers: np.ndarray, words: list) -> tuple[np.ndarray, list]:
    """Numbers of words among those that occur, and these; they keep their order, and -1 stays."""
    is_used = np.zeros(len(words) + 1, bool)  # the last entry answers for -1
    is_used[numbers] = True
    is_used[-1] = False
    place = np.where(is_used, np.cumsum(is_used) - 1, -1)
    return place[numbers], [words[number] for number in np.flatnonzero(is_used).tolist()]


def _write_table(archive: zipfile.ZipFile, table: str, columns: Columns | Mapping | np.ndarray) -> dict[str, int]:
    """The columns of a table; what is to be added to each."""
    bases = {}
    for name, _, _ in TABLES[table]:
        of_events = table == "events" and name in RELATIVE
        bases[name], cells = pack(relative(name, columns) if of_events else columns[name], name == LEADING[table])
        if cells is not None:
            write_array(archive, f"{table}/{name}.npy", cells)
    return bases


def _facts(profile, profiler: AutogradResults, table: EventTable) -> dict:
    """Everything but columns and words."""
    config, window = profiler.experimental_config, table.window
    switches = {name: bool(getattr(config, name)) for name in SWITCHES} | {"trace_only": profiler._trace_only}
    return {
        "format": FORMAT, "window": {name: getattr(window, name) for name in WINDOW},
        "threads": [[t.index, t.os_id, t.name, table.pid_of(t), t.is_new] for t in table.threads],
        "settings": {name: bool(getattr(profile, name)) for name in SETTINGS}, "switches": switches,
        "use_device": profile.use_device, "trace_id": profiler.trace_id, "host_name": profiler._host_name(),
        "categories": None if profiler._categories is None else sorted(profiler._categories),
        "metadata": profiler._metadata, "preset_metadata": profile.preset_metadata,
        "trace_metadata": profile._trace_metadata, "dropped": profiler.dropped_events,
        "overhead": [float(number) if at != 1 else number for at, number in enumerate(profiler.overhead())],
    }

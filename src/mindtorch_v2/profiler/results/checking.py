"""Numbers and words of a file against each other: what any answer would trust is looked at here."""

from __future__ import annotations

import numpy as np

from ...record.recorded_json import inputs_of
from ..kineto.tensor_types import ITEM_BYTES
from ..table import columns
from ..table.event_table import Thread, Window
from ..views.device_events import ACTIVITY_TYPES
from ..views.device_type import DeviceType
from ..views.record_scope import C_CALL, GARBAGE_COLLECTION, MODULE_CALL, PYTHON_CALL, RecordScope
from .archive import Archive, ArchiveError
from .json_forms import INT64, Maybe, has_form
from .packing import Unpacked

MOST_THREAD = (1 << 31) - 1
MOST_FLAGS = columns.UNFINISHED | columns.OF_MEMORY
MOST_NS = 1 << 61  # 73 years: the sum of a start, a length and an offset stays within 64 bits
MOST_NUMBER = 1 << 62  # of an id, which rows are added to, or of bytes in one change
MOST_DEPTH = 80  # of lists in lists; the recorder looks 64 deep
UNKNOWN_TYPE, ANY_TYPE = "", "float32"  # traces of PyTorch do not name the types of tensors in lists
MOST_SPAN = 1 << 58  # that a tensor can span in elements
SCOPES = [scope.value for scope in RecordScope] + [PYTHON_CALL, C_CALL, MODULE_CALL, GARBAGE_COLLECTION]
TENSOR = (int, int, [int], [int], str)
FORMS = {
    "names.json": [(str, str)], "inputs.json": [list],
    "modules.json": [(int, int, str, [(str, Maybe(TENSOR), Maybe(TENSOR))], (str, int, str))],
    "optimizers.json": [(int, int, str, [(Maybe(TENSOR), Maybe(TENSOR), {str: Maybe(TENSOR)})])],
    "schemas.json": {str: [[str]]},
}
DEVICE_LIMITS = {
    "device_activity": {"kind": (0, len(ACTIVITY_TYPES) - 1), "correlation": (0, MOST_NUMBER),
                        "bytes": (0, MOST_NUMBER), "event": (-MOST_NUMBER, MOST_NUMBER),
                        "device_index": (0, MOST_THREAD), "queue": (-MOST_NUMBER, MOST_NUMBER)},
    "device_memory": {"change": (-MOST_NUMBER, MOST_NUMBER), "event": (-MOST_NUMBER, MOST_NUMBER),
                      "device_index": (0, MOST_THREAD)},
}
LAYOUTS = ("sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
SCALARS = {"float": float, "bool": bool, "complex": complex, "str": str}


def within(given: Unpacked, table: str, name: str, low: int, high: int) -> None:
    """No stored number of a column may lie outside these limits."""
    least, greatest = given.limits(name)
    if given.n_rows and (least < low or greatest > high):
        raise ArchiveError(f"is damaged: numbers in {table}/{name} are out of range")


def words(archive: Archive, member: str) -> list | dict:
    """A list of words in its form."""
    value = archive.json(member)
    try:
        is_right = has_form(value, FORMS[member]) and (member not in _FURTHER or _FURTHER[member](value))
    except RecursionError:  # nested deeper than anything that was recorded
        is_right = False
    if not is_right:
        raise ArchiveError(f"is damaged: its member {member} has another form than it should")
    return value


def _are_inputs(value: list) -> bool:
    return all(is_described(item) for described in value for item in inputs_of(described))


def is_described(value: object, depth: int = 0) -> bool:
    """Whether this is how a row remembers an input; see profiler/views/inputs.py."""
    if value is None or type(value) is int:
        return True
    if not isinstance(value, tuple) or not value or depth > MOST_DEPTH:
        return False
    if isinstance(value[0], tuple):
        if len(value) == 3:
            return _is_tensor(value[0], ANY_TYPE if value[1] == UNKNOWN_TYPE else value[1], value[2])
        return len(value) == 4 and _is_sparse(*value)
    if value[0] == "[]":
        return all(is_described(item, depth + 1) for item in value[1:])
    if value[0] == "{}":
        return all(isinstance(pair, tuple) and len(pair) == 2 and type(pair[0]) is str
                   and is_described(pair[1], depth + 1) for pair in value[1:])
    if len(value) != 2 or type(value[0]) is not str:
        return False
    return value[1] is None or type(value[1]) is int if value[0] == "code" else \
        type(value[1]) is SCALARS.get(value[0])


def _is_tensor(sizes: object, dtype: object, strides: object) -> bool:
    return (all(isinstance(part, (list, tuple)) and all(type(n) is int and n in INT64 for n in part)
                for part in (sizes, strides))
            and len(sizes) == len(strides) and isinstance(dtype, str) and dtype in ITEM_BYTES
            and all(abs(size * stride) < MOST_SPAN for size, stride in zip(sizes, strides)))


def _is_sparse(sizes: object, dtype: object, strides: object, layout: object) -> bool:
    """A tensor of another layout, which has no strides."""
    return (strides == () and layout in LAYOUTS and isinstance(sizes, tuple)
            and _is_tensor(sizes, dtype, (0,) * len(sizes)))


def _are_modules(value: list) -> bool:
    return all(_is_known(tensor) for *_, parameters, _ in value for _, *tensors in parameters for tensor in tensors)


def _are_optimizers(value: list) -> bool:
    return all(_is_known(tensor) for *_, parameters in value for *tensors, state in parameters
               for tensor in (*tensors, *state.values()))


def _is_known(tensor: list | None) -> bool:
    return tensor is None or _is_tensor(tensor[2], tensor[4], tensor[3])


_FURTHER = {"inputs.json": _are_inputs, "modules.json": _are_modules, "optimizers.json": _are_optimizers}


def threads(of_profile: tuple[Thread, ...]) -> None:
    """Numbers of threads are small, and each is there once."""
    indices = [thread.index for thread in of_profile]
    if len(set(indices)) < len(indices) or not all(0 <= index <= MOST_THREAD for index in indices):
        raise ArchiveError("is damaged: its threads are numbered wrongly")


def events(given: Unpacked, n_names: int, n_inputs: int, of_profile: tuple[Thread, ...]) -> None:
    """Names, inputs and threads that are there, parents that stand before their children on the same thread."""
    within(given, "events", "name", 0, n_names - 1)
    within(given, "events", "inputs", -1, n_inputs - 1)
    if not np.isin(given["scope"], SCOPES).all():
        raise ArchiveError("is damaged: numbers in events/scope are out of range")
    within(given, "events", "flags", 0, MOST_FLAGS)
    within(given, "events", "forward_thread", 0, MOST_THREAD)
    within(given, "events", "parent", 0, given.n_rows)
    within(given, "events", "id", -MOST_NUMBER, MOST_NUMBER)
    _on_threads(given, "events", of_profile)
    run = np.zeros(given.n_rows, np.int64)
    for first, stop in given.runs():
        run[first:stop] = first
    parent = given["parent"]
    if ((given.stored("parent") > 0) & (parent < run)).any():
        raise ArchiveError("is damaged: numbers in events/parent are out of range")
    if (np.diff(given["id"]) <= 0).any():
        raise ArchiveError("is damaged: numbers in events/id do not grow")


def _on_threads(given: Unpacked, table: str, of_profile: tuple[Thread, ...]) -> None:
    if not np.isin(given["thread"], [thread.index for thread in of_profile]).all():
        raise ArchiveError(f"is damaged: numbers in {table}/thread are out of range")


def memory(given: Unpacked, n_events: int, of_profile: tuple[Thread, ...]) -> None:
    """Changes on threads that are there, in events that are there."""
    within(given, "memory", "event", -1, n_events - 1)
    within(given, "memory", "seen", 0, 1)
    within(given, "memory", "change", -MOST_NUMBER, MOST_NUMBER)
    _on_threads(given, "memory", of_profile)


def devices(tables: dict[str, Unpacked], n_names: int, of_profile: tuple[Thread, ...]) -> None:
    """Activities with names and kinds that are there, on devices of torch's kinds, that end after they began."""
    for table, limits in DEVICE_LIMITS.items():
        for name, (low, high) in limits.items():
            within(tables[table], table, name, low, high)
        if not np.isin(tables[table]["device_type"], [kind.value for kind in DeviceType]).all():
            raise ArchiveError(f"is damaged: numbers in {table}/device_type are out of range")
        _on_threads(tables[table], table, of_profile)
    activity = tables["device_activity"]
    within(activity, "device_activity", "name", 0, n_names - 1)
    if (activity["end_ns"] < activity["start_ns"]).any():
        raise ArchiveError("is damaged: activities of devices end before they begin")


def module_ranges(given: Unpacked, n_names: int, of_profile: tuple[Thread, ...]) -> None:
    """Calls of modules with names and threads that are there, that end after they began."""
    within(given, "module_ranges", "name", 0, n_names - 1)
    _on_threads(given, "module_ranges", of_profile)
    if (given["end_ns"] < given["start_ns"]).any():
        raise ArchiveError("is damaged: calls of modules end before they begin")


def cpu_times(given: Unpacked, of_profile: tuple[Thread, ...]) -> None:
    """Processor times of threads that are there."""
    within(given, "cpu_times", "cpu_ns", 0, MOST_NS)
    _on_threads(given, "cpu_times", of_profile)


def identities(tables: dict[str, Unpacked], n_modules: int, n_optimizers: int) -> None:
    """Modules and optimizers that are there."""
    within(tables["tensors"], "tensors", "slot", 0, np.iinfo(np.int32).max)
    for table, name, count in (("module_calls", "module", n_modules), ("optimizer_calls", "optimizer", n_optimizers)):
        within(tables[table], table, name, 0, count - 1)


def times(window: Window, tables: dict[str, Unpacked]) -> None:
    """Times that can be added to each other."""
    for table, name in (("events", "start_ns"), ("events", "end_ns"), ("memory", "time_ns"),
                        ("device_activity", "launch_ns"), ("device_activity", "start_ns"),
                        ("device_activity", "end_ns"), ("device_memory", "time_ns"),
                        ("module_ranges", "start_ns"), ("module_ranges", "end_ns"), ("cpu_times", "time_ns")):
        within(tables[table], table, name, -MOST_NS, MOST_NS)
    if max(map(abs, (window.start_ns, window.end_ns, window.wall_offset_ns))) > MOST_NS:
        raise ArchiveError("is damaged: its clock is out of range")

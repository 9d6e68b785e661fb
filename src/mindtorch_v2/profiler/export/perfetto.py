"""Perfetto's own traces: protobuf packets, names written once, a sequence of packets for each track, compressed.

The numbers of fields are those of Perfetto's public ``trace_packet.proto`` and of what it includes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np

from ..table.columns import BLOCK, PYTHON_SCOPE, USER_SCOPE
from ..table.event_table import EventTable
from ..views.cpu_time import clock_ns
from ..views.op_table import NO_SHAPES, shape_texts
from ..views.visible_events import flows
from .files import writing
from .protobuf import Fields, fixed, messages, number, numbers, text, together
from .tracks import Track, by_appearance, tracks

LEVEL = 6
PACKET = 1  # the one field of a trace
CLOCK_SNAPSHOT, TIMESTAMP, SEQUENCE, TRACK_EVENT, INTERNED, FLAGS = 6, 8, 10, 11, 12, 13  # fields of a packet
COMPRESSED, DEFAULT_CLOCK, DEFAULTS, DESCRIPTOR = 50, 58, 59, 60
CLEARED = 1  # the flag of a sequence's first packet
UUID, NAME, PROCESS, THREAD, PARENT, COUNTER = 1, 2, 3, 4, 5, 8  # fields of a track's description
CATEGORY_IID, ANNOTATION, TYPE, NAME_IID, TRACK_UUID, VALUE = 3, 4, 9, 10, 11, 30  # fields of a track's event
THREAD_TIME_US, FLOW, END_OF_FLOW = 17, 47, 48
NS_PER_US = 1000
BEGIN, END, COUNT = 1, 2, 4  # types of events
CATEGORIES, NAMES, ANNOTATION_NAMES, ANNOTATION_TEXTS = 1, 2, 3, 29  # what is interned
KINDS = ("cpu_op", "user_annotation", "python_function", "device")
SEQUENCE_NUMBER, SHAPES = "Sequence number", "Input Dims"
BOOT_CLOCK, WALL_CLOCK, OWN_CLOCK = 6, 1, 64  # the last counts from packet to packet
BYTES_UNIT = 3
PID_SHIFT = 32  # numbers of processes' tracks lie above those of all sequences


def export_perfetto(table: EventTable, path) -> None:
    """Write a profile for Perfetto."""
    with writing(path) as out:
        for packets in PerfettoTrace(table).pieces():
            out.write(text(PACKET, text(COMPRESSED, zlib.compress(packets, LEVEL))))


class PerfettoTrace:
    """A profile as packets."""

    def __init__(self, table: EventTable):
        self._table = table
        scope = table["scope"]
        self._kind = np.where(scope >= PYTHON_SCOPE, 2, scope == USER_SCOPE)
        self._flow, self._goes_back = flows(table), scope == 1
        shapes, self._shape_texts = shape_texts(table)
        self._shapes = np.where(np.array([bool(words) for words in self._shape_texts] or [False])[shapes], shapes,
                                NO_SHAPES) if len(table) else shapes
        self._timed_threads = set(table.cpu_times["thread"].tolist())
        self._n_sequences = 0
        moments_ns = np.concatenate([table["start_ns"], table.memory["time_ns"], table.device["start_ns"],
                                     table.device_memory["time_ns"]])
        self._start_ns = min(table.window.start_ns, int(moments_ns.min(initial=table.window.start_ns)))

    def pieces(self) -> Iterator[bytes]:
        """Packets, some at a time."""
        table = self._table
        pids = dict.fromkeys([table.window.pid, *(table.pid_of(thread) for thread in table.threads)])
        yield b"".join(_packet(text(DESCRIPTOR, number(UUID, self._process(pid)) + text(PROCESS, number(1, pid) + text(
            6, "python")))) for pid in pids)
        for track in tracks(table):
            if len(track.row):
                yield from self._track(track)
        yield from self._memory()

    def _process(self, pid: int) -> int:
        """The number of the track of a process."""
        return pid << PID_SHIFT | (1 << PID_SHIFT) - 1

    def _begin(self, described: bytes, names: bytes) -> bytes:
        """The first packets of a sequence: its track, its clock, its words."""
        self._n_sequences += 1
        sequence, window = number(SEQUENCE, self._n_sequences), self._table.window
        start_ns = max(self._start_ns, 0)  # clocks of other profilers may begin anywhere, Perfetto's at 0
        clocks = b"".join(text(1, number(1, clock) + number(2, time_ns) + (number(3, 1) if clock == OWN_CLOCK else b""))
                          for clock, time_ns in ((BOOT_CLOCK, start_ns), (OWN_CLOCK, start_ns),
                                                 (WALL_CLOCK, max(self._start_ns + window.wall_offset_ns, 0))))
        defaults = number(DEFAULT_CLOCK, OWN_CLOCK) + text(11, number(TRACK_UUID, self._n_sequences))
        return (_packet(sequence, number(FLAGS, CLEARED), text(CLOCK_SNAPSHOT, clocks))
                + _packet(sequence, text(DESCRIPTOR, number(UUID, self._n_sequences) + described))
                + _packet(sequence, text(DEFAULTS, defaults), text(INTERNED, names)))

    def _track(self, track: Track) -> Iterator[bytes]:
        pid, tid = number(1, track.pid), number(2, track.tid)
        described = text(THREAD, pid + tid + text(5, track.title)) if track.is_thread else \
            text(NAME, track.title) + number(PARENT, self._process(track.pid))
        names, name = by_appearance(track.names(self._table))
        yield self._begin(described, self._words(track, names))
        steps = np.diff(track.time_ns, prepend=self._start_ns)
        for begin in range(0, len(steps), BLOCK):
            part = slice(begin, begin + BLOCK)
            yield self._packets(steps[part], self._event(track, part, name[part]))

    def _words(self, track: Track, names: list[int]) -> bytes:
        """The names and texts that a track's events use, by the numbers that they have there."""
        words = [text(NAMES, number(1, iid) + text(2, self._table.names[name][0])) for iid, name in enumerate(names, 1)]
        words += [text(CATEGORIES, number(1, 1 + kind) + text(2, name)) for kind, name in enumerate(KINDS)]
        if not track.of_device:
            words += [text(ANNOTATION_NAMES, number(1, iid) + text(2, name))
                      for iid, name in enumerate((SEQUENCE_NUMBER, SHAPES), 1)]
            words += [text(ANNOTATION_TEXTS, number(1, 1 + shapes) + text(2, self._shape_texts[shapes]))
                      for shapes in np.unique(self._shapes[track.row]).tolist() if shapes != NO_SHAPES]
        return b"".join(words)

    def _event(self, track: Track, part: slice, name: np.ndarray) -> Fields:
        """What begins or ends in each packet; beginnings say what."""
        rows, begins = track.row[part], ~track.is_end[part]
        fields = [numbers(TYPE, np.where(begins, BEGIN, END)), numbers(NAME_IID, 1 + name).where(begins)]
        if track.of_device:
            return together(*fields, numbers(CATEGORY_IID, np.full(len(rows), len(KINDS))).where(begins))
        fields.append(numbers(CATEGORY_IID, 1 + self._kind[rows]).where(begins))
        if track.thread in self._timed_threads:
            ran_ns = clock_ns(self._table, track.thread, track.time_ns[part])
            fields.append(numbers(THREAD_TIME_US, ran_ns // NS_PER_US))
        shapes, flow, sequence = self._shapes[rows], self._flow[rows], self._table["sequence"][rows]
        for iid, field, values, there in ((1, 4, sequence, sequence >= 0), (2, 17, shapes + 1, shapes != NO_SHAPES)):
            if there.any():
                said = numbers(1, np.full(len(rows), iid)), numbers(field, np.where(there, values, 0))
                fields.append(messages(ANNOTATION, *said).where(begins & there))
        if flow.any():
            back = self._goes_back[rows]
            fields += [fixed(FLOW, flow).where(begins & (flow > 0) & ~back),
                       fixed(END_OF_FLOW, flow).where(begins & (flow > 0) & back)]
        return together(*fields)

    def _packets(self, steps_ns: np.ndarray, *event: Fields) -> bytes:
        sequence = np.full(len(steps_ns), self._n_sequences)
        return messages(PACKET, numbers(TIMESTAMP, steps_ns), numbers(SEQUENCE, sequence),
                        messages(TRACK_EVENT, *event)).written()

    def _memory(self) -> Iterator[bytes]:
        """What is allocated after every change, a counter for each process and each device."""
        memory, pids = self._table.memory, {}
        for thread in self._table.threads:
            pids.setdefault(self._table.pid_of(thread), []).append(thread.index)
        for pid, threads in pids.items():
            rows = np.flatnonzero(np.isin(memory["thread"], threads))
            rows = rows[np.argsort(memory["time_ns"][rows], kind="stable")]
            yield from self._counter("Memory", pid, memory["time_ns"][rows], memory["total"][rows])
        memory, pid = self._table.device_memory, self._table.window.pid
        for index in np.unique(memory["device_index"]).tolist():
            rows = np.flatnonzero(memory["device_index"] == index)
            rows = rows[np.argsort(memory["time_ns"][rows], kind="stable")]
            name = f"Memory of {self._table.window.device or 'device'}:{index}"
            yield from self._counter(name, pid, memory["time_ns"][rows], memory["total"][rows])

    def _counter(self, name: str, pid: int, time_ns: np.ndarray, nbytes: np.ndarray) -> Iterator[bytes]:
        """Bytes from one moment to the next, on a track of a process."""
        if len(time_ns):
            unit = text(COUNTER, number(3, BYTES_UNIT))
            yield self._begin(text(NAME, name) + number(PARENT, self._process(pid)) + unit, b"")
            yield self._packets(np.diff(time_ns, prepend=self._start_ns), numbers(TYPE, np.full(len(time_ns), COUNT)),
                                numbers(VALUE, np.maximum(nbytes, 0)))


def _packet(*fields: bytes) -> bytes:
    return text(PACKET, b"".join(fields))

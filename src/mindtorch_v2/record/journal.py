"""A recording written to disk while it goes on, so that it outlives its process, or need not stay in memory."""

from __future__ import annotations

import itertools
import os
import tempfile
import weakref
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import clock, device_journal, logs, rows, watch
from .device_listener import Listener
from .journal_file import ABOUT, END_NS, MEMORY_ROWS, ROWS, TENSORS, THREAD, WORDS, JournalFile
from .layout import ROW
from .names import inputs, names
from .recorded_json import inputs_as_json
from .vocabulary import shown

SUFFIX = ".journal"
VERSION, WITHOUT_DEVICES = 3, 2  # a journal of no device can be read by those who know none
TRIES = 3  # to cut off a log that other threads write into meanwhile


class Place(NamedTuple):
    """Where the end of a row that was open belongs."""

    file: JournalFile
    offset: int


class Written:
    """How far a thread's log is on disk, and which of the rows there were still open."""

    def __init__(self, life: int, marks: tuple[int, int, int]):
        self.life, self.marks = life, marks
        self.open: dict[int, Place] = {}
        self.ends: dict[int, int] = {}  # of open rows, when they have come but are not in their places yet


class Journal:
    """What has been written of one recording.

    ``flush`` writes what is new; ``spill`` also lets go of it in memory. The end of a row that was open when it was
    written is put into its place later. With ``most_bytes`` only the newest part is kept, in two files.
    """

    def __init__(self, folder: str | None, about: dict, most_bytes: int = 0,
                 when_it_fails: Callable[[Exception], None] | None = None):
        self._folder, self._about, self._most_bytes, self._when_it_fails = folder, about, most_bytes, when_it_fails
        self.listener: Listener | None = None  # what it hears of devices is written too
        self.files: list[JournalFile] = []
        self._new_names, self._new_inputs = [], []

    def hear(self, listener: Listener, spills: bool) -> None:
        """Write down what a listener hears of devices; a profile that spills need not hold what is on disk."""
        self.listener, listener.is_written, listener.spills = listener, True, spills

    @property
    def serves_child(self) -> bool:
        """Whether a forked child has use of one: not of a crash file in a folder whose name nobody was told."""
        return self._folder is not None or not self._most_bytes

    def begin(self, start_ns: int, start_bytes: int, marks: dict[int, tuple[int, int, int]]) -> None:
        """Open the first file; raises OSError where that cannot be."""
        folder, temporary = self._folder, None
        if folder is None:
            folder = temporary = tempfile.mkdtemp(prefix="mindtorch-profile-")
        else:
            os.makedirs(folder, exist_ok=True)
        self.let_go()
        in_child = bool(self.files)
        for file in self.files:  # of the parent
            file.close()
        self._busy = self._told = False
        self._failure: Exception | None = None
        self.folder, self._pid = folder, os.getpid()
        self.files = []
        version = WITHOUT_DEVICES if self.listener is None else VERSION
        self._start = {"version": version, "start_ns": start_ns, "wall_offset_ns": clock.wall_offset_ns(),
                       "pid": self._pid, "start_bytes": start_bytes, "about": self._about}
        self._threads: dict[int, Written] = {}
        self._left_open: dict[tuple[int, int], Written] = {}  # threads that ended in the middle of a row, by life
        self._begin_marks = marks
        self._new_names, self._new_inputs = [], []
        self._refused = rows.refused()
        remove = weakref.finalize(self, _remove, self.files, temporary, self._pid)
        remove.atexit = temporary is not None
        names.listeners.append(self._new_names)
        inputs.listeners.append(self._new_inputs)
        try:
            self._open_file()
        except BaseException:
            self.let_go()
            raise
        if in_child and temporary is not None:  # children of multiprocessing end without cleaning up
            _unless_it_fails(os.unlink, self.files[0].path)
            _unless_it_fails(os.rmdir, temporary)

    def finish(self) -> None:
        """Write the last of it; more is not coming."""
        self.let_go()
        self.flush()

    def let_go(self) -> None:
        """Take note of no more words: the recording has ended, or has never begun."""
        for words, new in ((names, self._new_names), (inputs, self._new_inputs)):
            words.listeners = [listener for listener in words.listeners if listener is not new]

    def flush(self) -> bool:
        """Write what is new; False if that could not be, and then it is tried again the next time."""
        if self._busy:  # a garbage collection came back to here
            return False
        self._busy = True
        try:
            of_devices = None if self.listener is None else self.listener.unwritten()
            marks = logs.marks()  # the rows that this names are among them
            self._write_words()
            for (thread, _), written in self._left_open.items():
                self._settle(thread, written)
            for thread, end in marks.items():
                self._write_thread(thread, end)
            if of_devices is not None:
                device_journal.write(self.files[-1], of_devices)
                self.listener.wrote(of_devices)
            if self._most_bytes and self.files[-1].size > self._most_bytes // 2:
                self._open_file()
        except Exception as error:  # a disk that is full, memory that is: nothing for the profiled program to hear
            self._failure = self._failure or error
            return False
        finally:
            self._busy = False
        return True

    def spill(self) -> bool:
        """Write what is new, and let go of it in memory; False if it could not be written."""
        for _ in range(TRIES):
            if not self.flush():
                self.tell()
                return False
            if all([self._cut(thread, written) for thread, written in self._threads.items()]):
                break
        return True

    def write_devices(self) -> None:
        """Write what is new if what devices did has hardly any room left in memory."""
        if self.listener is not None and self.listener.is_nearly_full and not self.flush():
            self.listener.rest()

    def _cut(self, thread: int, written: Written) -> bool:
        """Let a thread's log go; False if it has gone on since it was written."""
        if logs.held(thread) == written.marks:
            return True
        taken = logs.cut(thread, written.marks)
        if taken is None:
            return False
        first, cut_rows, _, _ = taken
        late = {n: int(cut_rows["end_ns"][n - first]) for n in written.open if n >= first}
        written.ends.update((n, end_ns) for n, end_ns in late.items() if end_ns)
        watch.forget_optimizers(thread, written.marks[0])
        return True

    def _write_thread(self, thread: int, end: tuple[int, int, int]) -> None:
        written = self._threads.get(thread)
        if written is not None:
            self._settle(thread, written)
        if written is None or written.life != logs.life(thread):
            marks = logs.held(thread) if written else self._begin_marks.get(thread, (0, 0, 0))
            if marks == end:
                return
            if written is not None and written.open:
                self._left_open[thread, written.life] = written
            written = Written(logs.life(thread), marks)
            self._write_facts(self.files[-1], thread, written.life)
            self._threads[thread] = written
        if written.marks == end:
            return
        first, new_rows, memory, tensors = logs.read(thread, written.marks, end)
        where = thread, written.life
        if len(new_rows):
            offset = self.files[-1].append(ROWS, new_rows.tobytes(), *where, first)
            written.marks = (end[0], *written.marks[1:])
            for at in np.flatnonzero(new_rows["end_ns"] == 0).tolist():
                place = offset + at * ROW.itemsize + ROW.fields["end_ns"][1]
                written.open[first + at] = Place(self.files[-1], place)
        if len(memory):
            self.files[-1].append(MEMORY_ROWS, memory.tobytes(), *where, end[1] - len(memory))
            written.marks = (written.marks[0], end[1], written.marks[2])
        if len(tensors):
            self.files[-1].append(TENSORS, tensors.tobytes(), *where, end[2] - len(tensors))
        written.marks = end

    def _settle(self, thread: int, written: Written) -> None:
        """Write ends that have come into the places of rows that were open; those the disk does not take stay known."""
        numbers = [number for number in written.open if number not in written.ends]
        ends = logs.ends_of(thread, np.array(numbers, np.int64)).tolist()
        written.ends.update((number, end_ns) for number, end_ns in zip(numbers, ends) if end_ns)
        for number, end_ns in list(written.ends.items()):
            place = written.open[number]
            if place.file in self.files:
                place.file.patch(place.offset, END_NS.pack(end_ns))
            del written.open[number], written.ends[number]

    def rest(self, thread: int, end: tuple[int, int, int]) -> tuple:
        """What is not on disk of a thread's log: as logs.read() has it."""
        written = self._threads.get(thread)
        return logs.read(thread, self._begin_marks.get(thread, (0, 0, 0)) if written is None else written.marks, end)

    def open_rows(self, thread: int, life: int) -> dict[int, int | None]:
        """A thread's rows that are on disk without an end: when they ended, if they have."""
        written = self._threads.get(thread)
        if written is None or written.life != life:
            written = self._left_open.get((thread, life))
        return {} if written is None else {number: written.ends.get(number) for number in written.open}

    def _write_facts(self, file: JournalFile, thread: int, life: int) -> None:
        os_id, name = logs.thread_facts(thread)
        file.append_json(THREAD, {"os_id": os_id, "name": name}, thread, life)

    def _write_words(self) -> None:
        """All words that rows may name: those of rows that are not written yet come first."""
        new_names, self._new_names[:] = list(self._new_names), []
        new_inputs, self._new_inputs[:] = list(self._new_inputs), []
        objects = watch.state.objects
        modules = {n: facts for n, facts in list(objects.modules.items()) if n not in self._modules}
        steps = {row: facts for row, facts in list(objects.optimizers.items()) if row not in self._steps}
        self._modules.intersection_update(objects.modules)
        self._steps.intersection_update(objects.optimizers)
        stepped = {id(facts): facts for facts in list(objects.optimizers.values())}
        may_step = stepped.keys() | {id(facts) for _, facts in list(watch.state.optimizers.values())}
        self._optimizers = {key: known for key, known in self._optimizers.items() if key in may_step}
        new_optimizers = {key: (next(self._numbers), facts) for key, facts in stepped.items()
                          if key not in self._optimizers}
        number_of = {key: number for key, (number, _) in (self._optimizers | new_optimizers).items()}
        try:
            self.files[-1].append_json(WORDS, {
                "end_ns": logs.last_ns(), "refused": rows.refused() - self._refused,
                "declared": names.declared[self._declared:],
                "names": [[n, word] for n, word in new_names],
                "inputs": [[n, inputs_as_json(shown(word))] for n, word in new_inputs],
                "modules": list(modules.items()), "optimizers": list(new_optimizers.values()),
                "steps": [[row, number_of[id(facts)]] for row, facts in steps.items() if id(facts) in number_of]})
        except BaseException:
            self._new_names[:0], self._new_inputs[:0] = new_names, new_inputs
            raise
        self._declared = len(names.declared)
        self._modules.update(modules)
        self._optimizers |= new_optimizers
        self._steps.update(steps)

    def _open_file(self) -> None:
        """Begin a file; it knows all words that there are. Of a bounded journal the last two are kept."""
        number = int(self.files[-1].path[:-len(SUFFIX)].rpartition("-")[2]) + 1 if self.files else 1
        path = os.path.join(self.folder, f"{self._pid}-{self._start['start_ns']}-{number}{SUFFIX}")
        file = JournalFile(path)
        try:
            file.append_json(ABOUT, self._start | {"number": number})
            for thread, written in self._threads.items():
                self._write_facts(file, thread, written.life)
        except BaseException:
            file.close()
            _unless_it_fails(os.unlink, path)
            raise
        self.files.append(file)
        self._declared = 0
        self._modules: set[int] = set()
        self._steps: set[int] = set()
        self._optimizers: dict[int, tuple[int, object]] = {}  # by id, of those that live: their numbers in the file
        self._numbers = itertools.count()
        self._new_names[:] = names.copy().items()
        self._new_inputs[:] = inputs.copy().items()
        while len(self.files) > 2:
            oldest = self.files.pop(0)
            oldest.close()
            _unless_it_fails(os.unlink, oldest.path)

    def tell(self) -> None:
        """Say once that something could not be written, if so; not on the thread that flushes, where no user looks."""
        if self._failure is not None and not self._told and self._when_it_fails is not None:
            self._told = True
            self._when_it_fails(self._failure)


def _remove(files: list[JournalFile], temporary: str | None, pid: int) -> None:
    """Remove the files of a recording that nobody holds any more; in a forked child they are the parent's."""
    for file in files:
        file.close()
        if os.getpid() == pid:
            _unless_it_fails(os.unlink, file.path)
    if temporary is not None and os.getpid() == pid:
        _unless_it_fails(os.rmdir, temporary)


def _unless_it_fails(function: Callable, path: str) -> None:
    try:
        function(path)
    except OSError:
        pass  # somebody else removed it

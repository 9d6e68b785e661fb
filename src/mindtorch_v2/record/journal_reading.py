"""A journal read as what it holds, while it is written and when its process is gone."""

from __future__ import annotations

import os
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .journal import SUFFIX, VERSION, WITHOUT_DEVICES
from .journal_file import (
    ABOUT,
    HEADER,
    MAGIC,
    MEMORY_ROWS,
    ROWS,
    TENSORS,
    THREAD,
    WORDS,
    Block,
    FinishedFile,
    JournalFile,
    blocks,
    facts_of,
    is_whole,
)
from .layout import MEMORY, PYTHON_CALL, ROW, TENSOR
from .recorded_json import inputs_of, module_of, optimizer_of

AT_ONCE = 1 << 16  # rows that are read together
MOST_LOGS = 1 << 16  # more threads than run at a time; those that had the log of another are numbered from here
MOST_WORDS = 1 << 31  # words have numbers below, of a row's 32 bits
INT64 = 1 << 63
TYPES = {ROWS: ROW, MEMORY_ROWS: MEMORY, TENSORS: TENSOR}
ORDER = ("start_ns", "pid", "number")  # of the files of one folder
Piece = tuple[JournalFile | FinishedFile, Block]


@dataclass
class OnDisk:
    """What a journal holds of one thread."""

    os_id: int = 0
    name: str = ""
    pieces: dict[int, list[Piece]] = field(default_factory=lambda: {kind: [] for kind in TYPES})

    def array(self, kind: int, stop: int | None = None, rest: np.ndarray | None = None,
              ends: dict | None = None) -> StoredRows:
        """The items of a kind up to a number, and those that stayed in memory behind them."""
        return StoredRows(TYPES[kind], self.pieces[kind], stop, rest, ends)


@dataclass
class Words:
    """The words and facts of a journal, and what it says of the recording as a whole."""

    declared: list[tuple[str, str]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    inputs: dict[int, tuple] = field(default_factory=dict)
    modules: dict[int, object] = field(default_factory=dict)
    optimizers: dict[int, object] = field(default_factory=dict)
    end_ns: int = 0
    refused: int = 0


class StoredRows:
    """Rows on disk, and newer ones in memory, read like an array: a slice, some rows, or a whole field.

    ``ends`` are those of rows that are open, by their numbers: when, and with which flags.
    """

    def __init__(self, dtype: np.dtype, pieces: list[Piece], stop: int | None = None, rest: np.ndarray | None = None,
                 ends: dict | None = None):
        self.dtype = dtype
        self._pieces = pieces
        counts = [block.size // dtype.itemsize for _, block in pieces]
        self._starts = np.cumsum([0, *counts]).tolist()
        self.first = pieces[0][1].first if pieces else 0
        self._n = self._starts[-1] if stop is None else min(self._starts[-1], max(0, stop - self.first))
        self._rest = np.empty(0, dtype) if rest is None else rest
        self._ends = {number - self.first: end for number, end in (ends or {}).items()}

    @property
    def is_unbroken(self) -> bool:
        """Whether no numbers are missing in between."""
        return all(block.first == self.first + start for (_, block), start in zip(self._pieces, self._starts))

    def numbers(self) -> np.ndarray:
        """The numbers of all items that are on disk."""
        firsts = [np.arange(stop - start) + block.first
                  for (_, block), start, stop in zip(self._pieces, self._starts, self._starts[1:])]
        return np.concatenate(firsts or [np.empty(0, np.int64)])

    def __len__(self) -> int:
        return self._n + len(self._rest)

    def __getitem__(self, which):
        if isinstance(which, str):
            return np.concatenate([self[at:at + AT_ONCE][which].copy() for at in range(0, len(self) or 1, AT_ONCE)])
        if isinstance(which, slice):
            start, stop, _ = which.indices(len(self))
            return self._read(start, max(start, stop))
        return np.concatenate([self._read(int(at), int(at) + 1) for at in which] or [np.empty(0, self.dtype)])

    def _read(self, start: int, stop: int) -> np.ndarray:
        in_memory = self._rest[max(0, start - self._n):max(0, stop - self._n)]
        on_disk, end = [], min(stop, self._n)
        piece = bisect_right(self._starts, start) - 1
        while piece < len(self._pieces) and self._starts[piece] < end:
            on_disk.append(self._of_piece(piece, start, end))
            piece += 1
        items = np.concatenate([*on_disk, in_memory])
        for at, (end_ns, flags) in self._ends.items():
            if start <= at < stop:
                row = items[at - start:at - start + 1]
                row["end_ns"] = end_ns
                row["flags"] |= np.where(row["scope"] < PYTHON_CALL, flags, 0).astype(np.uint8)
        return items

    def _of_piece(self, piece: int, start: int, stop: int) -> np.ndarray:
        file, block = self._pieces[piece]
        begin = max(start - self._starts[piece], 0)
        end = min(stop, self._starts[piece + 1]) - self._starts[piece]
        size = self.dtype.itemsize
        return np.frombuffer(file.read(block.offset + begin * size, (end - begin) * size), self.dtype)


def threads_in(files: list[JournalFile | FinishedFile]) -> dict[tuple[int, int], OnDisk]:
    """What the files hold, by thread and life."""
    threads: dict[tuple[int, int], OnDisk] = {}
    for file in files:
        for block in blocks(file):
            if not (0 < block.thread < MOST_LOGS and block.life >= 0):
                continue
            thread = threads.setdefault((block.thread, block.life), OnDisk())
            if block.kind == THREAD and is_whole(file, block):
                facts = facts_of(file, block)
                thread.os_id, thread.name = _whole(facts.get("os_id")), str(facts.get("name", ""))
            elif block.kind in TYPES:
                thread.pieces[block.kind].append((file, block))
    return threads


def numbered(keys: list[tuple[int, int]]) -> list[tuple[tuple[int, int], int]]:
    """A small number for each thread and life, in their order: the number of its log for the first that had it."""
    first: dict[int, tuple[int, int]] = {}
    numbers = [(key, key[0] if first.setdefault(key[0], key) == key else MOST_LOGS + place)
               for place, key in enumerate(keys)]
    return sorted(numbers)


def words_in(files: list[JournalFile | FinishedFile]) -> Words:
    """All words that rows in the files may name."""
    words, optimizers = Words(), {}
    for file in files:
        declared: list = []
        for block in blocks(file):
            if block.kind != WORDS or not is_whole(file, block):
                continue
            facts = facts_of(file, block)
            try:
                declared += [(str(name), str(overload)) for name, overload in facts.get("declared", ())]
                words.names.update((_number(n), str(word)) for n, word in facts.get("names", ()))
                words.inputs.update((_number(n), inputs_of(value)) for n, value in facts.get("inputs", ()))
                words.modules.update((_number(n), module_of(value)) for n, value in facts.get("modules", ()))
                optimizers.update((n, optimizer_of(value)) for n, value in facts.get("optimizers", ()))
                words.optimizers.update((_whole(row), optimizers[n]) for row, n in facts.get("steps", ())
                                        if n in optimizers)
            except (TypeError, ValueError, AttributeError, RecursionError) as error:
                raise ValueError(f"{file.path!r} is damaged: it has words that nobody wrote ({error})") from error
            words.end_ns = max(words.end_ns, _whole(facts.get("end_ns")))
            words.refused = _whole(facts.get("refused")) or words.refused
        words.declared = declared or words.declared
    return words


def _whole(value: object) -> int:
    """A number out of a file, if it is one that a row could hold; else 0."""
    return value if type(value) is int and -INT64 <= value < INT64 else 0


def _number(value: object) -> int:
    """The number of a word."""
    if type(value) is not int or not 0 <= value < MOST_WORDS:
        raise ValueError(f"a word has the number {value!r}")
    return value


@dataclass
class LeftBehind:
    """A journal whose process is gone."""

    about: dict
    start: dict
    files: list[FinishedFile]


def left_behind(path: str | os.PathLike) -> list[LeftBehind]:
    """The journals at a path, or in a folder, in the order in which they were begun."""
    path = Path(path)
    paths = sorted(path.glob("*" + SUFFIX)) if path.is_dir() else [path]
    if not paths:
        raise FileNotFoundError(f"there is no recording in the folder {str(path)!r}: no file ends in {SUFFIX!r}")
    journals: dict[tuple, LeftBehind] = {}
    for one, start in sorted(_starts(paths), key=lambda entry: [entry[1][name] for name in ORDER]):
        start_ns, pid, _ = (start[name] for name in ORDER)
        journal = journals.setdefault((start_ns, pid), LeftBehind(start["about"], start, []))
        journal.files.append(FinishedFile(str(one)))
    return list(journals.values())


def _starts(paths: list[Path]) -> list[tuple[Path, dict]]:
    """What journals say of themselves. A process may be killed as it begins one: those that say nothing are left out,
    unless none says anything."""
    starts, failure = [], None
    for path in paths:
        try:
            starts.append((path, _start(path)))
        except ValueError as error:
            failure = failure or error
    if not starts and failure is not None:
        raise failure
    return starts


def _start(path: Path) -> dict:
    """What a journal says of itself in its first block; ValueError if it is none."""
    file = FinishedFile(str(path))
    first = next(blocks(file), None)
    if first is None or first.kind != ABOUT:
        if file.size < HEADER.size:
            raise ValueError(f"{str(path)!r} has {file.size} bytes, too few for a recording")
        kind = "is cut off or damaged" if file.read(0, len(MAGIC)) == MAGIC else "is no recording of mindtorch_v2's"
        raise ValueError(f"{str(path)!r} {kind}")
    start = facts_of(file, first)
    if start.get("version") not in (WITHOUT_DEVICES, VERSION):
        raise ValueError(f"{str(path)!r} was written by another version: it has format {start.get('version')!r}, "
                         f"this version reads formats {WITHOUT_DEVICES} and {VERSION}")
    if not is_whole(file, first):
        raise ValueError(f"{str(path)!r} is damaged: its beginning is not as it was written")
    for name in ("wall_offset_ns", "start_bytes", *ORDER):
        if type(start.get(name)) is not int or not -INT64 <= start[name] < INT64:
            raise ValueError(f"{str(path)!r} is damaged: it does not say its {name}")
    if not isinstance(start.get("about"), dict):
        raise ValueError(f"{str(path)!r} is damaged: it does not say what was recorded")
    return start

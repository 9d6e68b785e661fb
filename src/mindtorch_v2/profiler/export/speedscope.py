"""speedscope's own format: frames by name, file and line, and each thread as calls that open and close."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ..table.event_table import EventTable
from .files import writing
from .json_text import dump
from .tracks import Track, by_appearance, tracks

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
PYTHON_FRAME = re.compile(r"(?P<file>.+\.py)\((?P<line>\d+)\): (?P<name>.+)", re.DOTALL)


def export_speedscope(table: EventTable, path, name: str) -> None:
    """Write a profile for speedscope: a thread after the other, from the one with most calls on."""
    with writing(path) as out:
        for piece in pieces(table, name):
            out.write(piece.encode())


def pieces(table: EventTable, name: str) -> Iterator[str]:
    """The file's text, a thread at a time."""
    shown = sorted((track for track in tracks(table) if len(track.row)), key=lambda track: -len(track.row))
    used, frame = by_appearance(np.concatenate([np.zeros(0, int), *(track.names(table) for track in shown)]))
    frames = ",\n".join(dump(frame_of(table.names[name][0])) for name in used)
    yield (f'{{"$schema": "{SCHEMA}", "exporter": "mindtorch_v2", "name": {dump(name)}, "activeProfileIndex": 0,\n'
           f'"shared": {{"frames": [\n{frames}\n]}},\n"profiles": [\n')
    at = 0
    for track in shown:
        yield (",\n" if at else "") + _profile(table, track, frame[at:at + len(track.row)])
        at += len(track.row)
    yield "\n]}\n"


def frame_of(word: str) -> dict[str, str | int]:
    """A name as a frame; a call of Python's by its function, file and line."""
    call = PYTHON_FRAME.fullmatch(word)
    return {"name": word} if call is None else {"name": call["name"], "file": call["file"], "line": int(call["line"])}


def _profile(table: EventTable, track: Track, frames: np.ndarray) -> str:
    start_ns = table.window.start_ns
    at = (track.time_ns - start_ns).tolist()
    kinds = np.where(track.is_end, "C", "O").tolist()
    events = ",\n".join([f'{{"type":"{kind}","frame":{frame},"at":{time}}}'
                         for kind, frame, time in zip(kinds, frames.tolist(), at)])
    return (f'{{"type": "evented", "name": {dump(f"{track.title} ({track.tid})")}, "unit": "nanoseconds", '
            f'"startValue": {min(0, at[0])}, "endValue": {max(table.window.end_ns - start_ns, at[-1])}, '
            f'"events": [\n{events}\n]}}')

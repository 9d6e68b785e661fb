"""Processes that a profiled program starts: each records itself and leaves its profile in a folder."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..profiler.results.profile_results import ProfileResults
from .process_recording import ProcessRecording

VARIABLE = "MINDTORCH_PROFILED_CHILD"  # says what to record and where to leave it; mindtorch_v2 looks for it
PREFIX, SUFFIX = ".processes-", ".mtprof"  # of the folder, and of the files in it


class ChildProcesses:
    """Where children leave their profiles: a folder that is removed at the end. Those that are forked know it, others
    find it in their environment."""

    def __init__(self, folder: Path, steps: tuple[int, int] | None, switches: dict[str, bool]):
        self._folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder.resolve()))
        os.environ[VARIABLE] = json.dumps({"folder": str(self._folder), "steps": steps, "switches": switches})

    @property
    def write(self) -> Callable:
        """What a forked child does with its profile."""
        return _leaving_in(self._folder)

    def profiles(self) -> list[ProfileResults]:
        """What has been left so far, by the numbers of the processes."""
        from ..profiler import load
        profiles = []
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            with suppress(OSError, ValueError, RuntimeError):  # one that was not written whole
                profiles.append(load(path))
        return profiles

    def clear(self) -> None:
        """Remove the folder: who comes later leaves nothing."""
        shutil.rmtree(self._folder, ignore_errors=True)


def begin() -> None:
    """Record this process, which was started by one that is profiled."""
    try:
        asked = json.loads(os.environ[VARIABLE])
        folder, steps = Path(asked["folder"]), asked["steps"]
        switches = {str(name): bool(value) for name, value in asked["switches"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return
    if folder.is_dir():
        write = _leaving_in(folder)
        ProcessRecording(None if steps is None else tuple(steps), switches, write, write).start()


def _leaving_in(folder: Path) -> Callable:
    """A function that writes a profile into the folder, unless nothing is in it or nobody waits for it any more."""
    def leave(profile) -> None:
        if len(profile.events()) and folder.is_dir():
            with suppress(OSError):  # a full disk is nothing for the program to hear of
                profile.save(folder / f"{os.getpid()}-{time.monotonic_ns()}{SUFFIX}")

    return leave

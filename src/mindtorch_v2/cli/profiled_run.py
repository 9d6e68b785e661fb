"""A program that runs in this process under a profile: its arguments and its end."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import TracebackType

import click

from ..alias import install_as_torch
from ..record import calls
from .process_recording import ProcessRecording

INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended
OWN = (__file__, runpy.__file__)
# What stands around the program: this command, and what Python and click started it with.
AROUND = (str(Path(__file__).parents[1] / "__main__.py"), str(Path(click.__file__).parent), "<frozen runpy>",
          runpy.__file__, *filter(None, sys.argv[:1]))


def run(program: tuple[str, ...], recording: ProcessRecording) -> int:
    """Run a program to its end, whatever that is; its exit code."""
    calls.hide_files(__file__, *AROUND)
    install_as_torch()
    recording.start()
    try:
        return _called(program)
    finally:
        recording.stop()


def _called(program: tuple[str, ...]) -> int:
    try:
        if program[0] == "-m":
            sys.argv = list(program[1:])
            sys.path[0] = str(Path.cwd())
            runpy.run_module(program[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = list(program)
            sys.path[0] = str(Path(program[0]).resolve().parent)
            runpy.run_path(program[0], run_name="__main__")
    except SystemExit as exit_:
        return _code_of(exit_)
    except KeyboardInterrupt as error:
        _show(error)
        return INTERRUPTED
    except BaseException as error:
        _show(error)
        return 1
    return 0


def _code_of(exit_: SystemExit) -> int:
    """What Python would make of it."""
    if exit_.code is None or isinstance(exit_.code, int):
        return exit_.code or 0
    print(exit_.code, file=sys.stderr)
    return 1


def _show(error: BaseException) -> None:
    """The program's traceback, without what stands around it here."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and (frames.tb_frame.f_code.co_filename in OWN
                                  or frames.tb_frame.f_code.co_filename.startswith("<frozen runpy")):
        frames = frames.tb_next
    if frames is None and isinstance(error, ImportError):  # Python's words about a program that it does not find
        print(f"Error: {error}", file=sys.stderr)
    else:
        sys.excepthook(type(error), error.with_traceback(frames), frames)  # Python's, or one that the program has set

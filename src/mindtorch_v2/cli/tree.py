"""`mindtorch tree`: who called whom, calls of the same names together."""

from __future__ import annotations

import click
import numpy as np
from rich.text import Text
from rich.tree import Tree

from ..profiler.results.profile_results import ProfileResults
from ..profiler.views.flame import Frames
from . import profile_file, terminal

ALL_OF_IT, NEVER = 0.98, 2.0  # a call that takes so much of its caller's time stands for it


@click.command("tree", short_help="Who called whom, with times.")
@profile_file.argument
@click.option("--depth", type=click.IntRange(min=1), default=6, show_default=True, help="Levels to show.")
@click.option("--least", type=click.FloatRange(0, 100), default=1.0, show_default=True,
              help="Leave out what takes less than so many percent of all.")
@click.option("--callers", is_flag=True, help="From ops up to their callers.")
def command(profile: ProfileResults, depth: int, least: float, callers: bool) -> None:
    """Show calls as a tree, the longest first.

    \b
        mindtorch tree run.mtprof --depth 4
        mindtorch tree run.mtprof --callers
    """
    digest = profile.digest()
    frames = digest.bottom_up if callers else digest.top_down
    roots = np.flatnonzero(frames.parent < 0)
    whole = int(frames.total_ns[roots].sum())
    top = Tree(Text(f"{terminal.times(whole)} in all"))
    # From an op up, every caller counts; from the program down, what only calls another does not.
    _grow(top, frames, _children(frames), roots, whole, depth, least / 100, NEVER if callers else ALL_OF_IT)
    terminal.console().print(top)


def _children(frames: Frames) -> dict[int, list[int]]:
    below: dict[int, list[int]] = {}
    for frame, parent in enumerate(frames.parent.tolist()):
        below.setdefault(parent, []).append(frame)
    return below


def _grow(branch: Tree, frames: Frames, below: dict, places, whole: int, depth: int, least: float,
          passing: float) -> None:
    """Branches for frames that are long enough, longest first; those that only pass time on are left out."""
    for frame in sorted(places, key=lambda place: -frames.total_ns[place]):
        total_ns = int(frames.total_ns[frame])
        if total_ns < least * whole or not depth:
            continue
        frame, passed = _where_it_divides(int(frame), frames, below, passing)
        through = f"  (through {passed} calls)" if passed else ""
        label = Text.assemble((f"{terminal.share(total_ns, whole):>7}  {terminal.times(total_ns):>9}  ", "cyan"),
                              terminal.one_line(frames.words[frames.word[frame]]),
                              (f"  × {int(frames.count[frame]):,}{through}", "dim"))
        _grow(branch.add(label), frames, below, below.get(frame, []), whole, depth - 1, least, passing)


def _where_it_divides(frame: int, frames: Frames, below: dict, passing: float) -> tuple[int, int]:
    """The first frame below this one that does more than call another, and how many there are on the way."""
    passed = 0
    while True:
        called = below.get(frame, [])
        largest = max(called, key=lambda child: frames.total_ns[child], default=None)
        if largest is None or frames.total_ns[largest] < passing * frames.total_ns[frame]:
            return frame, passed
        frame, passed = largest, passed + 1

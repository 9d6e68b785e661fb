"""Stacks as files show them: a deep one by its innermost frames, since whole ones grow with the square of the depth."""

from __future__ import annotations

from ..table.event_table import EventTable
from ..views.visible_events import frames

WHOLE_UP_TO = 100  # frames: more than programs have that do not recurse
INNERMOST = 32  # of a deeper one; the rows of a trace nest as deep as the calls did


def left_out(count: int) -> str:
    """What stands for the outer frames of a deep stack."""
    return f"... {count} more frames"


def bounded(stack: list[str]) -> list[str]:
    """A stack's frames, the innermost first; of a deep one those, and how many there are besides."""
    if len(stack) <= WHOLE_UP_TO:
        return stack
    return [*stack[:INNERMOST], left_out(len(stack) - INNERMOST)]


class CallStacks:
    """The stacks of a profile, each a (stack below, name), as lists of frames, the innermost first."""

    def __init__(self, table: EventTable, stacks: list[tuple[int, int]]):
        self._table, self._stacks = table, stacks
        self._depths = [0] * len(stacks)
        for number in range(1, len(stacks)):  # a stack comes after the one below it
            self._depths[number] = self._depths[stacks[number][0]] + 1

    def __len__(self) -> int:
        return len(self._stacks)

    def frames(self, stack: int, whole_up_to: int = WHOLE_UP_TO) -> list[str]:
        """The frames of a stack; of one that is deeper than that, the innermost and how many there are besides."""
        depth = self._depths[stack]
        if depth <= whole_up_to:
            return frames(self._table, self._stacks, stack)
        return [*frames(self._table, self._stacks, stack, INNERMOST), left_out(depth - INNERMOST)]

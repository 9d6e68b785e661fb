"""Everything that views work out of one table, each part when it is first asked for and once."""

from __future__ import annotations

import numpy as np

from ..table.cached_property import cached_property
from ..table.columns import PYTHON_SCOPE
from ..table.event_table import EventTable
from . import steps
from .flame import Frames, bottom_up, top_down
from .modules import Modules, ModuleTable
from .op_table import OpRow, op_table
from .peak import Holder, Peak, holders, peak
from .row_kinds import RowKinds
from .users_place import users_place
from .visible_events import VisibleEvents
from .waiting import thread_table

PACKAGE = __name__.partition(".")[0] + "/"
# How frames begin that are not of the user's program.
NOT_USERS = (PACKAGE, "nn.Module: ", "<", "threading.py(", "contextlib.py(", "runpy.py(", "copy.py(")


class Digest:
    """Answers about a table, live or loaded; ``categories`` says what blocks of memory are for, where that is known."""

    def __init__(self, table: EventTable, categories: np.ndarray | None = None, category_names: tuple[str, ...] = ()):
        self.table = table
        self._categories, self._category_names = categories, category_names

    visible = cached_property(lambda self: VisibleEvents(self.table))
    kinds = cached_property(lambda self: RowKinds(self.table))
    steps = cached_property(lambda self: steps.steps(self.table, self.kinds))
    modules = cached_property(lambda self: Modules(self.table, self.kinds))
    threads = cached_property(lambda self: thread_table(self.table, self.kinds, self.visible))
    peak = cached_property(lambda self: peak(self.table))

    @cached_property
    def module_table(self) -> ModuleTable:
        return self.modules.table()

    @cached_property
    def top_down(self) -> Frames:
        return top_down(self.visible)

    @cached_property
    def bottom_up(self) -> Frames:
        return bottom_up(self.top_down)

    def ops(self, by_shapes: bool = False, by_stack: bool = False) -> list[OpRow]:
        """Rows of the op table."""
        return op_table(self.visible, self.steps, by_shapes, by_stack)

    @property
    def wall_ns(self) -> int:
        """Time that can be saved: that of all steps."""
        return sum(step.wall for step in self.steps)

    def module_at(self, thread: np.ndarray, time_ns: np.ndarray) -> list[str]:
        """The names of the modules that moments belong to; empty for none."""
        names = [*self.modules.paths, ""]
        return [names[number] for number in self.modules.of_moments(thread, time_ns).tolist()]

    def is_in_module(self, kind: str, rows: np.ndarray) -> np.ndarray:
        """Whether the innermost module around each row is of this class."""
        kinds = [*(word.kind for word in self.modules.words), ""]
        numbers = self.modules.of_moments(self.table["thread"][rows], self.table["start_ns"][rows])
        return np.array([kinds[number] == kind for number in numbers.tolist()], bool)

    def places(self, rows: np.ndarray) -> list[str]:
        """Where in the user's program rows of the table were called: a function, with the line where that is known,
        else a module; empty if unknown."""
        callers = np.where(self.kinds.is_python[rows], rows, self.table["parent"][rows]).tolist()
        users = {caller: users_place(self.table, caller, NOT_USERS) for caller in set(callers)}
        modules = self.module_at(self.table["thread"][rows], self.table["start_ns"][rows])
        return [users[caller] or module for caller, module in zip(callers, modules)]

    def is_called_by(self, stack: int, folders: tuple[str, ...]) -> bool:
        """Whether a function in one of these folders of our package, or one that makes a module, stands nearer to an op
        than any of the user's."""
        for frame in self.visible.frames(stack):
            if not frame.startswith(NOT_USERS):
                return False
            if frame.startswith(tuple(PACKAGE + folder for folder in folders)) or frame.endswith(": __init__"):
                return True
        return False

    @cached_property
    def peak_holders(self) -> list[Holder]:
        """What is alive at the fullest moment, by whom it was allocated."""
        fullest: Peak | None = self.peak
        if fullest is None:
            return []
        memory, rows = self.table.memory, self.table.memory["event"][fullest.changes]
        ops = [self._allocator(row) for row in rows.tolist()]
        stacks = np.where(rows >= 0, np.append(self.visible.cells.stack, 0)[rows], 0)
        modules = self.module_at(memory["thread"][fullest.changes], memory["time_ns"][fullest.changes])
        names = [*self._category_names, ""]
        categories = [""] * len(ops) if self._categories is None else \
            [names[number] for number in self._categories[fullest.changes].tolist()]
        return holders(fullest.changes, memory["change"], ops, modules, stacks, categories)

    def _allocator(self, row: int) -> str:
        """The op that a block was allocated for: the outermost one around it, within a backward node the node's."""
        if row < 0:
            return ""
        table, op = self.table, row
        while row >= 0 and table["scope"][row] < PYTHON_SCOPE:
            if not self.kinds.is_range[row]:
                op = row
            row = int(table["parent"][row])
        return table.names[table["name"][op]][0]

"""One pass over the rows of a thread, in the order in which they were opened: the tree, and what it adds up to.

Rows arrive with the number of the row that was innermost when they began, so the rows still open at any point are a
stack. A row is finished when one comes that did not begin inside it: then its own time and bytes are known, and it is
counted. Nothing is kept of it but the sums of its group, or one cell per row where the events are to be listed.

walk.pxd gives the types; the same lines run, slower, where nothing is compiled.
"""

from __future__ import annotations

from ..table.columns import PYTHON_SCOPE, USER_SCOPE

NONE, END = -1, 1 << 62


class Open:
    """A row that is still open, or waits to be counted."""

    def __init__(self):
        self.row = NONE


class Group:
    """Sums over the rows that agree in name, kind and, where it was asked for, inputs and stack."""

    def __init__(self, row: Open):
        self.name, self.user, self.inputs, self.stack = row.name, row.user, row.inputs, row.stack
        self.first_ns, self.first_row = row.start_ns, row.row
        self.count = self.total_ns = self.self_ns = self.total_bytes = self.self_bytes = self.flops = 0


class Rows:
    """One cell per row of the table, for those who want to see every event."""

    def __init__(self, kept, parent, self_ns, self_bytes, total_bytes, stack):
        self.kept, self.parent, self.self_ns, self.stack = kept, parent, self_ns, stack
        self.self_bytes, self.total_bytes = self_bytes, total_bytes


class Walk:
    """The pass. ``word`` gives names their number as they are shown; ``cells`` takes rows, else groups take them."""

    def __init__(self, word, by_inputs: bool = False, by_stack: bool = False, cells=None):
        self.word, self.cells = word, cells
        self.by_inputs, self.by_stack = by_inputs, by_stack
        self.open: list[Open] = []
        self.idle: list[Open] = []
        self.groups: dict = {}
        self.stacks: dict[int, int] = {}
        self.frames: list[tuple[int, int]] = [(NONE, NONE)]  # stack → (stack below, name); the first is the empty one
        self.changes = None
        self.n_changes = self.at_change = 0
        self.outside: Group | None = None

    def thread(self, changes) -> None:
        """Begin a thread; ``changes()`` gives the next block of its memory changes, or None."""
        self.changes = changes
        self.n_changes = self.at_change = 0

    def rows(self, first, start_ns, end_ns, name, parent, inputs, scope, flops) -> None:
        """Take the next rows of the thread; ``first`` is the number of the first of them, which parents count in."""
        for i in range(len(start_ns)):
            if self.changes is not None:
                self.charge(first + i)
            self.close(parent[i])
            row = self.idle.pop() if self.idle else Open()
            row.row, row.start_ns, row.end_ns = first + i, start_ns[i], end_ns[i]
            row.name, row.inputs, row.user, row.flops = name[i], inputs[i], scope[i] == USER_SCOPE, flops[i]
            self.enter(row, scope[i] >= PYTHON_SCOPE)

    def end(self) -> None:
        """The thread has no more rows."""
        if self.changes is not None:
            self.charge(END)
        self.close(NONE)

    def enter(self, row, is_python) -> None:
        """Put a row on top of those it began in."""
        below = self.open[len(self.open) - 1] if self.open else None
        row.word, row.last_ns = self.word[row.name], row.end_ns
        row.inner_ns = row.children = row.self_bytes = row.total_bytes = 0
        row.repeat = None
        row.above = below
        # A range may keep calls above it that have ended: the stack is that of the innermost call that goes on.
        caller = None if below is None else below.caller
        while caller is not None and caller.end_ns < row.start_ns:
            caller = None if caller.above is None else caller.above.caller
        row.stack = 0 if caller is None else caller.called
        row.caller = row if is_python else caller
        row.called = self.deeper(row.stack, row.name) if is_python else row.stack
        # A row that outlives what it began in (closed out of order, held by a generator) is no child of it.
        holder = below
        while holder is not None and holder.end_ns < row.end_ns:
            holder = holder.above
        row.holder = holder
        if holder is not None:
            holder.children += 1
            if holder.repeat is not None:
                self.count(holder.repeat)
                holder.repeat = None
        self.open.append(row)

    def deeper(self, stack, name):
        """The number of the stack that has one more frame."""
        key = stack << 32 | name
        number = self.stacks.get(key)
        if number is None:
            number = self.stacks[key] = len(self.frames)
            self.frames.append((stack, name))
        return number

    def close(self, parent) -> None:
        """Finish the rows that the next one, which began in ``parent``, did not begin in."""
        while self.open:
            row = self.open[len(self.open) - 1]
            if row.row == parent:
                return
            self.open.pop()
            self.finish(row)

    def finish(self, row) -> None:
        """All that began in the row is done: its own time is what they left."""
        row.self_ns = row.end_ns - row.start_ns - row.inner_ns
        row.total_bytes += row.self_bytes
        if row.repeat is not None:
            # torch leaves out an event that only repeats its parent; its time and bytes become the parent's.
            row.self_ns += row.repeat.self_ns
            row.self_bytes += row.repeat.self_bytes
            self.leave_out(row.repeat)
            row.repeat = None
        above, holder = row.above, row.holder
        if above is not None:
            # Every instant belongs to one row only: the innermost that is open, whoever holds it.
            above.inner_ns += min(row.last_ns, above.end_ns) - row.start_ns
            above.last_ns = max(above.last_ns, row.last_ns)
        if holder is not None:
            holder.total_bytes += row.total_bytes
            if holder.children == 1 and holder.word == row.word:
                holder.repeat = row
                return
        self.count(row)

    def count(self, row) -> None:
        """Add a finished row to its group, or write its cells."""
        if self.cells is not None:
            self.write(row, 1)
        else:
            group = self.group_of(row)
            group.count += 1
            group.total_ns += row.end_ns - row.start_ns
            group.self_ns += row.self_ns
            group.total_bytes += row.total_bytes
            group.self_bytes += row.self_bytes
            group.flops += row.flops
            if row.start_ns < group.first_ns or row.start_ns == group.first_ns and row.row < group.first_row:
                group.first_ns, group.first_row = row.start_ns, row.row
        self.release(row)

    def group_of(self, row):
        key = row.name << 1 | row.user
        if self.by_inputs or self.by_stack:
            row.inputs = row.inputs if self.by_inputs else NONE
            row.stack = row.stack if self.by_stack else 0
            group = self.groups.get((key, row.inputs, row.stack))
            if group is None:
                group = self.groups[key, row.inputs, row.stack] = Group(row)
            return group
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group(row)
        return group

    def leave_out(self, row) -> None:
        if self.cells is not None:
            self.write(row, 0)
        self.release(row)

    def write(self, row, kept) -> None:
        cells = self.cells
        cells.kept[row.row] = kept
        cells.parent[row.row] = row.holder.row if row.holder is not None else NONE
        cells.self_ns[row.row] = row.self_ns
        cells.stack[row.row] = row.stack
        if self.changes is not None:
            cells.self_bytes[row.row] = row.self_bytes
            cells.total_bytes[row.row] = row.total_bytes

    def release(self, row) -> None:
        row.above = row.holder = row.caller = None
        self.idle.append(row)

    def charge(self, next_row) -> None:
        """Charge the memory changes that were noted before the next row to the innermost rows of their time.

        A change that came later may be among them, if it belongs to a row that is still open: the sum is the same.
        What was there before the profile and is released is nobody's: torch says nothing of it.
        """
        while self.at_change < self.n_changes or self.more_changes():
            row = self.change_row[self.at_change]
            if row >= next_row:
                return
            if self.change_seen[self.at_change]:
                self.charge_to(row, self.at_change)
            self.at_change += 1

    def more_changes(self):
        block = self.changes()
        if block is None:
            return False
        self.change_row, self.change_bytes, self.change_seen, self.change_ns = block
        self.at_change, self.n_changes = 0, len(self.change_row)
        return self.n_changes > 0

    def charge_to(self, row, at) -> None:
        innermost = self.opened(row)
        if innermost is not None:
            innermost.self_bytes += self.change_bytes[at]
            return
        if self.outside is None:
            self.outside = self.groups[NONE] = self.outside_group()
        self.outside.count += 1
        self.outside.total_bytes += self.change_bytes[at]
        self.outside.self_bytes += self.change_bytes[at]
        self.outside.first_ns = min(self.outside.first_ns, self.change_ns[at])

    def outside_group(self):
        """Memory that no row is charged with; it goes by the last of the names."""
        row = Open()
        row.name, row.inputs, row.start_ns, row.row = len(self.word) - 1, NONE, END, END
        row.user = row.stack = 0
        return Group(row)

    def opened(self, row):
        """The open row of that number: numbers grow towards the top."""
        low, high = 0, len(self.open)
        while low < high:
            middle = (low + high) // 2
            candidate = self.open[middle]
            if candidate.row == row:
                return candidate
            if candidate.row < row:
                low = middle + 1
            else:
                high = middle
        return None


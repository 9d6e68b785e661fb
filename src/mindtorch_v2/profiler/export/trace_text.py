"""A trace's events as text, in plain Python: the reading of trace_text.pyx, used where nothing is compiled."""

from __future__ import annotations

NS_PER_US = 1000

# What a call is in a trace, by the number it has in the column ``kind``.
CATEGORIES = ("cpu_op", "user_annotation", "python_function")
OP, PYTHON = 0, 2
# The columns of a block of calls, in the order of the arguments of ``calls``, all of them int64.
CALLS = ("row", "kind", "name", "tid", "start_ns", "end_ns", "external_id", "sequence", "forward_thread", "said",
         "stack", "state", "arrow", "python_id", "python_parent", "number", "record", "cpu_start_ns", "cpu_end_ns")
UNFINISHED, OVERLAPPING, BACKWARD = 1, 2, 4  # bits of ``state``
CHANGES = ("tid", "time_ns", "address", "change", "total", "number")


def calls(pid: int, base_ns: int, names: list[bytes], said: list[bytes], stacks: list[bytes],
          arrows: tuple[bytes, ...], columns: tuple) -> bytes:
    """A block of calls, one line each and more for its arrow, one for each of its categories in ``arrows``; ``said``
    and ``stacks`` are pieces of their args."""
    lines = []
    for cells in zip(*columns):
        call = dict(zip(CALLS, cells))
        common = (f'"cat": "{CATEGORIES[call["kind"]]}", "name": {names[call["name"]].decode()}, "pid": {pid}, '
                  f'"tid": {call["tid"]}')
        ts, end = us(call["start_ns"] - base_ns), us(call["end_ns"] - base_ns)
        args, length = _args(call, said, stacks), us(call["end_ns"] - call["start_ns"])
        if call["cpu_start_ns"] >= 0:
            length += f', "tts": {us(call["cpu_start_ns"])}, "tdur": {us(call["cpu_end_ns"] - call["cpu_start_ns"])}'
        if call["state"] & OVERLAPPING:
            # On the same track it would overlap without nesting, and viewers drop such slices: it gets its own track.
            # Its duration is for programs that know only slices.
            common += f', "id2": {{"local": "{call["row"] + 1}"}}'
            lines.append(f'{{"ph": "b", {common}, "ts": {ts}, "dur": {length}, "args": {args}}},\n')
            lines.append(f'{{"ph": "e", {common}, "ts": {end}}},\n')
        else:
            lines.append(f'{{"ph": "X", {common}, "ts": {ts}, "dur": {length}, "args": {args}}},\n')
        for category in arrows if call["arrow"] else ():
            ends = '"ph": "f", "bp": "e"' if call["state"] & BACKWARD else '"ph": "s"'
            lines.append(f'{{{ends}, "id": {call["arrow"]}, "pid": {pid}, "tid": {call["tid"]}, "ts": {ts}, '
                         f'"cat": "{category.decode()}", "name": "{category.decode()}"}},\n')
    return "".join(lines).encode()


def _args(call: dict, said: list[bytes], stacks: list[bytes]) -> str:
    text = f'"Ev Idx": {call["number"]}'
    if call["kind"] != PYTHON:
        text += f', "External id": {call["external_id"]}, "Record function id": {call["record"]}'
        if call["sequence"] >= 0:
            text += f', "Sequence number": {call["sequence"]}, "Fwd thread id": {call["forward_thread"]}'
    elif call["python_id"]:
        parent = call["python_parent"] or "null"
        text += f', "Python parent id": {parent}, "Python id": {call["python_id"]}'
    text += said[call["said"]].decode() + stacks[call["stack"]].decode()
    return "{" + text + (', "finished": false}' if call["state"] & UNFINISHED else "}")


def changes(pid: int, base_ns: int, columns: tuple) -> bytes:
    """A block of memory changes, two lines each: the change, and what is allocated from then on."""
    return "".join(
        f'{{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": {pid}, "tid": {tid}, '
        f'"ts": {us(time_ns - base_ns)}, "args": {{"Total Reserved": 0, "Total Allocated": {total}, '
        f'"Bytes": {change}, "Device Id": -1, "Device Type": 0, "Addr": {address}, "Ev Idx": {number}}}}},\n'
        f'{{"ph": "C", "name": "Memory", "pid": {pid}, "tid": {tid}, "ts": {us(time_ns - base_ns)}, '
        f'"args": {{"bytes": {total}}}}},\n'
        for tid, time_ns, address, change, total, number in zip(*columns)).encode()


def us(ns: int) -> str:
    """Microseconds with three decimals, written without going through a float."""
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // NS_PER_US}.{abs(ns) % NS_PER_US:03d}"

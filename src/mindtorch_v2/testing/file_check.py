"""FileCheck: what a text must contain, in which order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

_WORDS = {"check": "CHECK", "not": "CHECK-NOT", "next": "CHECK-NEXT", "same": "CHECK-SAME", "dag": "CHECK-DAG",
          "count": "CHECK-COUNT", "regex": "CHECK-REGEX", "highlighted": "CHECK-SOURCE-HIGHLIGHTED"}
_LINE = re.compile(r"#?\s*CHECK(?:-(NOT|NEXT|SAME|DAG|COUNT(?:-EXACTLY)?-\d+|REGEX|SOURCE-HIGHLIGHTED))?:\s?(.*)")


@dataclass(frozen=True)
class _Check:
    """One demand."""

    kind: str
    wanted: str
    count: int = 1

    def __str__(self) -> str:
        number = f"-{self.count}" if self.kind == "count" else ""
        return f"{_WORDS[self.kind]}{number}: {self.wanted}"


class FileCheck:
    """Demands, each added by a method that returns the object itself; ``run`` holds a text to them."""

    def __init__(self) -> None:
        self._checks: list[_Check] = []
        self._has_run = False

    def check(self, test_string: str, /) -> FileCheck:
        """The text is next found somewhere behind what was found before."""
        return self._add("check", test_string)

    def check_not(self, test_string: str, /) -> FileCheck:
        """The text is not between what is found before and after."""
        return self._add("not", test_string)

    def check_next(self, test_string: str, /) -> FileCheck:
        """The text is on the next line."""
        return self._add("next", test_string)

    def check_same(self, test_string: str, /) -> FileCheck:
        """The text is on the same line."""
        return self._add("same", test_string)

    def check_dag(self, test_string: str, /) -> FileCheck:
        """The text is there, in any order with the other ones beside it that are demanded so."""
        return self._add("dag", test_string)

    def check_count(self, test_string: str, count: int, exactly: bool = False, /) -> FileCheck:
        """The text is there so many times; exactly so many, if no more are allowed."""
        self._add("count", test_string, count)
        return self._add("not", test_string) if exactly else self

    def check_regex(self, test_string: str, /) -> FileCheck:
        """A text that a regular expression describes is next found."""
        return self._add("regex", test_string)

    def check_source_highlighted(self, test_string: str, /) -> FileCheck:
        """The text is there with ~ under it."""
        return self._add("highlighted", test_string)

    def _add(self, kind: str, wanted: str, count: int = 1) -> FileCheck:
        self._checks.append(_Check(kind, wanted, count))
        return self

    def run(self, checks_file: str, test_file: str | None = None, /) -> None:
        """Hold a text to the demands; given two, the first one's lines ``# CHECK: ...`` are further demands."""
        for text in (checks_file, test_file):
            if not isinstance(text, str) and text is not None:
                raise TypeError(f"run(): incompatible function arguments: a text is wanted, got {text!r}")
        self._has_run = True
        if test_file is not None:
            self._checks += _demands_in(checks_file)
        if not self._checks:
            raise RuntimeError("No checks have been added to this instance ofFilecheck! Check for bad input.")
        _hold(checks_file if test_file is None else test_file, self._checks)

    def __del__(self) -> None:
        if not self._has_run:
            print("You have not run this instance of FileCheck!\nFileCheck checks:")
            for check in self._checks:
                print(f"\t{check}")


def _demands_in(text: str) -> list[_Check]:
    """What the lines of a text demand that begin with CHECK."""
    demands = FileCheck()
    demands._has_run = True
    for line in text.splitlines():
        match = _LINE.fullmatch(line.strip())
        if match is None:
            continue
        kind, wanted = (match[1] or "check").lower(), match[2].strip()
        if kind.startswith("count"):
            demands.check_count(wanted, int(kind.rpartition("-")[2]), "exactly" in kind)
        else:
            demands._add("highlighted" if kind == "source-highlighted" else kind, wanted)
    return demands._checks


def _hold(text: str, checks: list[_Check]) -> None:
    """Go through the demands in groups: those that forbid something lie between what others find."""
    begin, forbidden = 0, []
    for kind, members in _groups(checks):
        if kind == "not":
            forbidden = members
            continue
        spans = [_span(text, begin, check) for check in members]
        _refuse(text, begin, min(first for first, _ in spans), forbidden)
        begin, forbidden = max(last for _, last in spans), []
    _refuse(text, begin, len(text), forbidden)


def _groups(checks: list[_Check]) -> Iterator[tuple[str, list[_Check]]]:
    """Neighbours that forbid, or that come in any order, are one group; each other demand is its own."""
    for kind, members in groupby(checks, lambda check: check.kind):
        if kind in ("not", "dag"):
            yield kind, list(members)
        else:
            yield from ((kind, [check]) for check in members)


def _span(text: str, begin: int, check: _Check) -> tuple[int, int]:
    """Where what is demanded begins and ends."""
    if check.kind == "regex":
        match = re.compile(check.wanted).search(text, begin)
        if match is None:
            raise RuntimeError(f'Expected to find regex "{check.wanted}" but did not find it\nSearched string:\n'
                               f"{text[begin:]}\nFrom {check}\n")
        return match.span()
    first = last = _found(text, check.wanted, begin, check)
    for _ in range(check.count):
        last = _found(text, check.wanted, last, check) + len(check.wanted)
    if check.kind == "highlighted":
        while not _is_highlighted(text, first, len(check.wanted)):
            first = _found(text, check.wanted, first + 1, check)
            last = first + len(check.wanted)
    if check.kind == "same":
        _refuse(text, begin, first, [_Check("not", "\n")], check)
    if check.kind == "next":
        line = _found(text[:first], "\n", begin, check)
        _refuse(text, line + 1, first, [_Check("not", "\n")], check)
    return first, last


def _found(text: str, wanted: str, begin: int, check: _Check) -> int:
    place = text.find(wanted, begin)
    if place < 0:
        raise RuntimeError(f'Expected to find {_quoted(wanted)} but did not find it\nSearched string:\n{text}\n'
                           f"From {check}\n")
    return place


def _refuse(text: str, begin: int, end: int, forbidden: list[_Check], told: _Check | None = None) -> None:
    """Complain of a forbidden text between two places."""
    for check in forbidden:
        place = text.find(check.wanted, begin, end)
        if place >= 0:
            start = text.rfind("\n", 0, place) + 1
            line = text[start:].partition("\n")[0]
            mark = f"{line}\n{' ' * (place - start)}{'~' * len(check.wanted)} <--- HERE" if told is None else text
            raise RuntimeError(f"Expected to not find {_quoted(check.wanted)} but found it\n{mark}\n"
                               f"From {told or check}\n")


def _quoted(wanted: str) -> str:
    escaped = wanted.replace("\n", "\\n")
    return f'"{escaped}"'


def _is_highlighted(text: str, place: int, length: int) -> bool:
    """Whether the line below has ~ under a text."""
    column = place - text.rfind("\n", 0, place) - 1
    below = text[place:].partition("\n")[2].partition("\n")[0]
    return below[column:column + length] == "~" * length

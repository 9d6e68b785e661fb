"""Compare: measurements side by side in a table, rows by label, columns by description."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from .measurement import Measurement
from .units import ordered_unique, select_unit, trim_sigfig, unit_to_english

_GREEN, _BOLD, _RED, _RESET = "\033[92m", "\033[1m", "\033[31m", "\033[0m"
# How many times the best a cell may be, and how it is then coloured.
_COLOURS = ((1.05, (_GREEN, _BOLD)), (1.2, (_GREEN,)), (2.0, ()), (float("inf"), (_RED,)))


class Colorize(enum.Enum):
    """Among what the best is coloured."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class Compare:
    """Prints tables of measurements; those of one statement are taken together."""

    def __init__(self, results: list[Measurement]) -> None:
        self._results: list[Measurement] = []
        self.extend_results(results)
        self._trim, self._colorize, self._warn = False, Colorize.NONE, False

    def extend_results(self, results: Iterable[Measurement]) -> None:
        """Take more."""
        for result in results:
            if not isinstance(result, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(result)} instead.")
            self._results.append(result)

    def trim_significant_figures(self) -> None:
        """Show no more digits than were measured."""
        self._trim = True

    def colorize(self, rowwise: bool = False) -> None:
        """Colour what is best in its row or column."""
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Mark times that are doubtful."""
        self._warn = True

    def print(self) -> None:
        """Print the tables."""
        print(str(self))

    def __str__(self) -> str:
        merged = Measurement.merge(self._results)
        labels = ordered_unique(m.task_spec.label for m in merged)
        return "\n".join(self._table([m for m in merged if m.task_spec.label == label]) for label in labels)

    def _table(self, results: list[Measurement]) -> str:
        unit, scale = select_unit(min(m.median for m in results))
        columns = ordered_unique(m.task_spec.description or "" for m in results)
        cells = {(m.task_spec.num_threads, m.env, m.as_row_name, m.task_spec.description or ""): m for m in results}
        groups = ordered_unique(key[:2] for key in cells)
        rows = [(group, name) for group in groups
                for name in ordered_unique(key[2] for key in cells if key[:2] == group)]
        texts = {key: self._text(m, scale) for key, m in cells.items()}
        widths = [max(len(c), *(len(texts[key]) for key in texts if key[3] == c)) for c in columns]
        first = max(len(name) for _, name in rows) + 2
        head = " " * (first + 4) + "  " + "".join(f"|  {c.center(w)}  " for c, w in zip(columns, widths))
        lines, width, begun = [head.rstrip()], len(head.rstrip()), set()
        for group, name in rows:
            if group not in begun:
                begun.add(group)
                lines.append(f"{group[0]} threads: ".ljust(width, "-"))
            row = [self._coloured(cells, texts, (*group, name, c), w) for c, w in zip(columns, widths)]
            lines.append(f"      {name:<{first - 2}}  " + "".join(f"|  {text}  " for text in row).rstrip())
        title = f" {results[0].task_spec.label} "
        dashes = max(width - 2 - len(title), 0)
        bar = f"[{'-' * (dashes // 2)}{title}{'-' * (dashes - dashes // 2)}]"
        return "\n".join([bar, *lines, "", f"Times are in {unit_to_english(unit)}s ({unit}).", ""])

    def _text(self, m: Measurement, scale: float) -> str:
        value = m.median / scale
        if not self._trim:
            return f"{value:.1f}"
        digits = m.significant_figures
        trimmed = trim_sigfig(value, digits)
        decimals = max(digits - len(str(int(trimmed))), 0) if trimmed >= 1 else digits
        return f"{trimmed:.{decimals}f}" + (" !" if self._warn and m.has_warnings else "")

    def _coloured(self, cells: dict, texts: dict, key: tuple, width: int) -> str:
        """A cell as wide as its column, coloured by how it compares with the best."""
        if key not in cells:
            return " " * width
        text = texts[key].center(width)
        if self._colorize is Colorize.NONE:
            return text
        if self._colorize is Colorize.ROWWISE:
            rivals = [m.median for other, m in cells.items() if other[:3] == key[:3]]
        else:
            rivals = [m.median for other, m in cells.items() if other[3] == key[3]]
        colours = next(c for limit, c in _COLOURS if cells[key].median <= limit * min(rivals))
        return "".join(colours) + text + _RESET * len(colours)

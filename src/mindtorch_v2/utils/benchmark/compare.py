"""Compare: measurements side by side in a table, rows by label, columns by description."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable

from .measurement import Measurement
from .units import ordered_unique, select_unit, trim_sigfig, unit_to_english

_BEST, _GOOD, _BAD, _WORST, _BOLD, _RESET = ("\033[92m", "\033[34m", "\033[2m\033[91m", "\033[31m", "\033[1m",
                                               "\033[0m")
_SAME, _NEAR, _FAR, _FARTHEST = 1.01, 1.1, 2, 5  # how many times the best
_SAME_S = 100e-9  # what is not told apart
_WARNING = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100."
_SEPARATOR = "  |  "
_WARNING_WIDTH = 7  # of " (! 50%)"


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
        names = ordered_unique(m.task_spec.description or "" for m in results)
        cells = {(*_row_of(m), m.task_spec.description or ""): m for m in results}
        rows = sorted(ordered_unique(_row_of(m) for m in results), key=lambda row: row[:2])
        columns = [_Column([cells.get((*row, name)) for row in rows], scale, self._trim, self._warn) for name in names]
        has_environments = len({m.env for m in results}) > 1
        widest = max(len(row[1]) for row in rows) if has_environments else 0
        titles = [_title(row, place == 0 or rows[place - 1][:2] != row[:2], widest) for place, row in enumerate(rows)]
        widths = [max(map(len, titles)),
                  *(max(len(name), *map(len, column.texts)) for name, column in zip(names, columns))]
        lines = [_SEPARATOR.join(text.center(width) for text, width in zip(["", *names], widths))]
        last_threads = None
        for place, row in enumerate(rows):
            if row[0] != last_threads:
                last_threads = row[0]
                lines.append(f"{row[0]} threads: ".ljust(len(lines[0]), "-"))
            texts = [column.texts[place].center(width) for column, width in zip(columns, widths[1:])]
            coloured = [self._coloured(text, cells, (*row, name)) for text, name in zip(texts, names)]
            lines.append(_SEPARATOR.join([titles[place].ljust(widths[0]), *coloured]))
        bar = f"[{f' {results[0].task_spec.label} '.center(len(lines[0]) - 2, '-')}]"
        notes = ["", f"Times are in {unit_to_english(unit)}s ({unit}).",
                 *[_WARNING] * (self._warn and any(m.has_warnings for m in results)), ""]
        return "\n".join([bar, *lines, *notes])

    def _coloured(self, text: str, cells: dict, key: tuple) -> str:
        """A cell, coloured by how it compares with the best."""
        if self._colorize is Colorize.NONE or key not in cells:
            return text
        same = slice(0, 3) if self._colorize is Colorize.ROWWISE else slice(0, 1)
        rivals = [m.median for other, m in cells.items() if other[same] == key[same]
                  and (self._colorize is Colorize.ROWWISE or other[3] == key[3])]
        value, best = cells[key].median, min(rivals)
        if value <= best * _SAME or value <= best + _SAME_S:
            colour = _BEST + _BOLD
        elif value <= best * _NEAR:
            colour = _GOOD + _BOLD
        elif value >= best * _FARTHEST:
            colour = _WORST + _BOLD
        elif value >= best * _FAR:
            colour = _BAD
        else:
            return text
        return f"{colour}{text}{_RESET}{_RESET}"


def _row_of(m: Measurement) -> tuple[int, str, str]:
    """What a measurement's row is of."""
    return m.task_spec.num_threads, m.env, m.as_row_name


def _title(row: tuple[int, str, str], is_first: bool, environment_width: int) -> str:
    """What stands before a row: the environment, where there are several and this one's begin, and the name."""
    environment = f"({row[1]})" if environment_width and is_first else ""
    return f"  {environment:<{environment_width + 4}}{row[2]}"


class _Column:
    """The times of a column as texts of one width, their points below each other."""

    def __init__(self, cells: list[Measurement | None], scale: float, trim: bool, warn: bool) -> None:
        self._scale, self._trim = scale, trim
        self._warn = warn and any(m is not None and m.has_warnings for m in cells)
        taken = [(m, math.ceil(math.log10(m.median / scale))) for m in cells if m is not None]
        self._decimals = min(max(m.significant_figures - digits, 0) for m, digits in taken) if trim else 1
        self._width = max(digits for _, digits in taken) + self._decimals + bool(self._decimals)
        texts = [None if m is None else self._text(m) for m in cells]
        self.texts = [" " * len(next(filter(None, texts))) if text is None else text for text in texts]

    def _text(self, m: Measurement) -> str:
        value = m.median / self._scale
        if self._trim:
            value = trim_sigfig(value, m.significant_figures)
        doubt = f" (! {m.iqr / m.median * 100:.0f}%)" if self._warn and m.has_warnings else ""
        return f"{value:>{self._width}.{self._decimals}f}{doubt:>{_WARNING_WIDTH * self._warn}}"

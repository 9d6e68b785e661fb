"""Measurement: times of runs of a statement, and what they say."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from .units import select_unit

_MOST_DIGITS, _LEAST_RUNS = 4, 4
_NINETY_PERCENT, _LEAST_INTERVAL_S = 1.645, 25e-9  # of a normal distribution; what clocks can tell apart
_BAD_IQR, _WORSE_IQR = 0.1, 0.25
_NO_TIMES = -1.0  # what torch says of nothing measured


@dataclasses.dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What is measured."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, else the statement."""
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{textwrap.indent(self.stmt, '  ')}"

    def setup_str(self) -> str:
        """What runs before, as text."""
        if self.setup == "pass" or not self.setup:
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self) -> str:
        """All of it."""
        lines = [self.title, self.description or "", self.setup_str(), self.global_setup]
        return "\n".join(line for line in lines if line)


class Measurement:
    """Times in seconds, each of ``number_per_run`` runs."""

    def __init__(self, number_per_run: int, raw_times: list[float], task_spec: TaskSpec,
                 metadata: dict[Any, Any] | None = None) -> None:
        self.number_per_run, self.raw_times, self.task_spec = number_per_run, raw_times, task_spec
        self.metadata = metadata

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(TaskSpec, name) or name in TaskSpec.__dataclass_fields__:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'Measurement' object has no attribute {name!r}")

    @property
    def times(self) -> list[float]:
        """Seconds per run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        """The middle one."""
        return float(np.median(self.times)) if self.raw_times else _NO_TIMES

    @property
    def mean(self) -> float:
        """The average."""
        return float(np.mean(self.times)) if self.raw_times else _NO_TIMES

    @property
    def _quartiles(self) -> tuple[float, float]:
        return tuple(float(q) for q in np.quantile(self.times, [0.25, 0.75]))

    @property
    def iqr(self) -> float:
        """The range of the middle half."""
        low, high = self._quartiles
        return high - low

    @property
    def significant_figures(self) -> int:
        """How many digits can be trusted: by the 90 % confidence interval of the middle half of the times."""
        times = sorted(self.times)
        middle = times[len(times) // 4:math.ceil(3 * len(times) / 4)]
        interval = max(_NINETY_PERCENT * float(np.std(middle)) / math.sqrt(len(middle)), _LEAST_INTERVAL_S)
        return min(max(math.floor(math.log10(self.median / interval)), 1), _MOST_DIGITS)

    @property
    def has_warnings(self) -> bool:
        """Whether the times are doubtful."""
        return not self.meets_confidence(_BAD_IQR)

    def meets_confidence(self, threshold: float = _BAD_IQR) -> bool:
        """Whether the middle half is near enough to the median."""
        return self.iqr / self.median < threshold

    @property
    def title(self) -> str:
        """What was measured."""
        return self.task_spec.title

    @property
    def env(self) -> str:
        """Where."""
        return self.task_spec.env or "Unspecified env"

    @property
    def as_row_name(self) -> str:
        """What the row of a table is called."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __repr__(self) -> str:
        unit, scale = select_unit(self.median)
        many, iqr = len(self.raw_times) > 1, self.iqr
        lines = [f"<torch.utils.benchmark.utils.common.Measurement object at {hex(id(self))}>",
                 self.task_spec.summarize(), f"  {'Median: ' if many else ''}{self.median / scale:.2f} {unit}"]
        if many and len(self.raw_times) >= _LEAST_RUNS:
            low, high = self._quartiles
            lines.append(f"  IQR:    {iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement' if many else ''}"
        threads = self.task_spec.num_threads
        lines.append(f"  {len(self.raw_times)} measurement{'s' * many}, {runs}, {threads} thread{'s' * (threads > 1)}")
        if self.has_warnings:
            cause = ("suggests significant environmental influence" if not self.meets_confidence(_WORSE_IQR) else
                     "could indicate system fluctuation")
            lines += [f"  WARNING: Interquartile range is {iqr / self.median * 100:.1f}% of the median measurement.",
                      f"           This {cause}."]
        return "\n".join(lines)

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Those of one statement as one."""
        grouped: defaultdict[TaskSpec, list[Measurement]] = defaultdict(list)
        for measurement in measurements:
            grouped[measurement.task_spec].append(measurement)
        return [Measurement(1, [t for m in group for t in m.times], spec) for spec, group in grouped.items()]



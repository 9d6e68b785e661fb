"""Timer: runs a statement of Python until its time is known well enough."""

from __future__ import annotations

import enum
import textwrap
import timeit
from collections.abc import Callable
from typing import Any, NoReturn

from .measurement import Measurement, TaskSpec
from .units import set_torch_threads

_LEAST_LOOP_S = 0.001  # shorter ones would measure the clock


class Language(enum.Enum):
    """What a statement is written in; only Python runs here."""

    PYTHON = 0
    CPP = 1


def timer() -> float:
    """The clock, in seconds."""
    return timeit.default_timer()


class Timer:
    """Measures a statement, with torch on as many threads as are asked for."""

    def __init__(self, stmt: str = "pass", setup: str = "pass", global_setup: str = "",
                 timer: Callable[[], float] = timer, globals: dict[str, Any] | None = None, label: str | None = None,
                 sub_label: str | None = None, description: str | None = None, env: str | None = None,
                 num_threads: int = 1, language: Language | str = Language.PYTHON) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language not in (Language.PYTHON, "py", "python"):
            raise NotImplementedError("mindtorch_v2 measures statements of Python only")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be "
                             "moved to `setup`.")
        from ... import torch
        names = {"torch": torch, **(globals or {})}
        stmt, setup = (textwrap.dedent(text).strip("\n").rstrip() for text in (stmt, setup))
        self._timer = timeit.Timer(stmt, setup, timer, names)
        self._task_spec = TaskSpec(stmt, setup, "", label, sub_label, description, env, num_threads)

    def _timeit(self, number: int) -> float:
        return max(self._timer.timeit(number), 1e-9)  # a clock that stood still would divide by zero

    def timeit(self, number: int = 1000000) -> Measurement:
        """So many runs, as one measurement, after some to warm up."""
        with set_torch_threads(self._task_spec.num_threads):
            self._timeit(max(int(number // 100), 2))
            return Measurement(number, [self._timeit(number)], self._task_spec)

    def _estimate(self) -> int:
        """How many runs take long enough to be measured."""
        number = 1
        while True:
            taken = self._timeit(number)
            if taken >= _LEAST_LOOP_S:
                return number
            number *= 10

    def _until(self, number: int, min_run_time: float, max_run_time: float, enough: Callable[[list[float]], bool],
               callback: Callable[[int, float], None] | None) -> list[float]:
        times: list[float] = []
        total = 0.0
        while total < min_run_time or total < max_run_time and not enough(times):
            times.append(self._timeit(number))
            total += times[-1]
            if callback is not None:
                callback(number, times[-1])
        return times

    def blocked_autorange(self, callback: Callable[[int, float], None] | None = None,
                          min_run_time: float = 0.2) -> Measurement:
        """Measurements of equal length until they have taken ``min_run_time`` seconds."""
        with set_torch_threads(self._task_spec.num_threads):
            number = self._estimate()
            times = self._until(number, min_run_time, min_run_time, lambda times: True, callback)
        return Measurement(number, times, self._task_spec)

    def adaptive_autorange(self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0,
                           callback: Callable[[int, float], None] | None = None) -> Measurement:
        """Measurements until their middle half is near the median, or ``max_run_time`` seconds are over."""
        with set_torch_threads(self._task_spec.num_threads):
            number = self._estimate()

            def enough(times: list[float]) -> bool:
                return len(times) > 3 and Measurement(number, times, self._task_spec).meets_confidence(threshold)

            times = self._until(number, min_run_time, max_run_time, enough, callback)
        return Measurement(number, times, self._task_spec)

    def autorange(self, callback: Callable[[int, float], None] | None = None) -> NoReturn:
        """Refused, as torch refuses it."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def repeat(self, repeat: int = -1, number: int = -1) -> NoReturn:
        """Refused, as torch refuses it."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def collect_callgrind(self, number: int = 100, **options) -> NoReturn:
        """Refused: instructions are not counted."""
        raise NotImplementedError("mindtorch_v2 does not run Valgrind; timeit() and blocked_autorange() measure time")

"""torch.utils.benchmark: what measurements and tables say, in PyTorch's form."""

from __future__ import annotations

import pytest

import mindtorch_v2.utils.benchmark as benchmark

TABLE = """\
[--------- L ----------]
          |   x   |   yy
1 threads: -------------
      a   |  1.0  |  1.0
      bb  |  2.0  |  2.0
2 threads: -------------
      a   |  1.0  |  1.0
      bb  |  2.0  |  2.0

Times are in microseconds (us).
"""
BEST = "\033[92m\033[1m{}\033[0m\033[0m"


def measured(times: list[float], **spec) -> benchmark.Measurement:
    return benchmark.Measurement(1, times, benchmark.TaskSpec("s", "pass", **spec))


def several() -> list[benchmark.Measurement]:
    return [measured([n * 1e-6 * (1 + 0.01 * k) for k in range(5)], label="L", sub_label=row, description=column,
                     num_threads=threads)
            for threads in (1, 2) for n, row in ((1, "a"), (2, "bb")) for column in ("x", "yy")]


def test_a_statement_is_timed():
    timer = benchmark.Timer("y = x + x", setup="x = torch.ones(n)", globals={"n": 3}, label="add")
    for measurement in (timer.timeit(10), timer.blocked_autorange(min_run_time=0.01),
                        timer.adaptive_autorange(min_run_time=0.001, max_run_time=0.02)):
        assert 0 < measurement.median < 1 and measurement.title == "add" and measurement.mean > 0
    with pytest.raises(ValueError, match="Currently only a `str` stmt is supported."):
        benchmark.Timer(len)


def test_a_measurement_says_what_it_found():
    text = repr(measured([1e-3, 2e-3, 1e-2, 5e-3, 9e-3, 1e-3], label="L", description="d")).split("\n", 1)[1]
    assert text == ("L\nd\n  Median: 3.50 ms\n  IQR:    6.75 ms (1.25 to 8.00)\n"
                    "  6 measurements, 1 runs per measurement, 1 thread\n"
                    "  WARNING: Interquartile range is 192.9% of the median measurement.\n"
                    "           This suggests significant environmental influence.")
    assert repr(measured([1e-3])).endswith("s\n  1.00 ms\n  1 measurement, 1 runs , 1 thread")


def test_measurements_are_compared_in_a_table():
    table = benchmark.Compare(several())
    assert str(table) == TABLE
    table.trim_significant_figures()
    table.colorize(rowwise=True)
    assert str(table).splitlines()[3] == f"      a   |  {BEST.format('1')}  |  {BEST.format('1 ')}"


def test_numbers_and_units_are_trimmed():
    assert benchmark.select_unit(3e-6) == ("us", 1e-6) and benchmark.unit_to_english("us") == "microsecond"
    assert benchmark.trim_sigfig(123.456, 2) == 120 and benchmark.ordered_unique([1, 2, 1]) == [1, 2]
    assert measured([1e-6 * n for n in (1, 1.01, 1.02)]).significant_figures == 1

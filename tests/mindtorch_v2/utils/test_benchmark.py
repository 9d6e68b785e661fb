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


CELLS = {(1, "a", "x"): [1.1e-3], (1, "a", "yy"): [2e-3], (1, "b", "x"): [5e-6], (1, "b", "yy"): [.2, .5, .9],
         (4, "a", "x"): [1e-3]}
TABLES = {
    "plain": """\
[------------- l -------------]
         |    x     |     yy   \n\
1 threads: --------------------
      a  |  1100.0  |    2000.0
      b  |     5.0  |  500000.0
4 threads: --------------------
      a  |  1000.0  |          \n
Times are in microseconds (us).
""",
    "doubtful": """\
[----------------- l -----------------]
         |    x     |         yy       \n\
1 threads: ----------------------------
      a  |  1100.0  |    2000.0        \n\
      b  |     5.0  |  500000.0 (! 70%)
4 threads: ----------------------------
      a  |  1000.0  |                  \n
Times are in microseconds (us).
(! XX%) Measurement has high variance, where XX is the IQR / median * 100.
"""}


@pytest.mark.parametrize("kind", TABLES)
def test_points_stand_below_each_other_and_doubtful_times_are_marked(kind):
    table = benchmark.Compare([measured(times, label="l", sub_label=row, description=column, num_threads=threads)
                               for (threads, row, column), times in CELLS.items()])
    if kind == "doubtful":
        table.highlight_warnings()
    assert str(table) == TABLES[kind]


COLOURED = [(1.01, BEST), (1.1, "\033[34m\033[1m{}\033[0m\033[0m"), (1.5, "{}"),
            (2, "\033[2m\033[91m{}\033[0m\033[0m"), (5, "\033[31m\033[1m{}\033[0m\033[0m")]


@pytest.mark.parametrize(("factor", "form"), COLOURED)
def test_cells_are_coloured_by_how_many_times_the_best_they_are(factor, form):
    table = benchmark.Compare([measured([time], label="l", sub_label=row, description="x")
                               for row, time in (("a", 1e-3), ("b", factor * 1e-3))])
    table.colorize()
    assert str(table).splitlines()[4] == f"      b  |  {form.format(f'{factor:.1f}')}"


def test_environments_stand_where_they_begin():
    rows = [("e", "a"), ("e", "b"), ("other", "a")]
    table = benchmark.Compare([measured([1e-3], label="l", sub_label=row, description="x", env=env)
                               for env, row in rows])
    assert [line.partition("|")[0] for line in str(table).splitlines()[3:6]] == [
        "  (e)      a  ", "           b  ", "  (other)  a  "]


def test_nothing_measured_is_told_by_a_number_below_zero():
    assert (measured([]).mean, measured([]).median) == (-1, -1)


def test_few_times_far_from_each_other_are_doubtful_too():
    assert repr(measured([1., 1.2, .8])).endswith("could indicate system fluctuation.")
    assert repr(measured([1., 1.6, .4])).endswith("suggests significant environmental influence.")
    assert measured([.1]).significant_figures == 4


def test_numbers_and_units_are_trimmed():
    assert benchmark.select_unit(3e-6) == ("us", 1e-6) and benchmark.unit_to_english("us") == "microsecond"
    assert benchmark.trim_sigfig(123.456, 2) == 120 and benchmark.ordered_unique([1, 2, 1]) == [1, 2]
    assert measured([1e-6 * n for n in (1, 1.01, 1.02)]).significant_figures == 1

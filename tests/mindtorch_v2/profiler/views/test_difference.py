"""Two profiles side by side."""

from __future__ import annotations

from mindtorch_v2.profiler.views.difference import difference

from .tables import RANGE, Row, digest, tensor, training_step


def run(*mm_ns: int):
    rows = []
    for number, lasted in enumerate(mm_ns):
        begin = 1000 * number
        rows += [Row(f"ProfilerStep#{number}", begin, begin + 900, RANGE),
                 Row("aten::mm", begin, begin + lasted, inputs=(tensor(2, 3),))]
    return digest(rows)


def test_rows_are_matched_by_name_and_shapes_and_counted_per_step():
    rows = {(row.name, row.shapes): row for row in difference(run(100, 110, 90), run(200, 210, 190)).rows}
    row = rows["aten::mm", "[[2, 3]]"]
    assert (row.before.count, row.before.self_ns, row.after.self_ns, row.change_ns) == (1, 100, 200, 100)
    assert round(row.before.error_ns, 3) == 5.774
    assert row.is_sure


def test_rows_are_matched_by_name_alone_where_one_profile_has_no_shapes():
    without = digest([Row("ProfilerStep#0", 0, 900, RANGE), Row("aten::mm", 0, 100)])
    row, = (row for row in difference(without, run(300)).rows if row.name == "aten::mm")
    assert (row.shapes, row.before.self_ns, row.after.self_ns) == ("", 100, 300)


def test_a_change_within_the_spread_of_steps_is_not_sure():
    assert not difference(run(100, 200, 300), run(110, 210, 310)).rows[0].is_sure


def test_a_profile_does_not_differ_from_itself():
    same = digest([*training_step(0, "ProfilerStep#0"), *training_step(2000, "ProfilerStep#1")])
    found = difference(same, same)
    assert all(row.change_ns == 0 and not row.is_sure for row in [*found.rows, *found.phases])


def test_a_row_that_only_one_has_is_there_with_nothing_on_the_other_side():
    row, = (row for row in difference(digest([]), run(100)).rows if row.name == "aten::mm")
    assert (row.before.count, row.after.self_ns, row.is_sure) == (0, 100, True)


def test_steps_are_compared_by_phase():
    phases = {row.name: row for row in difference(digest(training_step()), digest(training_step())).phases}
    assert (phases["wall"].before.self_ns, phases["backward"].after.self_ns) == (1000, 300)

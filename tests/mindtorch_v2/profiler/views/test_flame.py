"""Flame graphs in both directions: frames, and weights that add up to the own time of all rows."""

from __future__ import annotations

from mindtorch_v2.profiler.views.flame import MOST_CALLERS, bottom_up, largest, top_down
from mindtorch_v2.profiler.views.visible_events import VisibleEvents

from .tables import PYTHON, RANGE, Row, made

ROWS = [Row("train.py(1): step", 0, 100, PYTHON), Row("forward", 10, 60, RANGE), Row("aten::linear", 20, 50),
        Row("aten::mm", 30, 40), Row("aten::mm", 70, 90), Row("aten::mm", 0, 30, thread=2)]


def lines(frames):
    return {";".join(frames.path(frame)): (int(frames.self_ns[frame]), int(frames.total_ns[frame]),
                                           int(frames.count[frame])) for frame in range(len(frames))}


def test_from_the_outside_in_calls_of_the_same_names_are_one_frame():
    assert lines(top_down(VisibleEvents(made(ROWS)))) == {
        "train.py(1): step": (30, 100, 1), "train.py(1): step;forward": (20, 50, 1),
        "train.py(1): step;forward;aten::linear": (20, 30, 1),
        "train.py(1): step;forward;aten::linear;aten::mm": (10, 10, 1), "train.py(1): step;aten::mm": (20, 20, 1),
        "aten::mm": (30, 30, 1)}


def test_from_the_inside_out_a_name_has_all_its_own_time_and_its_callers_inside():
    frames = lines(bottom_up(top_down(VisibleEvents(made(ROWS)))))
    assert frames["aten::mm"] == (30, 60, 3)
    assert frames["aten::mm;train.py(1): step"] == (20, 20, 1)
    assert frames["aten::mm;aten::linear;forward;train.py(1): step"] == (10, 10, 1)


def test_weights_add_up_to_the_own_time_of_all_rows_in_both_directions():
    visible = VisibleEvents(made(ROWS))
    frames = top_down(visible)
    assert frames.self_ns.sum() == bottom_up(frames).self_ns.sum() == visible.self_ns.sum() == 130


def test_a_deep_recursion_is_told_by_its_nearest_callers_and_no_time_is_lost():
    depth = 3 * MOST_CALLERS
    rows = [Row(f"f{n}", n, 2 * depth - n, PYTHON) for n in range(depth)]
    frames = top_down(VisibleEvents(made(rows)))
    turned = bottom_up(frames)
    assert len(frames) == depth and turned.self_ns.sum() == frames.self_ns.sum()
    assert max(len(turned.path(frame)) for frame in range(len(turned))) == MOST_CALLERS + 1


def test_frames_that_are_left_out_leave_their_time_to_their_callers():
    frames = top_down(VisibleEvents(made(ROWS)))
    fewer = largest(frames, 3)
    assert lines(fewer) == {"train.py(1): step": (50, 100, 1), "train.py(1): step;forward": (50, 50, 1),
                            "aten::mm": (30, 30, 1)}
    assert fewer.self_ns.sum() == frames.self_ns.sum()

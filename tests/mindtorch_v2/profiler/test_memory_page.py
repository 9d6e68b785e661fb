"""The page that draws memory over time: what it shows of timelines with more points than a screen has."""

from __future__ import annotations

import re
import xml.dom.minidom

import numpy as np

from mindtorch_v2.profiler.export import memory_html
from mindtorch_v2.profiler.views import thinning

MANY = 100_000
WIDTH, HEIGHT = 1200, 720
INNER_WIDTH = WIDTH - memory_html.MARGIN_LEFT - 10
INNER_HEIGHT = HEIGHT - memory_html.MARGIN_TOP - memory_html.MARGIN_BOTTOM
FLOOR = HEIGHT - memory_html.MARGIN_BOTTOM


def drawn(times_us, sizes, names=("USED",)) -> dict[str, list[tuple[float, float]]]:
    """The corners of each band, read from the page."""
    page = memory_html.page(times_us, sizes, list(names), ["red", "blue", "green"][:len(names)], "title")
    svg = xml.dom.minidom.parseString(page[page.index("<svg"):page.index("</svg>") + 6])
    bands = {}
    for path in svg.getElementsByTagName("path"):
        x = y = 0.0
        corners = []
        for command, value, second in re.findall(r"([MHV])([-\d.]+)(?: ([-\d.]+))?", path.getAttribute("d")):
            x = float(value) if command in "MH" else x
            y = float(second) if command == "M" else float(value) if command == "V" else y
            corners.append((x, y))
        bands[path.getElementsByTagName("title")[0].firstChild.data] = corners
    return bands


def test_a_short_peak_among_many_points_stands_at_its_time_and_full_height():
    times_us = np.arange(MANY)
    sizes = np.full((MANY, 1), 10)
    sizes[54_321] = 1000
    corners = drawn(times_us, sizes)["USED"]
    top = min(y for _, y in corners)
    assert top == memory_html.MARGIN_TOP
    assert {round((x - memory_html.MARGIN_LEFT) / INNER_WIDTH * MANY, -3) for x, y in corners if y == top} == {54_000}


def test_points_are_thinned_by_time_where_most_lie_close_together():
    """Of 91,000 changes 90,000 in the first hundredth of the time: the others are drawn one by one all the same."""
    dense, sparse = np.arange(90_000), np.linspace(100_000, 9_000_000, 1000).astype(int)
    times_us = np.concatenate([dense, sparse])
    sizes = np.arange(len(times_us))[:, None] % 7
    corners = drawn(times_us, sizes)["USED"]
    late = {x for x, _ in corners if x > memory_html.MARGIN_LEFT + INNER_WIDTH / 50}
    assert len(late) > 600


def test_each_column_of_pixels_shows_its_least_and_its_most():
    times_us = np.arange(MANY)
    sizes = np.where(np.arange(MANY) % 50 == 7, 0, np.where(np.arange(MANY) % 50 == 31, 100, 50))[:, None]
    across = (times_us - times_us[0]) / (times_us[-1] - times_us[0]) * INNER_WIDTH
    shown = thinning.thinned(across, sizes, visible=1)
    for column in range(0, INNER_WIDTH, 97):
        kept = sizes[shown][across[shown].astype(int) == column]
        assert (kept.min(), kept.max()) == (0, 100)
    assert len(shown) <= 4 * (INNER_WIDTH + 1)


def test_a_category_that_lives_for_one_moment_is_drawn():
    sizes = np.zeros((MANY, 3), int)
    sizes[:, 0] = 1000
    sizes[::2, 1] = 500
    sizes[70_001, 2] = 100
    bands = drawn(np.arange(MANY), sizes, ("ALWAYS", "OFTEN", "ONCE"))
    assert list(bands) == ["ALWAYS", "OFTEN", "ONCE"]
    heights = [y for _, y in bands["ONCE"]]
    assert max(heights) - min(heights) > 40


def test_a_category_keeps_its_height_where_another_makes_the_peak():
    """In every column of pixels one moment is full of the one and another moment half full of the other."""
    sizes = np.zeros((MANY, 2), int)
    sizes[::10, 0] = 1000
    sizes[5::10, 1] = 500
    bands = drawn(np.arange(MANY), sizes, ("ONE", "OTHER"))
    top = min(y for _, y in bands["OTHER"] if y > memory_html.MARGIN_TOP)
    assert abs(top - (FLOOR - INNER_HEIGHT / 2)) < 1


def test_memory_that_was_there_before_is_drawn_above_the_floor():
    corners = drawn([0, 10, 20], [[-100], [50], [-300]])["USED"]
    assert {y for _, y in corners} == {round(FLOOR - INNER_HEIGHT * used / 350, 1) for used in (0, 200, 350)}


def test_one_point_makes_a_page():
    assert "At most 4 B" in memory_html.page([5], [[4]], ["USED"], ["red"], "title")


def test_no_point_makes_a_page_that_says_so():
    assert "No memory changed on this device." in memory_html.page([], [], ["USED"], ["red"], "title")

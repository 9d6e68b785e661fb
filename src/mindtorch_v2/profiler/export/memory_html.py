"""A page that draws memory by category over time: SVG made here, no library, no network, no script needed to see it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ..views.formatting import format_memory
from ..views.thinning import thinned

WIDTH_PER_INCH, MARGIN_LEFT, MARGIN_TOP, MARGIN_BOTTOM = 60, 90, 20, 40

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body {{ font: 14px sans-serif; margin: 1.5em; }}
svg {{ width: 100%; height: auto; border: 1px solid #ccc; }}
ul {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1em; }}
li span {{ display: inline-block; width: 1em; height: 1em; margin-right: .4em; vertical-align: -.15em; }}
</style></head><body>
<h1>{title}</h1>
<p>{summary}</p>
{drawing}
<ul>{legend}</ul>
</body></html>
"""


def page(times_us: Sequence[int], sizes: Sequence[Sequence[int]], names: list[str], colors: list[str], title: str,
         figsize: tuple[float, float] = (20, 12)) -> str:
    """The page: a band per category, stacked, with its peak in the legend."""
    width, height = figsize[0] * WIDTH_PER_INCH, figsize[1] * WIDTH_PER_INCH
    times_us, sizes = np.asarray(times_us, np.int64), np.asarray(sizes, np.int64).reshape(-1, len(names))
    # What is released without having been seen before was there all the time.
    least = sizes.min(axis=0, initial=0)
    sizes = sizes - least if least.any() else sizes
    totals = sizes.sum(axis=1)
    peak = int(totals.max(initial=0))
    legend = "".join(f'<li><span style="background:{color}"></span>{escape(name)}: at most {format_memory(most)}</li>'
                     for name, color, most in zip(names, colors, sizes.max(axis=0, initial=0).tolist()) if most)
    if len(totals):
        at = (times_us[totals.argmax()] - times_us[0]) / 1000
        summary = f"At most {format_memory(peak)}, {at:.3f} ms after the beginning."
    else:
        summary = "No memory changed on this device."
    drawing = _drawing(times_us, sizes, names, colors, width, height, peak) if len(totals) else ""
    return PAGE.format(title=escape(title), summary=summary, drawing=drawing, legend=legend)


def _drawing(times_us: np.ndarray, sizes: np.ndarray, names, colors, width, height, peak) -> str:
    """Bands drawn as steps: a size holds until the next change."""
    inner_width, inner_height = width - MARGIN_LEFT - 10, height - MARGIN_TOP - MARGIN_BOTTOM
    span = max(int(times_us[-1] - times_us[0]), 1)
    across = (times_us - times_us[0]) / span * inner_width
    shown = thinned(across, sizes, max(peak, 1) / inner_height)
    x = [f"{MARGIN_LEFT + place:.1f}" for place in across[shown].tolist()]
    levels = np.zeros((len(names) + 1, len(shown)), np.int64)  # the floor, and the top of each band
    np.cumsum(sizes[shown].T, axis=0, out=levels[1:])
    heights = MARGIN_TOP + inner_height * (1 - levels / max(peak, 1))
    y = [[f"{height:.1f}" for height in of_level] for of_level in heights.tolist()]
    bands = [f'<path fill="{color}" d="{_band(x, top, bottom)}"><title>{escape(name)}</title></path>'
             for name, color, has_any, top, bottom in zip(names, colors, sizes.any(axis=0), y[1:], y) if has_any]
    return (f'<svg viewBox="0 0 {width:g} {height:g}" role="img">{"".join(bands)}'
            f'{_axes(width, height, inner_width, inner_height, peak, span)}</svg>')


def _band(x: list[str], top: list[str], bottom: list[str]) -> str:
    """The outline of a band: to the right along its top, back along its bottom."""
    path = [f"M{x[0]} {top[0]}"]
    path += [f"H{at}V{level}" for at, before, level in zip(x[1:], top, top[1:]) if level != before]
    path.append(f"H{x[-1]}V{bottom[-1]}")
    path += [f"H{at}V{before}" for at, before, level in zip(x[:0:-1], bottom[-2::-1], bottom[:0:-1]) if level != before]
    return "".join(path) + f"H{x[0]}Z"


def _axes(width, height, inner_width, inner_height, peak, span) -> str:
    """Five lines across with their sizes, five moments below."""
    marks = []
    for i in range(6):
        at = MARGIN_TOP + inner_height * (1 - i / 5)
        marks.append(f'<line x1="{MARGIN_LEFT}" x2="{MARGIN_LEFT + inner_width:g}" y1="{at:.1f}" y2="{at:.1f}" '
                     'stroke="#888" stroke-opacity="0.3"/>'
                     f'<text x="{MARGIN_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">'
                     f'{format_memory(int(peak * i / 5))}</text>')
        place = MARGIN_LEFT + inner_width * i / 5
        marks.append(f'<text x="{place:.1f}" y="{height - 15:g}" text-anchor="{"end" if i == 5 else "middle"}">'
                     f'{span * i / 5 / 1000:.3f} ms</text>')
    return "".join(marks)

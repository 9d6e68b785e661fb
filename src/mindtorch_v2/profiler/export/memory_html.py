"""A page that draws memory by category over time: SVG made here, no library, no network, no script needed to see it."""

from __future__ import annotations

from html import escape

from ..views.formatting import format_memory

WIDTH_PER_INCH, MARGIN_LEFT, MARGIN_TOP, MARGIN_BOTTOM = 60, 90, 20, 40
MAX_POINTS = 4000  # more than a screen can show; peaks are kept

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


def page(times_us: list[int], sizes: list[list[int]], names: list[str], colors: list[str], title: str,
         figsize: tuple[float, float] = (20, 12)) -> str:
    """The page: a band per category, stacked, with its peak in the legend."""
    width, height = figsize[0] * WIDTH_PER_INCH, figsize[1] * WIDTH_PER_INCH
    peaks = [max((row[i] for row in sizes), default=0) for i in range(len(names))]
    totals = [sum(row) for row in sizes]
    peak = max(totals, default=0)
    legend = "".join(f'<li><span style="background:{color}"></span>{escape(name)}: at most {format_memory(most)}</li>'
                     for name, color, most in zip(names, colors, peaks) if most)
    if totals:
        at = (times_us[totals.index(peak)] - times_us[0]) / 1000
        summary = f"At most {format_memory(peak)}, {at:.3f} ms after the beginning."
    else:
        summary = "No memory changed on this device."
    drawing = _drawing(times_us, sizes, names, colors, width, height, peak) if totals else ""
    return PAGE.format(title=escape(title), summary=summary, drawing=drawing, legend=legend)


def _drawing(times_us, sizes, names, colors, width, height, peak) -> str:
    """Bands drawn as steps: a size holds until the next change."""
    inner_width, inner_height = width - MARGIN_LEFT - 10, height - MARGIN_TOP - MARGIN_BOTTOM
    span = max(times_us[-1] - times_us[0], 1)

    def x(time_us: int) -> str:
        return f"{MARGIN_LEFT + (time_us - times_us[0]) / span * inner_width:.1f}"

    def y(size: int) -> str:
        return f"{MARGIN_TOP + inner_height * (1 - size / max(peak, 1)):.1f}"

    shown = _thinned(sizes)
    bands, below = [], [0] * len(shown)
    for i, (name, color) in enumerate(zip(names, colors)):
        above = [floor + sizes[row][i] for floor, row in zip(below, shown)]
        if above != below:
            top = _steps([(x(times_us[row]), y(size)) for row, size in zip(shown, above)])
            bottom = _steps([(x(times_us[row]), y(size)) for row, size in zip(shown, below)])
            points = " ".join(f"{a},{b}" for a, b in top + bottom[::-1])
            bands.append(f'<polygon fill="{color}" points="{points}"><title>{escape(name)}</title></polygon>')
        below = above
    return (f'<svg viewBox="0 0 {width:g} {height:g}" role="img">{"".join(bands)}'
            f'{_axes(width, height, inner_width, inner_height, peak, span)}</svg>')


def _thinned(sizes: list[list[int]]) -> list[int]:
    """Which rows to draw: all, or of every stretch the first and the fullest."""
    if len(sizes) <= MAX_POINTS:
        return list(range(len(sizes)))
    stretch = -(-2 * len(sizes) // MAX_POINTS)
    totals = [sum(row) for row in sizes]
    kept = {len(sizes) - 1}
    for start in range(0, len(sizes), stretch):
        rows = range(start, min(start + stretch, len(sizes)))
        kept.update((start, max(rows, key=totals.__getitem__)))
    return sorted(kept)


def _steps(points: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The corners of a line that stays level between points."""
    corners = points[:1]
    for (_, before), (at, after) in zip(points, points[1:]):
        corners += [(at, before), (at, after)]
    return corners


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

"""The report in Chromium, opened from disk: it asks the network for nothing, and everything can be reached."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function, schedule
from mindtorch_v2.profiler.report.report import Source, write
from mindtorch_v2.profiler.table import columns
from mindtorch_v2.profiler.table.event_table import EventTable, Thread, Window

VIEWS = ("overview", "timeline", "flame", "ops", "modules", "memory")
HOSTILE = ("</script><img src=x onerror=\"document.title='owned'\">", "<script>document.title='owned'</script>",
           "a\nb\tc", "漢字", "\x1b[31mred", "\ud800 alone", "'\"`&lt;", "x" * 3000)


def trained(steps: int = 3, width: int = 8) -> profile:
    model = torch.nn.Sequential(torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))
    optimizer = torch.optim.Adam(model.parameters())
    with profile(schedule=schedule(wait=0, warmup=1, active=steps, repeat=1), record_shapes=True, profile_memory=True,
                 with_stack=True, with_flops=True, with_modules=True) as prof:
        for _ in range(steps + 1):
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
            prof.step()
    return prof


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "out.html"
    trained().report(path, against=trained(width=16), title="A small model")
    return path


def text_of(browser) -> str:
    return browser.run("document.getElementById('panel').innerText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", [*VIEWS, "compare"])
def test_every_view_is_shown_without_a_request_or_a_complaint(browser, report, view, scheme):
    browser.colours(scheme)
    browser.open(report, view)
    assert browser.requests == [report.resolve().as_uri()]
    assert browser.complaints == []
    assert browser.run("document.querySelector('[role=tab][aria-selected=true]').id") == f"tab-{view}"
    assert len(text_of(browser)) > 50


def test_the_overview_names_steps_ops_and_findings(browser, report):
    browser.open(report)
    text = text_of(browser)
    for word in ("Adam goes parameter by parameter", "Gradients are filled with zeros", "aten::addmm", "forward",
                 "MainThread", "waiting for data"):
        assert word in text, word


def test_names_are_shown_as_text_and_run_nothing(browser, tmp_path):
    with profile(with_stack=True, record_shapes=True, with_modules=True) as prof:
        for name in HOSTILE:
            with record_function(name, name):
                torch.ones(2) + 1
        thread = threading.Thread(target=lambda: torch.ones(2) + 1, name=HOSTILE[0])
        thread.start()
        thread.join()
    prof.report(tmp_path / "out.html", title=HOSTILE[1], against=prof)
    for view in (*VIEWS, "compare"):
        browser.open(tmp_path / "out.html", view)
        assert browser.complaints == []
        assert browser.run("document.title") == HOSTILE[1]
        assert browser.run("document.querySelectorAll('img, iframe, object').length") == 0
        assert browser.run("document.scripts.length") == 2
    browser.open(tmp_path / "out.html", "ops")
    browser.run("[...document.querySelectorAll('.choice button')].find(b => b.innerText === 'ranges').click()")
    assert HOSTILE[0] in text_of(browser) and "a\\nb\\tc" in text_of(browser)


def test_a_profile_of_200_000_events_is_shown_and_moved_through(browser, tmp_path):
    n = 200_000
    events = columns.blank(columns.EVENTS, n)
    events["id"], events["start_ns"] = np.arange(1, n + 1), np.arange(n) * 1000
    events["end_ns"] = events["start_ns"] + 900
    events["thread"][:] = 1
    for column in ("sequence", "parent", "inputs"):
        events[column][:] = -1
    table = EventTable(events, columns.blank(columns.MEMORY), [("aten::add", "")], [], (Thread(1, 1, "MainThread"),),
                       Window(0, n * 1000, pid=1))
    write(Source(table), tmp_path / "out.html")
    browser.open(tmp_path / "out.html", "timeline")
    browser.run("(field => { field.value = 'aten'; field.dispatchEvent(new Event('input')) })"
                "(document.querySelector('input[type=search]'))")
    assert browser.run("document.querySelector('.tools .said').innerText") == "200,000 events"
    browser.run("document.querySelector('canvas.timeline').focus()")
    for key in ("w", "w", "w", "d", "n", "f", "]", "0"):
        browser.key(key)
    assert browser.run("document.querySelector('.details h2.name').innerText") == "aten::add"
    assert browser.complaints == []


def test_an_empty_profile_can_be_looked_at(browser, tmp_path):
    with profile() as prof:
        pass
    prof.report(tmp_path / "out.html")
    for view in VIEWS:
        browser.open(tmp_path / "out.html", view)
        assert browser.complaints == [] and browser.run("document.documentElement.dataset.ready") == "true"


def test_tabs_are_reached_by_arrow_keys_and_by_the_address(browser, report):
    browser.open(report)
    browser.run("document.getElementById('tab-overview').focus()")
    browser.key("ArrowRight")
    assert browser.run("location.hash") == "#timeline"
    assert browser.run("document.activeElement.id") == "tab-timeline"
    browser.key("End")
    assert browser.run("document.activeElement.id") == "tab-compare"


def test_the_op_table_sorts_and_filters(browser, report):
    browser.open(report, "ops")
    rows = "[...document.querySelectorAll('tbody tr')].map(row => row.cells[0].innerText.trim())"
    browser.run("document.querySelector('thead button').click()")
    names = browser.run(rows)
    assert browser.run("document.querySelector('thead th').getAttribute('aria-sort')") == "ascending"
    assert names == browser.run(f"{rows}.sort((one, other) => one.localeCompare(other))")
    browser.run("(field => { field.value = 'addmm'; field.dispatchEvent(new Event('input')) })"
                "(document.querySelector('input[type=search]'))")
    assert all("addmm" in name.lower() for name in browser.run(rows))
    browser.run("document.querySelector('button.open').click()")
    assert browser.run("document.querySelector('button.open').getAttribute('aria-expanded')") == "true"


def test_modules_fold(browser, report):
    browser.open(report, "modules")
    count = "document.querySelectorAll('tbody tr').length"
    before = browser.run(count)
    browser.run("document.querySelector('button.open').click()")
    assert (before, browser.run(count)) == (5, 2)


def test_the_timeline_is_searched_zoomed_and_selected_by_keys(browser, report):
    browser.open(report, "timeline")
    browser.run("document.querySelector('canvas.timeline').focus()")
    browser.key("/")
    assert browser.run("document.activeElement.type") == "search"
    browser.run("(field => { field.value = 'AddmmBackward0'; field.dispatchEvent(new Event('input')) })"
                "(document.querySelector('input[type=search]'))")
    assert "events" in browser.run("document.querySelector('.tools .said').innerText")
    browser.key("Enter")
    details = browser.wait("document.querySelector('.details h2.name')?.innerText")
    assert "AddmmBackward0" in details
    browser.run("document.querySelector('canvas.timeline').focus()")
    for key in ("w", "d", "f", "j", "k", "]", "0", "Escape"):
        browser.key(key)
    assert browser.run("document.querySelector('.details h2').innerText") == "Nothing selected"
    assert browser.complaints == []


def test_a_click_selects_an_event_and_its_link_leads_on(browser, report):
    browser.open(report, "timeline")
    browser.run("(field => { field.value = 'aten::addmm'; field.dispatchEvent(new Event('input')) })"
                "(document.querySelector('input[type=search]'))")
    browser.run("[...document.querySelectorAll('.tools button')].find(b => b.innerText.startsWith('Match')).click()")
    browser.wait("!!document.querySelector('.details .linked button')")
    browser.run("document.querySelector('.details .linked button').click()")
    assert browser.run("document.querySelector('.details h2.name').innerText") == "AddmmBackward0"


def test_a_finding_leads_to_its_event(browser, report):
    browser.open(report)
    browser.run("[...document.querySelectorAll('.findings button')][0].click()")
    assert browser.run("location.hash") == "#timeline"
    assert browser.wait("document.querySelector('.details h2.name')?.innerText")


def test_the_flame_graph_turns_round_and_is_walked_by_keys(browser, report):
    browser.open(report, "flame")
    browser.run("document.querySelector('canvas.flame').focus()")
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    first = browser.run("document.querySelector('.frame-info code').innerText")
    browser.run("[...document.querySelectorAll('.choice button')][1].click()")
    browser.run("document.querySelector('canvas.flame').focus()")
    browser.key("ArrowDown")
    assert browser.run("document.querySelector('.frame-info code').innerText") != first
    assert browser.complaints == []


def test_colours_follow_the_system_until_the_reader_chooses(browser, report):
    browser.colours("dark")
    browser.open(report)
    shade = "getComputedStyle(document.body).backgroundColor"
    dark = browser.run(shade)
    browser.run("document.getElementById('theme').click()")
    light = browser.run(shade)
    assert dark != light and browser.run("document.documentElement.dataset.theme") == "light"


CONTRAST = """(() => {
  const channel = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = (c) => {
    const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$|transparent/.test(c)) return c;
    }
    return 'rgb(255, 255, 255)';
  };
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility() || e.closest('script, .skip, .unseen, svg')) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${e.tagName}.${e.className}: ${ratio.toFixed(2)} ${e.innerText.slice(0, 30)}`);
  }
  return low;
})()"""


UNNAMED = """[...document.querySelectorAll('button, input, canvas, [tabindex="0"]')].filter(
  (e) => !(e.getAttribute('aria-label') || e.innerText?.trim() || e.labels?.length)).map((e) => e.outerHTML)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_and_controls_have_names(browser, report, scheme):
    browser.colours(scheme)
    for view in (*VIEWS, "compare"):
        browser.open(report, view)
        assert browser.run(CONTRAST) == [], view
        assert browser.run(UNNAMED) == [], view

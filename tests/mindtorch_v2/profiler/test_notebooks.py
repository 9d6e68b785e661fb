"""What notebooks and shells show: profiles, averages and events as HTML, summaries, schedules in words."""

from __future__ import annotations

import threading
import warnings
from html.parser import HTMLParser

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile, record_function, schedule
from mindtorch_v2.profiler.session import warn_once

HOSTILE = "</svg><script>alert(1)</script>\n\x1b[31m漢字 & 'quotes\""
MOST_BYTES = 200_000


class Tags(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def prof():
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(record_shapes=True, with_stack=True, profile_memory=True) as profiled:
        for _ in range(300):
            with record_function(HOSTILE):
                model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            profiled.step()
        thread = threading.Thread(target=lambda: torch.ones(2), name=HOSTILE)
        thread.start()
        thread.join()
    return profiled


@pytest.mark.parametrize("what", [lambda prof: prof, lambda prof: prof.key_averages(), lambda prof: prof.events()],
                         ids=["profile", "averages", "events"])
def test_a_notebook_is_shown_little_html_in_which_names_are_text(prof, what):
    html = what(prof)._repr_html_()
    shown = Tags(html)
    assert len(html.encode()) < MOST_BYTES
    assert "script" not in shown.tags and "table" in shown.tags
    assert "\x1b" not in html


def test_a_profile_shows_its_timeline_ops_and_findings(prof, tmp_path):
    shown = Tags(prof._repr_html_())
    assert {"svg", "rect", "title"} <= shown.tags
    assert "300 steps" in shown.text and "aten::addmm" in shown.text and "</script>" in shown.text
    prof.save(tmp_path / "run.mtprof")
    assert load(tmp_path / "run.mtprof")._repr_html_() == prof._repr_html_()


def test_a_profile_without_results_is_shown_as_any_object():
    assert profile()._repr_html_() is None
    with profile() as nothing:
        pass
    assert "0 steps" in nothing._repr_html_()
    assert "the first 0 of 0 events" in nothing.events()._repr_html_()


def test_averages_that_only_wait_come_last():
    with profile(with_stack=True, threads="current") as waited:
        threading.Event().wait(0.02)
        torch.ones(2)
    averages = waited.key_averages()
    longest = max(averages, key=lambda row: row.self_cpu_time_total)
    text = Tags(averages._repr_html_()).text
    assert "acquire" in longest.key and "aten::ones" in text
    assert longest.key not in text or text.index("aten::ones") < text.index(longest.key)


@pytest.mark.parametrize("width", [80, 120])
def test_a_summary_fits_the_screen(prof, width):
    lines = prof.summary(width).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= width
    assert lines[0].startswith("300 steps") and any(line.startswith("Ops that lead") for line in lines)
    assert repr(prof.summary()) == str(prof.summary())


@pytest.mark.parametrize("plan, steps, words", [
    (dict(wait=1, warmup=1, active=2, repeat=1), None,
     ["step 0          nothing is recorded", "step 1          warm up", "step 2          recorded",
      "step 3          recorded; at its end", "then            nothing is recorded any more"]),
    (dict(wait=0, warmup=1, active=1, skip_first=2), 6,
     ["steps 0 to 1    nothing", "step 2          warm up", "step 3          recorded; at", "step 4          warm up",
      "step 5          recorded; at"]),
    (dict(wait=3, warmup=1, active=1, skip_first_wait=1), None,
     ["step 0          warm up", "step 1          recorded; at", "then            the same every 5 steps, 3 of them"]),
])
def test_a_schedule_is_explained_step_by_step(plan, steps, words):
    lines = schedule(**plan).explain(steps).splitlines()
    assert len(lines) == len(words)
    assert all(line.startswith(word) for line, word in zip(lines, words))


def test_a_wrong_sort_by_names_the_right_one(prof):
    with pytest.raises(AttributeError, match=r"has no attribute 'self_cpu_time'\. Did you mean "
                                             r"sort_by='self_cpu_time_total'\?"):
        prof.key_averages().table(sort_by="self_cpu_time")
    assert "aten::addmm" in prof.key_averages().table(sort_by="self_cuda_time_total")


def test_grouping_by_what_was_not_recorded_is_said_once(monkeypatch):
    monkeypatch.setattr(warn_once, "_WARNINGS_SHOWN", set())
    with profile() as plain:
        torch.ones(2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            plain.key_averages(group_by_stack_n=3)
            plain.key_averages(group_by_input_shape=True)
    assert [("with_stack=True" in str(one.message), one.filename) for one in caught] == [(True, __file__),
                                                                                          (False, __file__)]

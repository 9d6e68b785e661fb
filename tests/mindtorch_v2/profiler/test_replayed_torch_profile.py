"""torch's own trace, put through our table, views and exporters, gives what torch's calls gave."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import pytest

from mindtorch_v2.profiler.export import chrome
from mindtorch_v2.profiler.export.event_list import EventList
from mindtorch_v2.profiler.session.drain import Wishes, event_table
from mindtorch_v2.profiler.views.events import Events
from mindtorch_v2.profiler.views.visible_events import VisibleEvents

HERE = Path(__file__).parent
FACTS = json.loads(gzip.decompress((HERE.parent / "data" / "profiler_views.json.gz").read_bytes()))
recording_of = runpy.run_path(str(HERE / "replayed.py"))["recording_of"]


@pytest.fixture(scope="module")
def table():
    recording = recording_of(FACTS)
    wishes = Wishes(record_shapes=True, profile_memory=True)
    return event_table(recording, wishes, [], first_id=1)


@pytest.fixture(scope="module")
def events(table):
    return EventList.of_profile(Events(VisibleEvents(table)))


@pytest.mark.parametrize("field", FACTS["event fields"])
def test_events_have_torch_s_fields(events, field):
    at = FACTS["event fields"].index(field)
    ours = json.loads(json.dumps([getattr(e, field) for e in events]))
    assert [(e.name, value) for e, value in zip(events, ours)] == [(e[0], e[at]) for e in FACTS["events"]]


def test_events_have_torch_s_parents(events):
    place = {id(e): i for i, e in enumerate(events)}
    assert [place[id(e.cpu_parent)] if e.cpu_parent else -1 for e in events] == FACTS["parents"]


def test_children_are_those_whose_parent_it_is(events):
    for event in events:
        assert all(child.cpu_parent is event for child in event.cpu_children)
    assert sum(len(e.cpu_children) for e in events) == sum(p >= 0 for p in FACTS["parents"])


@pytest.mark.parametrize(("facts", "by_shape"), [("averages", False), ("by shape", True)])
def test_averages_are_torch_s_in_torch_s_order(events, facts, by_shape):
    ours = [[getattr(a, name) for name in FACTS["average fields"]] for a in events.key_averages(by_shape)]
    assert json.loads(json.dumps(ours)) == FACTS[facts]


def test_averages_of_a_changed_list_are_the_same(events):
    changed = EventList(list(events), profile_memory=True)
    changed._tree_built = True
    ours = [[getattr(a, name) for name in FACTS["average fields"]] for a in changed.key_averages(True)]
    assert json.loads(json.dumps(ours)) == FACTS["by shape"]


def test_the_trace_says_of_every_call_what_torch_s_says(table):
    trace = json.loads(b"".join(chrome.pieces(table, chrome.Trace("T", "host", {}), "t.json")))["traceEvents"]
    ours = [[e["name"], e["cat"], round(e["ts"] * 1000), round(e["dur"] * 1000), said(e["args"])] for e in trace
            if e.get("cat") in ("cpu_op", "user_annotation")]
    assert ours == [[*call[:4], said(call[4])] for call in FACTS["calls"]]


def said(args: dict) -> dict:
    """What a call says about itself, without the numbers that only order it."""
    return {key: value for key, value in args.items() if key not in ("External id", "Ev Idx", "Record function id")}


def test_the_trace_has_torch_s_arrows(table):
    trace = json.loads(b"".join(chrome.pieces(table, chrome.Trace("T", "host", {}), "t.json")))["traceEvents"]
    ours = sorted([e["id"], e["ph"], round(e["ts"] * 1000)] for e in trace if e.get("cat") == "fwdbwd")
    assert ours == sorted(FACTS["flows"])
    assert all(e["bp"] == "e" for e in trace if e["ph"] == "f")


def test_the_trace_has_torch_s_memory(table):
    trace = json.loads(b"".join(chrome.pieces(table, chrome.Trace("T", "host", {}), "t.json")))["traceEvents"]
    ours = [[round(e["ts"] * 1000), e["args"]["Addr"], e["args"]["Bytes"], e["args"]["Total Allocated"]] for e in trace
            if e["name"] == "[memory]"]
    assert ours == sorted(FACTS["memory"])

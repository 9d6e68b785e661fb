"""torch.monitor: events and statistics, with what PyTorch 2.13 gives for the same calls."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mindtorch_v2 import monitor
from mindtorch_v2.monitor import Aggregation

KINDS = (Aggregation.SUM, Aggregation.COUNT, Aggregation.MEAN, Aggregation.MAX, Aggregation.MIN, Aggregation.VALUE)


@pytest.fixture
def heard():
    events = []
    handle = monitor.register_event_handler(events.append)
    yield events
    monitor.unregister_event_handler(handle)


def test_events_are_told_to_who_listens(heard):
    event = monitor.Event("n", datetime(2020, 1, 1), {"a": 1, "b": 2.5, "c": "x", "d": True})
    monitor.log_event(event)
    assert heard == [event] and event.data == {"a": 1, "b": 2.5, "c": "x", "d": 1.0}


def test_nobody_hears_after_unregistering():
    events = []
    handle = monitor.register_event_handler(events.append)
    monitor.unregister_event_handler(handle)
    monitor.log_event(monitor.Event("n", datetime(2020, 1, 1), {}))
    assert events == []


@pytest.mark.parametrize("arguments", [(1, datetime(2020, 1, 1), {}), ("n", 3, {}),
                                       ("n", datetime(2020, 1, 1), {"a": []})])
def test_an_event_of_other_things_is_refused(arguments):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        monitor.Event(*arguments)


def test_a_statistic_is_told_when_it_has_enough_samples(heard):
    stat = monitor.Stat("s", KINDS, timedelta(days=1), 3)
    stat.add(1)
    stat.add(2.5)
    assert stat.count == 2 and set(stat.get().values()) == {0.0} and Aggregation.VALUE not in stat.get()
    stat.add(7)
    stat.add(9)  # of the same window: too many
    assert [(event.name, event.data) for event in heard] == [
        ("torch.monitor.Stat", {"s.count": 3.0, "s.sum": 10.5, "s.max": 7.0, "s.mean": 3.5, "s.min": 1.0})]
    assert stat.count == 0 and stat.get()[Aggregation.MEAN] == 3.5


def test_what_is_left_is_told_when_a_statistic_goes(heard):
    stat = monitor.Stat("s", [Aggregation.SUM], timedelta(days=1))
    stat.add(2)
    del stat
    assert [event.data for event in heard] == [{"s.sum": 2.0}]


def test_numbers_become_scalars_of_tensorboard():
    class Writer:
        def __init__(self) -> None:
            self.written = []

        def add_scalar(self, *args, **options) -> None:
            self.written.append((args, options))

    writer = Writer()
    monitor.TensorboardEventHandler(writer)(monitor.Event("n", datetime.fromtimestamp(5), {"a": 1}))
    assert writer.written == [(("a", 1), {"walltime": 5.0})]

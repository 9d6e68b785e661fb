"""The event tree where threads start inside the profile: torch's own leaves out their Python calls, others do not."""

from __future__ import annotations

import pickle
import threading

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _ExperimentalConfig, profile
from mindtorch_v2.profiler._pattern_matcher import NamePattern
from mindtorch_v2.profiler._utils import traverse_dfs


def in_a_new_thread(**said) -> tuple[profile, set[str]]:
    """A profile inside which a thread starts, and the names in its event tree."""
    def work_of_the_thread():
        torch.ones(2).sin()

    with profile(with_stack=True, **said) as prof:
        thread = threading.Thread(target=work_of_the_thread)
        thread.start()
        thread.join()
    nodes = traverse_dfs(prof.profiler.kineto_results.experimental_event_tree())
    return prof, {node.name.rpartition(": ")[2] for node in nodes}


def test_python_calls_of_a_thread_that_starts_inside_are_not_in_torch_s_tree_unless_threads_were_asked_for():
    prof, names = in_a_new_thread()
    assert "aten::sin" in names and "work_of_the_thread" not in names
    assert any(event.name.endswith("work_of_the_thread") for event in prof.events())
    copied = pickle.loads(pickle.dumps(prof)).profiler.kineto_results.experimental_event_tree()
    assert len(copied) == len(prof.profiler.kineto_results.experimental_event_tree())
    for said in ({"threads": "all"}, {"experimental_config": _ExperimentalConfig(profile_all_threads=True)}):
        assert {"aten::sin", "work_of_the_thread"} <= in_a_new_thread(**said)[1]


def test_patterns_see_python_calls_of_threads_that_start_inside():
    prof, _ = in_a_new_thread(record_shapes=True, profile_memory=True)
    (sine,) = NamePattern(prof, "aten::sin").matched_events()
    assert sine.parent.name.endswith("work_of_the_thread")

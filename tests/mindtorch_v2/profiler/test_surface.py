"""The surface of the profiler against torch's, as recorded by tools/record_surface.py."""

from __future__ import annotations

import gzip
import importlib
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile

from . import surface

FACTS = json.loads(gzip.decompress(
    (Path(__file__).parents[1] / "data" / "profiler_surface.json.gz").read_bytes()))

# Names of torch that we leave out, each with the reason.
LEFT_OUT = {
    "profiler.profiler": {"_NumpyEncoder": "torch's memory timeline is written with it"},
    "autograd.profiler": {
        "_cupti_monitor_checked": "CUDA", "_maybe_cupti_monitor": "CUDA",
        "_ProfilerResult": "made by a profile alone; see torch._C._autograd",
        "_run_on_profiler_start": "torch's own bookkeeping", "_run_on_profiler_stop": "torch's own bookkeeping",
        "_set_is_profiler_enabled": "torch's own bookkeeping"},
    "autograd.profiler_util": {"_canonicalize_profiler_events": "compares traces of compiled graphs"},
    "autograd.profiler_legacy": {"_parse_legacy_records": "reads torch's legacy records"},
}
# Arguments of ours that torch does not have: docs/DIFFERENCES.md.
BEYOND = {"max_events", "max_bytes", "overflow", "threads", "callback_errors", "crash_safe", "folder", "with_ops",
          "with_cpu_time"}
NAMES_BEYOND = {"load", "combine"}
NAMES = [pytest.param(module, name, id=f"{module}.{name}") for module, found in FACTS["modules"].items()
         for name in found if name not in LEFT_OUT.get(module, {})]


def ours(module: str):
    return importlib.import_module(f"mindtorch_v2.{module}")


@pytest.mark.parametrize("module", FACTS["modules"])
def test_a_module_exports_what_torch_s_exports(module):
    assert sorted(set(ours(module).__all__) - NAMES_BEYOND) == FACTS["modules"][module]["__all__"]


@pytest.mark.parametrize(("module", "name"), [p for p in NAMES if p.values[1] != "__all__"])
def test_a_name_is_what_it_is_in_torch(module, name):
    theirs, mine = FACTS["modules"][module][name], surface.described(getattr(ours(module), name))
    if "class" in theirs:
        assert mine["fields"] == theirs["fields"] or not theirs["fields"]
        found = {member: without_ours(mine["class"].get(member)) for member in theirs["class"]}
        assert found == {member: "compiled" if found[member] == "compiled" else what
                         for member, what in theirs["class"].items()}
    else:
        assert mine == theirs


def without_ours(member):
    """A member without the arguments that go beyond torch's."""
    if not isinstance(member, list) or len(member) != 2 or not isinstance(member[1], list):
        return member
    return [member[0], [parameter for parameter in member[1] if parameter[0] not in BEYOND]]


def test_a_compiled_class_takes_torch_s_arguments():
    """Its signature cannot be asked for."""
    made = torch.profiler.record_function(name="range", args="text")
    assert (made.name, made.args) == ("range", "text")
    with pytest.raises(TypeError):
        torch.profiler.record_function("range", "text", "more")


def test_every_name_left_out_is_torch_s():
    for module, names in LEFT_OUT.items():
        assert set(names) <= set(FACTS["modules"][module])
        assert not [name for name in names if hasattr(ours(module), name)]


@pytest.mark.parametrize("module", FACTS["homes"])
def test_a_class_says_it_lives_where_torch_s_does(module):
    exported = importlib.import_module("mindtorch_v2" + f".{module}" * bool(module))
    homes = {name: getattr(exported, name).__module__.replace("mindtorch_v2", "torch", 1)
             for name in FACTS["homes"][module] if name != "record_function"}  # that one is compiled
    assert homes == {name: FACTS["homes"][module][name] for name in homes}
    for name in homes:
        kind = getattr(exported, name)
        assert pickle.loads(pickle.dumps(kind)) is kind


# What relates a trace to the graphs that torch.fx compiles (without one, the answer is None), and what torch's modules
# only import for themselves.
NOT_OURS = {"ContextStackEntry", "TimelineEvent", "map_recorded_events_to_aten_ops_with_stack_trace", "profile",
            "DeviceType"}


@pytest.mark.parametrize("module", FACTS["names"])
def test_a_module_that_tools_are_written_against_has_torch_s_names(module):
    wanted = {name for name in FACTS["names"][module] if not name.startswith("_")} - NOT_OURS
    assert sorted(name for name in wanted if not hasattr(ours(module), name)) == []


# Names of torch's compiled half that we leave out, by how they begin, each with the reason.
NOT_COMPILED = {
    "_cupti_": "CUDA", "symbolize_addresses": "addresses of C++ functions",
    "ProfilerEvent": "the legacy profiler's raw records", "_ProfilerDisableOptions": "for the legacy profiler",
    "_enable_profiler_legacy": "hands out raw records", "_disable_profiler_legacy": "hands out raw records",
    "_kineto_step": "tells a daemon", "_is_kineto_stopped": "asks a daemon",
    "_enable_record_function": "torch's own callbacks", "_clear_callbacks": "torch's own callbacks",
    "_set_empty_test_observer": "torch's own tests", "_soft_assert_raises": "torch's own tests"}
# The rest of torch._C._autograd is the engine's business, not the profiler's.
OF_THE_ENGINE = {"CreationMeta", "SavedTensor", "TensorGeometry", "_InputMetadata", "_get_creation_meta",
                 "_get_current_graph_task_keep_graph", "_get_data_attr", "_get_sequence_nr", "_make_saved_tensor",
                 "_set_creation_meta", "_unsafe_set_version_counter"}


@pytest.mark.parametrize("module", FACTS["compiled"])
def test_torch_s_compiled_names_are_there_or_left_out_for_a_reason(module):
    missing = {name for name in FACTS["compiled"][module] if not hasattr(ours(module), name)}
    hooks = {name for name in missing if "saved_tensors" in name}
    assert {name for name in missing - hooks - OF_THE_ENGINE if not name.startswith(tuple(NOT_COMPILED))} == set()


# Fields of torch's objects that we leave out: its bookkeeping of half-done work, and CUDA's monitor.
BOOKKEEPING = {"_monitor_started_here", "_monitor_tempdir", "_monitor_trace_window", "_use_cupti_monitor",
               "_prev_schedule_action", "_function_events", "_needs_processing", "_old_function_events"}


def test_objects_have_torch_s_fields():
    with profile(record_shapes=True) as prof:
        torch.ones(2).sum()
    events = prof.events()
    made = {"profile": prof, "autograd profile": prof.profiler, "event": events[0], "average": prof.key_averages()[0],
            "list": events, "stats": prof._stats()}
    missing = {name: [field for field in fields if field not in BOOKKEEPING and not hasattr(made[name], field)]
               for name, fields in FACTS["objects"].items()}
    assert not any(missing.values()), missing


@pytest.mark.parametrize("name", ["profiler", "_memory_profiler", "_utils"])
def test_modules_that_torch_has_loaded_are_there_without_an_import(name):
    asked = f"import mindtorch_v2 as torch; assert torch.profiler.{name}.__name__.endswith('.{name}')"
    subprocess.run([sys.executable, "-c", asked], check=True)

"""Objects of the profiled program that refuse to be looked at: the program runs on, and the profile can be shown."""

from __future__ import annotations

import json
import pathlib
import sys
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._C._profiler import _RecordFunctionFast
from mindtorch_v2.profiler import ExecutionTraceObserver, profile, record_function
from mindtorch_v2.utils.data import IterDataPipe


class RefusalError(Exception):
    """What hostile objects raise."""


def refuse(*args, **kwargs):
    raise RefusalError


ASKED = ("__repr__", "__str__", "__eq__", "__ne__", "__hash__", "__bool__", "__len__", "__iter__", "__format__",
         "__lt__", "__int__", "__float__", "__contains__", "__getitem__", "startswith", "code", "items", "get",
         "bit_length")


def hostile(kind: type) -> type:
    """A class whose instances refuse everything that a profiler could ask."""
    return type("Hostile", (kind,), dict.fromkeys(ASKED, refuse))


class HostileMeta(type):
    """Classes that refuse their name, to be shown, and to be compared."""

    __eq__ = __hash__ = __repr__ = refuse

    def __getattribute__(cls, name):
        if name in ("__name__", "__qualname__", "__module__"):
            raise RefusalError
        return super().__getattribute__(name)


X = torch.ones(2, 2)


def shown(program, tmp_path, **options) -> list[str]:
    """The names of the events of a program, after everything that can be asked of its profile has been."""
    with profile(record_shapes=True, profile_memory=True, with_stack=True, with_flops=True, **options) as prof:
        program()
    events = prof.events()
    assert events.table() and [repr(event) for event in events] and events.total_average()
    for grouping in ({}, {"group_by_input_shape": True}, {"group_by_stack_n": 5}):
        assert prof.key_averages(**grouping).table()
    prof.export_chrome_trace(tmp_path / "trace.json")
    prof.export_stacks(tmp_path / "stacks.txt")
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    waiting = list(prof.profiler.kineto_results.experimental_event_tree())
    while waiting:
        node = waiting.pop()
        assert repr(node.extra_fields)
        waiting.extend(node.children)
    prof._memory_profile()
    return [event.name for event in events]


class HostileClass:
    """Its ``__class__`` cannot be read."""

    __class__ = property(refuse)


ENTRIES = {"Path": pathlib.Path(__file__).parent, "int": 5, "None": None, "bytes": b"/tmp", "str": hostile(str)("/tmp"),
           "object": hostile(object)(), "class": HostileClass()}


@pytest.mark.parametrize("kind", ENTRIES)
def test_anything_may_stand_in_sys_path(tmp_path, kind):
    def program():
        sys.path.insert(0, ENTRIES[kind])
        try:
            exec("def fresh(): return 1\nfresh()", {})
        finally:
            del sys.path[0]

    assert any(name.endswith(": fresh") for name in shown(program, tmp_path))


def test_sys_path_itself_may_be_anything(tmp_path):
    def program():
        before = sys.path
        try:
            for path in (hostile(list)(before), None, tuple(before)):
                sys.path = path
                exec("def fresh(): return 1\nfresh()", {})
        finally:
            sys.path = before

    assert sum(name.endswith(": fresh") for name in shown(program, tmp_path)) == 3


class Double(torch.autograd.Function):
    """A function that takes anything beside its tensor."""

    @staticmethod
    def forward(ctx, x, value):
        return x * 2


def endless() -> list:
    value: list = []
    value.append(value)
    return value


def deep() -> list:
    value: list = []
    for _ in range(100_000):
        value = [value]
    return value


VALUES = {
    "object": hostile(object)(), "str": hostile(str)("s"), "int": hostile(int)(3), "float": hostile(float)(3.0),
    "complex": hostile(complex)(1j), "list": hostile(list)([1]), "tuple": hostile(tuple)((1,)),
    "dict": hostile(dict)(), "class": HostileMeta("Refusing", (), {}), "instance": HostileMeta("Refusing", (), {})(),
    "long text": "x" * 10**6, "long number": 10**5000, "surrogate": "\ud800", "nul": "\0", "nan": float("nan"),
    "endless": endless(), "deep": deep(),
}


@pytest.mark.parametrize("kind", VALUES)  # by name: pytest itself would look at them
def test_a_function_may_be_given_anything(tmp_path, kind):
    assert "Double" in shown(lambda: Double.apply(X, VALUES[kind]), tmp_path)


@pytest.mark.parametrize("kind", VALUES)  # by name: pytest itself would look at them
def test_an_execution_trace_may_see_anything(tmp_path, kind):
    path = tmp_path / "trace.json"
    with profile(execution_trace_observer=ExecutionTraceObserver().register_callback(str(path))):
        Double.apply(X, VALUES[kind])
    assert "Double" in {node["name"] for node in json.loads(path.read_text())["nodes"]}


@pytest.mark.parametrize("kind", VALUES)  # by name: pytest itself would look at them
def test_a_range_may_be_given_anything(tmp_path, kind):
    def program():
        with _RecordFunctionFast("range", [VALUES[kind], [VALUES[kind]]], {"key": VALUES[kind]}):
            pass

    assert "range" in shown(program, tmp_path)


def test_a_hostile_text_is_a_name_by_its_characters(tmp_path):
    name = hostile(str)("hostile")

    def program():
        with record_function(name, name):
            pass
        record_function(name)(lambda: X + X)()

    assert shown(program, tmp_path).count("hostile") == 2


@pytest.mark.parametrize("name", ["\ud800", "\udfff\ud800", "a\0b", "n" * 10**6, "", "\n", '"', "\\", ";", "</script>"])
def test_any_text_is_a_name(tmp_path, name):
    def program():
        with record_function(name, name):
            pass

    assert name in shown(program, tmp_path)
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert name in {event["name"] for event in trace["traceEvents"]}


@pytest.mark.parametrize("kind", ["int", "None", "bytes", "object", "class"])
def test_what_is_no_text_is_refused_as_a_name(kind):
    with pytest.raises(RuntimeError, match="Expected a value of type 'str' for argument 'name'"):
        record_function(ENTRIES[kind])


def test_a_name_that_was_changed_to_anything_is_shown_by_its_type(tmp_path):
    def program():
        span = record_function("range")
        span.name = span.args = hostile(object)()
        with span:
            pass

    assert "<Hostile>" in shown(program, tmp_path)


def test_a_module_s_class_may_refuse_its_name(tmp_path):
    class Refusing(torch.nn.Module, metaclass=HostileMeta):
        def forward(self, x):
            return x + x

    assert "nn.Module: Refusing_0" in shown(lambda: Refusing()(X), tmp_path)


def test_a_module_may_refuse_everything_but_its_call(tmp_path):
    class Refusing(torch.nn.Module):
        __repr__ = __str__ = __eq__ = __hash__ = parameters = named_parameters = refuse
        __class__ = property(refuse)

        def forward(self, x):
            return x + x

    module = Refusing()
    module._parameters = {"no tensor": 5}
    assert "nn.Module: Refusing_0" in shown(lambda: module(X), tmp_path)


def test_an_optimizer_may_refuse_its_name_and_its_state(tmp_path):
    class Refusing(torch.optim.SGD, metaclass=HostileMeta):
        pass

    model = torch.nn.Linear(2, 2)
    optimizer = Refusing(model.parameters(), lr=0.1)
    model(X).sum().backward()
    optimizer.state = hostile(dict)()
    assert "Optimizer.step#Refusing.step" in shown(optimizer.step, tmp_path)


def test_a_datapipe_may_be_made_with_anything(tmp_path):
    class Pipe(IterDataPipe):
        def __init__(self, value):
            self.value = value

        def __iter__(self):
            yield 1

    assert "Pipe" in shown(lambda: list(Pipe(hostile(object)())), tmp_path)


def test_the_code_of_a_function_may_hold_anything(tmp_path):
    def function():
        return None

    def program():
        name = hostile(str)("renamed")
        for changed in ({"co_name": name, "co_filename": name}, {"co_consts": (None, hostile(object)())}):
            type(function)(function.__code__.replace(**changed), {})()

    assert "renamed(" in " ".join(shown(program, tmp_path))


def test_a_thread_may_refuse_its_name(tmp_path):
    class Refusing(threading.Thread):
        name = property(refuse, lambda self, name: None)

    results = []

    def program():
        thread = Refusing(target=lambda: results.append(X + X))
        thread.start()
        while thread.is_alive():
            pass

    with profile(with_stack=True) as prof:
        program()
    prof.export_chrome_trace(tmp_path / "trace.json")
    assert len(results) == 1 and "aten::add" in {event.name for event in prof.events()}


def test_the_profiler_asks_a_tensor_that_overrides_functions_nothing_more(tmp_path):
    asked = []

    class Listening(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            asked.append(func)
            return super().__torch_function__(func, types, args, kwargs or {})

    def program():
        layer = torch.nn.Linear(2, 2)
        layer.weight = torch.nn.Parameter(layer.weight.as_subclass(Listening))
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        Double.apply(layer(X), X.as_subclass(Listening)).sum()
        asked.clear()
        layer(X).sum().backward()
        optimizer.step()

    program()
    without = list(asked)
    with profile(record_shapes=True, with_stack=True, profile_memory=True):
        program()
    assert asked == without


def test_metadata_may_have_a_hostile_key(tmp_path):
    with profile() as prof:
        prof.add_metadata(hostile(str)("key"), hostile(str)("value"))
    prof.export_chrome_trace(tmp_path / "trace.json")
    assert json.loads((tmp_path / "trace.json").read_text())["key"] == "value"

"""Python's calls as rows: who called whom, under which name, and nothing left behind."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core.tensor import identity_of
from mindtorch_v2.record import tracer
from mindtorch_v2.record.layout import (
    C_CALL,
    CALLS,
    COLLECTIONS,
    GARBAGE_COLLECTION,
    INPUTS,
    OPTIMIZERS,
    PYTHON_CALL,
    STACKS,
    TENSORS,
)
from mindtorch_v2.record.recorder import Window

HERE = __file__.rsplit("/", 1)[-1]


class Traced:
    """What a block did, with stacks."""

    def __init__(self, wants=CALLS | STACKS):
        self.window = Window(wants)

    def __enter__(self):
        self.window.open()
        return self

    def __exit__(self, *failure):
        self.recording = self.window.close()

    @property
    def thread(self):
        return next(t for t in self.recording.threads if t.index == self.window.thread)

    def names(self, thread=None):
        return [self.recording.names[n][0] for n in (thread or self.thread).rows["name"]]

    def stack(self, name, thread=None):
        """The functions above the first row of a name, innermost first; files left out."""
        thread = thread or self.thread
        row, found, parents = self.names(thread).index(name), [], thread.parents()
        while parents[row] >= 0:
            row = parents[row]
            found.append(self.names(thread)[row].split("): ")[-1])
        return found


def inner(x):
    return x + x


def outer(x):
    return inner(x)


def test_an_op_s_parents_are_the_functions_that_called_it():
    with Traced() as found:
        outer(torch.ones(2))
    assert found.stack("aten::add")[:3] == ["inner", "outer", "test_an_op_s_parents_are_the_functions_that_called_it"]


def test_a_call_is_named_by_file_first_line_and_function():
    with Traced() as found:
        outer(torch.ones(2))
    line = outer.__code__.co_firstlineno
    (name,) = [n for n in found.names() if n.endswith(": outer")]
    assert name.endswith(f"{HERE}({line}): outer")


def test_a_frame_that_was_there_before_carries_the_line_it_was_at():
    def around():
        with Traced() as found:
            pass
        return found

    found = around()
    (name,) = [name for name in found.names() if name.endswith(": around")]
    assert name.endswith(f"{HERE}({around.__code__.co_firstlineno + 1}): around")


def test_builtins_are_named_without_an_address():
    with Traced() as found:
        sorted([2, 1])
        [].append(1)
    assert {"<built-in function sorted>", "<built-in method append of list object>"} <= set(found.names())


def test_the_engine_s_own_functions_are_not_shown():
    with Traced() as found:
        torch.nn.functional.cross_entropy(torch.ones(2, 3, requires_grad=True), torch.tensor([0, 1])).backward()
    rooms = ("/ops/", "/dispatch/", "/core/", "/profiler/", "numpy")
    assert [n for n in found.names() if any(room in n for room in rooms)] == []


def test_modules_are_numbered_by_class_in_the_order_of_their_first_calls():
    first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    with Traced() as found:
        for module in (second, first, second):
            module(torch.ones(1, 2))
    assert [n for n in found.names() if n.startswith("nn.Module")] == [
        "nn.Module: Linear_0", "nn.Module: Linear_1", "nn.Module: Linear_0"]


def test_an_exception_closes_the_calls_it_leaves():
    def fails():
        raise ValueError

    with Traced() as found:
        with pytest.raises(ValueError):
            fails()
        inner(torch.ones(2))
    assert found.stack("aten::add")[:2] == ["inner", "test_an_exception_closes_the_calls_it_leaves"]


def test_a_generator_stands_under_whoever_resumes_it():
    def numbers():
        yield torch.ones(2) + 1
        yield torch.ones(2) * 2

    def resume(made):
        return next(made)

    made = numbers()
    with Traced() as found:
        next(made)
        resume(made)
    assert found.stack("aten::add")[0] == "numbers" and found.stack("aten::mul")[:3] == [
        "numbers", "<built-in function next>", "resume"]


def test_a_c_call_entered_before_the_profile_may_return_inside_it():
    found = Traced()

    def enter_midway(value):
        if value == 2:
            found.__enter__()
        return value

    sorted([1, 2, 3], key=enter_midway)
    inner(torch.ones(2))
    found.__exit__()
    assert found.stack("aten::add")[0] == "inner"


def in_worker(start_inside: bool):
    """Run a function on a thread that starts before or inside the profile."""
    def work():
        go.wait()
        inner(torch.ones(2))

    go = threading.Event()
    worker = threading.Thread(target=work, name="worker")
    if not start_inside:
        worker.start()
    with Traced() as found:
        if start_inside:
            worker.start()
        go.set()
        worker.join()
    (thread,) = [t for t in found.recording.threads if t.name == "worker"]
    return found.stack("aten::add", thread)[:2]


def test_a_thread_that_starts_inside_is_traced():
    assert in_worker(start_inside=True) == ["inner", "work"]


@pytest.mark.skipif(tracer.__file__.endswith(".py"), reason="only C can hook into a thread that runs")
def test_a_thread_that_ran_before_is_traced():
    assert in_worker(start_inside=False) == ["inner", "work"]


def test_another_profile_function_is_there_again_afterwards():
    seen = []
    sys.setprofile(lambda frame, event, argument: seen.append(event))
    try:
        with Traced():
            pass
        seen.clear()
        len(seen)
        assert "c_call" in seen
    finally:
        sys.setprofile(None)


def test_nothing_is_traced_when_the_window_is_closed():
    with Traced():
        pass
    assert sys.getprofile() is None and threading.getprofile() is None


def test_neither_frames_nor_closures_nor_tensors_are_kept():
    class Marker:
        pass

    def run():
        marker, tensor = Marker(), torch.ones(3)
        (lambda: (marker, tensor))()
        inner(tensor)
        return weakref.ref(marker), weakref.ref(tensor)

    with Traced(CALLS | STACKS | INPUTS | TENSORS) as found:
        marker, tensor = run()
    assert marker() is None and tensor() is None and found.recording.threads


def test_collections_are_rows_when_asked_for():
    with Traced(CALLS | STACKS | COLLECTIONS) as found:
        gc.collect()
    (row,) = [i for i, n in enumerate(found.names()) if n == "Python GC"]
    assert found.thread.rows["scope"][row] == GARBAGE_COLLECTION
    with Traced() as without:
        gc.collect()
    assert "Python GC" not in without.names()


def test_kinds_of_rows_are_told_apart():
    with Traced() as found:
        sorted([1])
        inner(torch.ones(1))
    kinds = dict(zip(found.names(), found.thread.rows["scope"].tolist()))
    assert kinds["<built-in function sorted>"] == C_CALL and kinds["aten::add"] == 0
    assert next(kind for name, kind in kinds.items() if name.endswith(": inner")) == PYTHON_CALL


def test_tensors_given_to_an_op_are_told_by_identity_and_storage():
    x, y = torch.ones(2), torch.ones(2)
    with Traced(CALLS | STACKS | INPUTS | TENSORS) as found:
        torch.cat([x, y]) + 0.5
    row = found.names().index("aten::cat")
    given = found.thread.tensors[found.thread.places(found.thread.tensors["row"]) == row]
    assert given["slot"].tolist() == [0, 1] and given["tensor"].tolist() == [identity_of(x), identity_of(y)]
    assert given["storage"].tolist() == [x.data_ptr(), y.data_ptr()]


def test_modules_and_optimizers_are_remembered_with_their_tensors():
    layer = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
    with Traced(CALLS | STACKS | OPTIMIZERS) as found:
        layer(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    (module,) = found.recording.objects.modules.values()
    (step,) = found.recording.objects.optimizers.values()
    assert [(name, facts.storage) for name, facts, _ in module.parameters] == [
        ("weight", layer.weight.data_ptr()), ("bias", layer.bias.data_ptr())]
    assert [(p.storage, g.storage, list(state)) for p, g, state in step.parameters] == [
        (p.data_ptr(), p.grad.data_ptr(), ["momentum_buffer"]) for p in layer.parameters()]

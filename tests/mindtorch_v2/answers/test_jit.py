"""torch.jit: programs that would be scripted or traced run as Python; marks are noted as torch notes them."""

from __future__ import annotations

import typing
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import jit


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_script_and_trace_give_back_what_they_are_given():
    model = torch.nn.Linear(2, 2)
    assert jit.script(model) is jit.trace(model, torch.ones(1, 2)) is jit.freeze(model.eval()) is model
    assert jit.script(len) is len and jit.script_if_tracing(len) is jit._script_if_tracing(len) is len
    assert not isinstance(model, jit.ScriptModule) and issubclass(jit.ScriptModule, torch.nn.Module)
    assert jit.is_scripting() is jit.is_tracing() is False


def test_trace_calls_the_function_with_the_example():
    calls = []
    jit.trace(lambda x, y: calls.append(x + y), (torch.ones(1), torch.ones(1)))
    assert calls == [torch.tensor([2.])]


def test_marks_are_written_on_functions_in_torchs_words():
    for mark, word in [(jit.ignore, "ignore (leave"), (jit.ignore(drop=True), "unused"), (jit.unused, "unused"),
                       (jit.export, "export")]:
        def function():
            pass
        assert mark(function) is function and function._torchscript_modifier.startswith(word)
    with pytest.raises(RuntimeError, match="Argument to @torch.jit.ignore must be a bool or a function but got 3"):
        jit.ignore(3)
    assert jit._overload(len) is jit._overload_method(len) is len


def test_types_are_looked_into():
    assert jit.isinstance([1], typing.List[int]) and not jit.isinstance([1.], list[int])  # noqa: UP006
    assert jit.isinstance({"a": (1, 2.)}, dict[str, tuple[int, float]])
    assert jit.isinstance(None, typing.Optional[int]) and jit.annotate(int, 3) == 3  # noqa: UP045
    assert jit.annotations.BroadcastingList2[int] is None and jit.Final is typing.Final


def test_a_forked_call_can_be_waited_for():
    assert jit.wait(jit.fork(pow, 2, 3)) == 8


def test_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="The provided filename /nowhere does not exist"):
        jit.load("/nowhere")
    for call in (lambda: jit.load(__file__), lambda: jit.save(None, tmp_path / "f")):
        with pytest.raises(RuntimeError, match="is not in mindtorch_v2: there is no TorchScript"):
            call()

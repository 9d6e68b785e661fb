"""Calls and members of modules go the short way only where nobody could tell."""

from __future__ import annotations

import abc

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn
from mindtorch_v2.profiler import profile


class Doubling(nn.Module):
    """Something with a member of each kind and an argument that may be given by name."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.child = nn.Identity()
        self.register_buffer("total", torch.zeros(1))

    def forward(self, x, factor=2):
        return x * factor


def test_arguments_are_handed_on_by_position_and_by_name():
    module = Doubling()
    assert (module(1), module(1, 3), module(1, factor=4), module(x=5)) == (2, 3, 4, 10)


def test_more_arguments_than_usual_are_handed_on():
    class Counting(nn.Module):
        def forward(self, *given):
            return len(given)
    assert [Counting()(*range(n)) for n in (0, 8, 9, 30)] == [0, 8, 9, 30]


def test_members_of_all_tables_are_found():
    module = Doubling()
    assert module.weight is module._parameters["weight"]
    assert module.child is module._modules["child"]
    assert module.total is module._buffers["total"]


def test_missing_member_is_named():
    with pytest.raises(AttributeError, match="'Doubling' object has no attribute 'bias'"):
        Doubling().bias  # noqa: B018


def test_error_of_a_property_is_not_taken_for_a_missing_member():
    class Failing(nn.Module):
        @property
        def broken(self):
            raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        Failing().broken  # noqa: B018


def test_member_before_init_is_missing():
    with pytest.raises(AttributeError, match="has no attribute 'weight'"):
        Doubling.__new__(Doubling).weight  # noqa: B018


def test_class_with_a_call_of_its_own_is_called_by_it():
    class Own(Doubling):
        def __call__(self, x):
            return "own", super().__call__(x)
    assert Own()(1) == ("own", 2)


@pytest.mark.parametrize("method", ["__getattr__", "__getattribute__"])
def test_class_that_looks_for_members_itself_is_asked(method):
    def look(self, name):
        asked.append(name)
        return getattr(super(own, self), method)(name)
    asked = []
    own = type("Own", (Doubling,), {method: look})
    module = own()
    asked.clear()
    assert module.weight.shape == (2,)
    assert "weight" in asked


def test_class_with_a_metaclass_is_called():
    class Abstract(abc.ABC, Doubling):
        pass
    assert (Abstract()(1), Abstract().weight.shape) == (2, (2,))


def test_mixin_that_hides_init_subclass_still_calls_and_finds():
    class Mixin:
        def __init_subclass__(cls):
            """Tells nobody."""
    class Mixed(Mixin, Doubling):
        pass
    assert (Mixed()(1), Mixed().weight.shape) == (2, (2,))


def test_method_that_is_replaced_on_all_modules_is_called(monkeypatch):
    module = Doubling()
    with monkeypatch.context() as patch:
        patch.setattr(nn.Module, "__call__", lambda self, *args: "replaced")
        patch.setattr(nn.Module, "__getattr__", lambda self, name: name)
        assert (module(1), module.weight) == ("replaced", "weight")
    assert (module(1), module.weight) == (2, module._parameters["weight"])


def test_forward_of_an_instance_goes_before_that_of_its_class():
    module = Doubling()
    module.forward = lambda x: "instance"
    assert module(1) == "instance"


def test_hooks_of_a_module_and_of_all_modules_are_called():
    module, calls = Doubling(), []
    handles = [module.register_forward_pre_hook(lambda *given: calls.append("pre")),
               nn.modules.module.register_module_forward_hook(lambda *given: calls.append("all"))]
    module(1)
    for handle in handles:
        handle.remove()
    module(1)
    assert calls == ["pre", "all"]


def test_warning_of_a_module_points_at_the_line_that_calls_it():
    with pytest.warns(UserWarning, match="Implicit dimension choice") as warned:
        nn.Softmax()(torch.ones(2, 2))
    assert warned[0].filename == __file__


def test_profile_with_stacks_shows_modules_and_what_finds_their_members():
    layer = nn.Linear(2, 2)
    with profile(with_stack=True) as prof:
        layer(torch.ones(1, 2))
    names = [event.name for event in prof.events()]
    assert "nn.Module: Linear_0" in names
    assert sum("modules/registration.py" in name for name in names) == 2  # weight and bias

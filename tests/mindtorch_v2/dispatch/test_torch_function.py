"""``__torch_function__``: subclasses, foreign objects and modes are asked as torch asks them."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import overrides

from ..overrides_recorded import FACTS, as_json
from .override_cases import function_cases

F = torch.nn.functional
OURS = as_json(function_cases(torch))


@pytest.mark.parametrize("label", FACTS["functions"])
def test_subclass_is_asked_as_in_torch(label):
    assert OURS[label] == FACTS["functions"][label]


class Plain(torch.Tensor):
    """A subclass that says nothing."""


class Sum:
    """No tensor, but it answers for itself."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, types, [type(a).__name__ for a in args], kwargs


class Passing:
    """Answers nothing."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


def test_results_are_of_the_subclass_and_share_its_history():
    leaf = torch.ones(2, requires_grad=True)
    made = leaf.as_subclass(Plain) * 3
    assert type(made) is Plain
    assert made.grad_fn.name() == "AliasBackward0"
    made.sum().backward()
    assert leaf.grad.tolist() == [3.0, 3.0]
    assert type(leaf.grad) is torch.Tensor


def test_gradients_of_a_subclass_leaf_are_plain():
    leaf = torch.Tensor._make_subclass(Plain, torch.ones(2, 2), True)
    (leaf @ torch.ones(2, 2)).sum().backward()
    assert type(leaf.grad) is torch.Tensor


def test_results_computed_from_parameters_are_plain():
    assert type(torch.nn.Parameter(torch.ones(2)) * 2) is torch.Tensor


def test_named_results_hold_the_subclass():
    made = torch.max(torch.ones(2, 2).as_subclass(Plain), 0)
    assert type(made).__name__ == "max"
    assert type(made.values) is type(made.indices) is Plain


def test_classes_that_do_not_know_each_other_refuse():
    class Other(torch.Tensor):
        pass

    x = torch.ones(2)
    with pytest.raises(TypeError, match="unsupported operand type"):
        x.as_subclass(Plain) + x.as_subclass(Other)
    with pytest.raises(TypeError, match="Multiple dispatch failed for 'torch.add'; all __torch_function__ handlers"):
        torch.add(x.as_subclass(Plain), x.as_subclass(Other))


def test_disabled_functions_give_plain_results():
    x = torch.ones(2).as_subclass(Plain)
    with torch._C.DisableTorchFunctionSubclass():
        assert type(x + 1) is torch.Tensor
    assert type(x + 1) is Plain


@pytest.mark.parametrize("call", [
    lambda x, s: torch.add(x, s), lambda x, s: x.add(s), lambda x, s: x + s, lambda x, s: torch.cat([x, s]),
    lambda x, s: torch.add(input=x, other=s), lambda x, s: torch.ones(s), lambda x, s: torch.add(x, x, out=s),
])
def test_foreign_object_is_asked(call):
    name, types, _, _ = call(torch.ones(2), Sum())
    assert name in ("add", "cat", "ones")
    assert types == (Sum,)


def test_foreign_object_is_asked_by_python_functions_with_the_tensors_beside_it():
    assert F.mse_loss(Sum(), torch.ones(2)) == (
        "mse_loss", (Sum, torch.Tensor), ["Sum", "Tensor"],
        {"size_average": None, "reduce": None, "reduction": "mean", "weight": None})


def test_foreign_object_that_passes_is_named():
    with pytest.raises(TypeError, match="tensor subclass <class .*Passing"):
        torch.add(Passing(), torch.ones(2))
    with pytest.raises(TypeError, match=r"no implementation found for 'torch\.nn\.functional\.relu' on types that"):
        F.relu(Passing())
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: '.*Tensor' and 'Passing'"):
        torch.ones(2) + Passing()


def test_function_and_method_are_two_functions():
    assert torch.add is not torch.Tensor.add
    assert repr(torch.Tensor.add) == "<method 'add' of 'torch._C.TensorBase' objects>"


def test_function_as_a_class_attribute_is_no_method():
    class Layer:
        activation = torch.relu

    assert Layer().activation(torch.ones(1)).item() == 1


class Noting(overrides.TorchFunctionMode):
    """Notes what it sees."""

    def __init__(self):
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_mode_sees_functions_factories_and_properties_of_plain_tensors():
    x = torch.ones(2)
    with Noting() as mode:
        x + x, torch.rand(2), torch.tensor([1.0]), F.relu(x), x.shape, torch.nn.Parameter(x)  # noqa: B018
    x + x
    assert mode.seen == ["add", "rand", "tensor", "relu", "__get__"]


def test_modes_stack_and_the_inner_one_is_asked_first():
    outer, inner = Noting(), Noting()
    with outer, inner:
        assert overrides._get_current_function_mode() is inner
        torch.ones(2)
        with overrides._pop_mode_temporarily():
            torch.zeros(2)
    assert (outer.seen, inner.seen) == (["ones", "zeros"], ["ones"])


def test_mode_is_left_when_its_handler_raises():
    class Failing(overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Failing():
        torch.ones(2)
    assert torch.ones(1).item() == 1
    assert overrides._get_current_function_mode_stack() == []


def test_mode_belongs_to_its_thread():
    with Noting() as mode:
        other = threading.Thread(target=lambda: torch.ones(2) + 1)
        other.start()
        other.join()
    assert mode.seen == []


def test_questions_of_torch_overrides():
    x, s = torch.ones(2), torch.ones(2).as_subclass(Plain)
    assert [overrides.has_torch_function((v,)) for v in (x, s, Sum(), torch.nn.Parameter(x))] == [
        False, True, True, False]
    assert [overrides.is_tensor_like(v) for v in (x, s, Sum(), 1)] == [True, True, True, False]
    assert overrides.handle_torch_function(torch.add, (x, Sum()), x, Sum(), alpha=2)[1:] == (
        (torch.Tensor, Sum), ["Tensor", "Sum"], {"alpha": 2})
    assert overrides.resolve_name(torch.Tensor.shape.__get__) == "torch.Tensor.shape.__get__"
    assert [overrides.resolve_name(f) for f in (torch.add, torch.Tensor.add, F.relu)] == [
        "torch.add", "torch.Tensor.add", "torch.nn.functional.relu"]
    assert torch.Tensor.grad.__get__ in overrides.get_default_nowrap_functions()


def test_wrapped_function_asks_first():
    @overrides.wrap_torch_function(lambda a: (a,))
    def mine(a):
        return "ran"

    assert mine(torch.ones(1)) == "ran"
    assert mine(Sum())[0] == "mine"


@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_are_of_the_subclass_and_keep_attributes(remake):
    made = torch.arange(6.0).reshape(2, 3).as_subclass(Plain)
    made.note = ["kept"]
    again = remake(made)
    assert type(again) is Plain
    assert again.note == ["kept"]
    assert again.tolist() == made.tolist()


def test_new_makes_the_tensor_whatever_init_does():
    class Named(torch.Tensor):
        def __new__(cls, data, name):
            return super().__new__(cls, data)

        def __init__(self, data, name):
            self.label = name

    made = Named([1.0, 2.0], "n")
    assert (made.tolist(), made.label) == ([1.0, 2.0], "n")
    assert isinstance(torch.nn.Parameter(made), torch.nn.Parameter)


def test_class_that_is_no_tensor_is_refused():
    for make in (lambda: torch.ones(2).as_subclass(int), lambda: torch.Tensor._make_subclass(int, torch.ones(2))):
        with pytest.raises(TypeError, match="does not inherit from Tensor is not possible"):
            make()


def test_subclass_formats_its_own_way_and_a_number_as_a_number():
    assert f"{torch.tensor(0.126):.2f}" == "0.13"
    with pytest.raises(TypeError, match=r"unsupported format string passed to Plain\.__format__"):
        f"{torch.tensor(1.0).as_subclass(Plain):.2f}"


def test_functions_written_in_python_show_their_arguments():
    assert torch.meshgrid.__kwdefaults__ == {"indexing": None}
    assert torch.split.__defaults__ == (0,)
    assert "tensors" in torch.meshgrid.__code__.co_varnames


def test_mode_is_handed_the_method_that_stands_on_tensor_now(monkeypatch):
    backward, seen = torch.Tensor.backward, []

    def recording(tensor, *args, **kwargs):
        seen.append(tensor.item())
        return backward(tensor, *args, **kwargs)

    monkeypatch.setattr(torch.Tensor, "backward", recording)
    x = torch.ones(2, requires_grad=True)
    with torch.device("cpu"):  # a mode
        (x * 2).sum().backward()
    assert seen == [4.0, 4.0]  # once by the program, once by the mode
    assert x.grad.tolist() == [2.0, 2.0]

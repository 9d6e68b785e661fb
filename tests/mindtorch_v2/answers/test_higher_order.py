"""torch._ops, torch.ops.higher_order and torch.overrides' lists, as PyTorch has them."""

from __future__ import annotations

import inspect

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import overrides
from mindtorch_v2._C import DispatchKey
from mindtorch_v2._higher_order_ops import map as torch_map
from mindtorch_v2._higher_order_ops import scan
from mindtorch_v2._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode


def test_ops_are_of_torch_s_classes():
    add = torch.ops.aten.add.Tensor
    assert isinstance(add, OpOverload) and isinstance(torch.ops.aten.add, OpOverloadPacket)
    assert (OpOverload.__module__, add._name) == ("torch._ops", "aten::add.Tensor")
    assert torch.add.__module__ == torch.__name__


class Doubled(HigherOrderOperator):
    def __init__(self):
        super().__init__("doubled_for_test")


def test_an_op_of_functions_runs_what_was_registered():
    doubled = Doubled()
    with pytest.raises(NotImplementedError, match="could not find kernel for HigherOrderOperator doubled_for_test"):
        doubled(torch.neg, torch.ones(2))
    doubled.py_impl(DispatchKey.CompositeExplicitAutograd)(lambda f, x: 2 * f(x))
    assert doubled(torch.neg, torch.ones(2)).tolist() == [-2, -2]
    assert torch.ops.higher_order.doubled_for_test is doubled
    with pytest.raises(RuntimeError, match="Direct instantiation of HigherOrderOperator is not allowed"):
        HigherOrderOperator("other")


def test_a_mode_sees_ops_of_functions_if_it_says_so():
    class Sees(TorchDispatchMode):
        supports_higher_order_operators = True

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    seen, x = [], torch.ones(2)
    with Sees():
        torch.ops.higher_order.cond(True, torch.sin, torch.cos, (x,))
    assert seen == ["cond"]
    with type("Blind", (Sees,), {"supports_higher_order_operators": False})(), \
            pytest.raises(NotImplementedError, match="There was no rule registered for HigherOrderOperator cond"):
        torch.ops.higher_order.cond(True, torch.sin, torch.cos, (x,))


def test_scan_and_map():
    x = torch.arange(6.0).reshape(3, 2).requires_grad_()
    carry, sums = scan(lambda c, row: (c + row, c + row), torch.zeros(2), x)
    assert torch.equal(sums, x.cumsum(0)) and torch.equal(carry, x.sum(0))
    backwards = scan(lambda c, row: (c + row, c * row), torch.zeros(2), x, reverse=True)[1]
    assert backwards.tolist() == [[0, 8], [8, 15], [0, 0]]
    assert torch.equal(torch_map(lambda row, y: row * y, x, torch.tensor(2.0)), x * 2)
    carry.sum().backward()
    assert torch.equal(x.grad, torch.ones(3, 2))


@pytest.mark.parametrize(("call", "text"), [
    (lambda: torch.cond(3, torch.sin, torch.cos, (torch.ones(1),)), "Expected pred to be bool or tensor, but got 3."),
    (lambda: torch.cond(True, 1, torch.cos, (torch.ones(1),)), "Expect both branches to be callable."),
    (lambda: torch.cond(True, torch.sin, torch.cos, (1,)), "Expect operands to be a tuple of possibly nested"),
    (lambda: torch.while_loop(1, torch.cos, (torch.ones(1),)), "Expect cond_fn and body_fn to be callable."),
    (lambda: scan(torch.add, [], torch.ones(2)), r"scan\(\) operator requires init leaves."),
    (lambda: torch_map(torch.neg, (torch.ones(2), torch.ones(3))), "Leading dimensions of mapped xs must be cons"),
])
def test_mistakes_are_told_in_torch_s_words(call, text):
    with pytest.raises(RuntimeError, match=text):
        call()


def test_functions_that_ask_are_listed():
    asking = overrides.get_overridable_functions()
    assert torch.add in asking[torch] and torch.Tensor.add in asking[torch.Tensor]
    assert torch.nn.functional.relu in asking[torch.nn.functional] and torch.linalg.norm in asking[torch.linalg]
    assert asking[torch.Tensor.shape] == [torch.Tensor.shape.__get__]
    ignored = overrides.get_ignored_functions()
    assert torch.zeros in ignored and torch.zeros not in asking[torch]
    stand_ins = overrides.get_testing_overrides()
    assert set(stand_ins) == {function for functions in asking.values() for function in functions}
    assert list(inspect.signature(stand_ins[torch.nn.functional.dropout]).parameters) == [
        "input", "p", "training", "inplace"]
    assert stand_ins[torch.add](1, 2) == -1


@pytest.mark.parametrize(("function", "name"), [
    (torch.Tensor.add, "torch.Tensor.add"), (torch.Tensor.grad.__get__, "torch.Tensor.grad.__get__"),
    (torch.add, "torch.add"), (torch.nn.functional.relu, "torch.nn.functional.relu"),
    (torch.ops.aten.add.Tensor, "aten.add.Tensor"), (torch.ops.aten.add, "aten.add"),
    (torch.Tensor.grad.__set__, "torch.Tensor.grad.__set__"), (len, None)])
def test_functions_are_known_by_name(function, name):
    assert overrides.resolve_name(function) == name


@pytest.mark.parametrize(("stays", "seen"), [(False, ["scaled"]), (True, ["scaled", "mul", "add"])])
def test_a_function_is_run_without_being_asked_about_again(stays, seen):
    class Logs(overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            calls.append(func.__name__)
            if not stays:
                return overrides.redispatch_function(func, types, args, kwargs)
            with self:
                return overrides.redispatch_function(func, types, args, kwargs)

    def scaled(a, b):
        if overrides.has_torch_function((a, b)):
            return overrides.handle_torch_function(scaled, (a, b), a, b)
        return torch.add(torch.mul(a, b), 1)

    calls: list[str] = []
    a, b = torch.tensor(3.0), torch.tensor(4.0)
    with Logs():
        result = scaled(a, b)
    assert result.item() == 13 and calls == seen

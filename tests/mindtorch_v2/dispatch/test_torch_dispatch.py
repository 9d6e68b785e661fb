"""``__torch_dispatch__``: modes and wrapper subclasses take ops over below autograd, under rows of their own."""

from __future__ import annotations

import copy
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.utils import _python_dispatch
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode
from mindtorch_v2.utils._pytree import tree_map

from ..overrides_recorded import FACTS, as_json, tree
from .override_cases import dispatch_cases

OURS = as_json(dispatch_cases(torch, _python_dispatch, tree_map, tree))


@pytest.mark.parametrize("label", FACTS["dispatch"])
def test_ops_are_shown_as_in_torch_and_rows_stand_where_torchs_do(label):
    assert OURS[label] == FACTS["dispatch"][label]


class Noting(TorchDispatchMode):
    """Notes what it sees."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append((func, args, kwargs))
        return func(*args, **(kwargs or {}))


class Scaled(torch.Tensor):
    """Holds another tensor, and stands for twice as much."""

    @staticmethod
    def __new__(cls, inner, requires_grad=False):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype, requires_grad=requires_grad)

    def __init__(self, inner, requires_grad=False):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        args, kwargs = tree_map(lambda t: 2 * t.inner if isinstance(t, cls) else t, (args, kwargs or {}))
        return tree_map(lambda t: cls(t / 2) if isinstance(t, torch.Tensor) else t, func(*args, **kwargs))

    def value(self):
        return (2 * self.inner).tolist()


def test_mode_gets_the_overload_itself():
    x = torch.ones(2)
    with Noting() as mode:
        x + 1
    (func, args, kwargs), = mode.seen
    assert func is torch.ops.aten.add.Tensor
    assert (func.__name__, str(func), func.overloadpacket, func.namespace) == (
        "add.Tensor", "aten.add.Tensor", torch.ops.aten.add, "aten")
    assert (args, kwargs) == ((x, 1), {}) or args[1] == 1


def test_gradients_flow_through_a_mode():
    x = torch.ones(2, requires_grad=True)
    with Noting() as mode:
        y = (x * 3).exp().sum()
        y.backward()
    assert torch.allclose(x.grad, 3 * torch.exp(torch.tensor(3.0)) * torch.ones(2))
    assert torch.ops.aten.exp.default in [func for func, _, _ in mode.seen]


def test_wrapper_computes_by_its_own_rule():
    made = Scaled(torch.ones(2)) + 1
    assert type(made) is Scaled
    assert made.value() == [3.0, 3.0]


def test_gradients_flow_through_a_wrapper():
    leaf = Scaled(torch.ones(2), requires_grad=True)
    (leaf.exp() * 3).sum().backward()
    assert type(leaf.grad) is Scaled
    assert torch.allclose(torch.tensor(leaf.grad.value()), 3 * torch.exp(torch.tensor(2.0)) * torch.ones(2))


def test_second_derivatives_flow_through_a_wrapper():
    leaf = Scaled(torch.ones(2), requires_grad=True)
    first, = torch.autograd.grad(leaf.exp().sum(), [leaf], create_graph=True)
    second, = torch.autograd.grad(first.sum(), [leaf])
    assert type(second) is Scaled
    assert torch.allclose(torch.tensor(second.value()), torch.exp(torch.tensor(2.0)) * torch.ones(2))


def test_copy_that_autograd_keeps_has_a_row_of_its_own():
    x = torch.ones(2, requires_grad=True)

    def run():
        with Noting():
            return x.exp()

    assert [name for _, name in tree(run)[0]] == [
        "aten::exp", "PythonDispatchMode", "aten::exp", "aten::detach", "detach", "PythonDispatchMode", "aten::detach"]


def test_wrapper_is_printed_without_values():
    assert repr(Scaled(torch.ones(2))) == "Scaled(..., size=(2,), dtype=torch.float32)"


def test_wrapper_needs_a_handler():
    class Bare(torch.Tensor):
        pass

    with pytest.raises(TypeError, match="Bare must define __torch_dispatch__"):
        torch.Tensor._make_wrapper_subclass(Bare, (2,))


def test_wrapper_takes_no_memory_that_a_profile_would_show():
    with torch.profiler.profile(profile_memory=True) as prof:
        made = torch.Tensor._make_wrapper_subclass(Scaled, (1000, 1000))
    assert made.shape == (1000, 1000)
    assert [e for e in prof.events() if e.self_cpu_memory_usage] == []


def test_deepcopy_of_a_wrapper_is_its_clone():
    made = copy.deepcopy(Scaled(torch.ones(2), requires_grad=True))
    assert type(made) is Scaled
    assert made.requires_grad
    assert made.value() == [2.0, 2.0]


def test_handlers_that_all_pass_are_named():
    class Passing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    with pytest.raises(TypeError, match=r"Multiple dispatch failed for 'torch\._ops\.aten\.exp\.default'; all "
                                        r"__torch_dispatch__ handlers returned NotImplemented:\n\n  - mode object"):
        x = torch.ones(2)
        with Passing():
            torch.exp(x)


def test_class_with_a_dispatch_handler_is_not_asked_about_functions():
    class Stored(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            with torch._C._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))

    x = torch.Tensor._make_subclass(Stored, torch.ones(2))
    assert type(x + x) is torch.Tensor
    assert Stored.__torch_function__ is torch._C._disabled_torch_function_impl


def test_modes_are_counted_and_left():
    with Noting() as outer, Noting() as inner:
        assert _python_dispatch._get_current_dispatch_mode() is inner
        assert _python_dispatch._get_current_dispatch_mode_stack() == [outer, inner]
        with _python_dispatch._disable_current_modes():
            torch.ones(2)
            assert _python_dispatch._get_current_dispatch_mode() is None
        assert outer.seen == inner.seen == []
    assert _python_dispatch._get_current_dispatch_mode() is None


def test_mode_belongs_to_its_thread():
    with Noting() as mode:
        other = threading.Thread(target=lambda: torch.ones(2) + 1)
        other.start()
        other.join()
    assert mode.seen == []


def test_mode_is_left_when_its_handler_raises():
    class Failing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise ValueError("no")

    x = torch.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="no"), Failing():
        x * 2
    assert (x * 2).grad_fn is not None


def test_return_and_correct_aliasing_hands_the_written_argument_back():
    x, func = torch.ones(2), torch.ops.aten.add_.Tensor
    assert _python_dispatch.return_and_correct_aliasing(func, (x, 1), {}, torch.ones(2)) is x
    assert _python_dispatch.return_and_correct_aliasing(torch.ops.aten.add.Tensor, (x, 1), {}, "made") == "made"

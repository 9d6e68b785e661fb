"""torch.Tensor as a class like any other: named as users know it, and open to changes by libraries."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from unittest import mock

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core.modes import count_reasons


@pytest.fixture
def x():
    return torch.ones(2)


@pytest.mark.parametrize(("mistake", "text"), [
    (lambda x: x.missing, "'Tensor' object has no attribute 'missing'"),
    (lambda x: x(), "'Tensor' object is not callable"),
    (lambda x: x + "a", r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'"),
    (lambda x: "a" + x, r'can only concatenate str \(not "Tensor"\) to str'),
    (lambda x: x < "a", "'<' not supported between instances of 'Tensor' and 'str'"),
    (lambda x: torch.Tensor.missing, "type object 'Tensor' has no attribute 'missing'"),
])
def test_pythons_own_complaints_name_the_class_as_torch_does(x, mistake, text):
    with pytest.raises((TypeError, AttributeError), match=text):
        mistake(x)


def test_class_is_found_where_users_import_it_from():
    assert (torch.Tensor.__module__, torch.Tensor.__qualname__) == ("mindtorch_v2", "Tensor")
    assert pickle.loads(pickle.dumps(torch.Tensor)) is copy.deepcopy(torch.Tensor) is torch.Tensor


def test_only_tensors_of_a_subclass_that_live_make_calls_look_closer(x):
    class Labelled(torch.Tensor):
        pass

    reasons = [count_reasons()]
    labelled = x.as_subclass(Labelled)
    reasons.append(count_reasons())
    x.__class__ = Labelled
    reasons.append(count_reasons())
    x.__class__ = torch.Tensor
    del labelled
    reasons.append(count_reasons())
    assert [n - reasons[0] for n in reasons] == [0, 1, 2, 0]


def test_attributes_of_a_tensor_are_its_own(x):
    other = torch.ones(2)
    x.label = "x"
    assert ("label" in vars(x), "label" in vars(other)) == (True, False)


def test_attribute_can_be_added_and_taken_away(x):
    torch.Tensor.doubled = lambda self: self * 2
    assert x.doubled().tolist() == torch.nn.Parameter(x).doubled().tolist() == [2, 2]
    del torch.Tensor.doubled
    assert not hasattr(x, "doubled")


def test_method_can_be_replaced_for_a_while(x):
    with mock.patch.object(torch.Tensor, "add", lambda self, other: "replaced"):
        assert x.add(1) == "replaced"
        assert (x + 1).tolist() == [2, 2]  # the sign does not go through the method, as in torch
    assert x.add(1).tolist() == [2, 2]


@pytest.mark.parametrize(("name", "use"), [
    ("__add__", lambda x: x + x), ("__mul__", lambda x: x * 2), ("__getitem__", lambda x: x[0]),
    ("__eq__", lambda x: x == x), ("__neg__", lambda x: -x), ("__call__", lambda x: x()),
    ("__matmul__", lambda x: x @ x), ("__radd__", lambda x: 1 + x),
])
def test_operator_can_be_replaced_and_restored(x, name, use):
    def outcome():
        try:
            return use(x).tolist()
        except TypeError as error:
            return str(error)

    before = outcome()
    with mock.patch.object(torch.Tensor, name, lambda *operands: "replaced", create=True):
        assert use(x) == use(torch.nn.Parameter(x)) == "replaced"
    assert outcome() == before


def test_property_can_be_replaced_for_a_while(x):
    with mock.patch.object(torch.Tensor, "shape", property(lambda self: "replaced")):
        assert x.shape == "replaced"
    assert x.shape == (2,)


def test_tensors_can_be_referenced_weakly_and_are_collected_in_cycles():
    x = torch.ones(2)
    x.itself = x
    reference = weakref.ref(x)
    del x
    gc.collect()
    assert reference() is None

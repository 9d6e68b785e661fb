"""Every method and every mistake: nn's containers."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from mindtorch_v2 import nn

from .cases.container_edges import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_containers_answer_as_in_torch(name):
    check("container_edges", name, CASES[name])


def test_a_module_is_inserted_counted_from_the_end():
    modules = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    modules.insert(-1, nn.Sigmoid())
    assert [type(module).__name__ for module in modules] == ["ReLU", "Sigmoid", "Tanh"]


def test_a_list_can_be_extended_by_itself():
    assert len(nn.ModuleList([nn.ReLU()]).extend(modules := nn.ModuleList([nn.Tanh()]))) == 2
    assert len(modules.extend(modules)) == 2


def test_a_named_sequence_takes_a_module_in_front():
    named = nn.Sequential(OrderedDict([("f", nn.ReLU()), ("g", nn.Tanh())]))
    assert [name for name, _ in named.insert(0, nn.Sigmoid()).named_children()] == ["0", "1", "2"]

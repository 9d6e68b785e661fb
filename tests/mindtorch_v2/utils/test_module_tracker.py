"""ModuleTracker names modules by their place in the outermost one."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.utils.module_tracker import ModuleTracker


class Watched(torch.nn.Module):
    def __init__(self, tracker, seen):
        super().__init__()
        self.tracker, self.seen = tracker, seen

    def forward(self, x):
        self.seen.append(set(self.tracker.parents))
        y = x * 2
        y.register_hook(lambda grad: self.seen.append(set(self.tracker.parents)))
        return y + 1


def test_modules_in_lists_are_named_by_their_place():
    seen: list = []
    with ModuleTracker() as tracker:
        model = torch.nn.Sequential(torch.nn.ModuleDict({"a": torch.nn.Identity()})["a"], Watched(tracker, seen))
        outer = torch.nn.Module()
        outer.layers = torch.nn.ModuleList([model])
        outer.forward = lambda x: outer.layers[0](x)
        outer(torch.ones(1, requires_grad=True)).backward()
        assert tracker.parents == {"Global"}
    expected = {"Global", "Module", "Module.layers.0", "Module.layers.0.1"}
    assert seen == [expected, expected]

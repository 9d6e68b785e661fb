"""Views made again of other bases, and bases of other views."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

VIEWS = {
    "select": lambda x: x.select(0, 1), "transpose": lambda x: x.t(), "slice": lambda x: x[:, 1:3],
    "expand": lambda x: x.unsqueeze(0).expand(2, 2, 4), "split": lambda x: x.split(1)[1],
    "diagonal": torch.diagonal, "bits": lambda x: x.view(torch.int32), "complex": lambda x: torch.view_as_complex(
        x.view(2, 2, 2)), "chain": lambda x: x.unsqueeze(-1).transpose(-1, -2).squeeze(1),
}


@pytest.mark.parametrize("replay", [True, False])
@pytest.mark.parametrize("make", VIEWS.values(), ids=VIEWS)
def test_a_view_is_made_again_of_another_base_and_a_base_of_another_view(make, replay):
    with torch.autograd._force_original_view_tracking(replay):
        base = torch.arange(8.0).view(2, 4).clone()
        view, other = make(base), base * 10
        again = view._view_func(other)
        assert (again.tolist(), again.stride(), again._base is other) == (make(other).tolist(), view.stride(), True)
        detached = view.detach()
        reverted = view._rev_view_func_unsafe(detached)
        assert (reverted.tolist(), reverted.stride(), reverted.dtype) == (base.tolist(), base.stride(), base.dtype)
        assert reverted._base is detached


def test_a_base_that_lies_otherwise_is_left_alone():
    base = torch.ones(2, 3)
    assert base[0]._view_func(torch.zeros(3, 3)) is None
    assert base[0]._view_func_unsafe(torch.zeros(3, 3)).tolist() == [0.0, 0.0, 0.0]
    assert base._view_func(base) is None
    with pytest.raises(TypeError, match=r"_view_func\(\): argument 'new_base' \(position 1\) must be Tensor, not int"):
        base[0]._view_func(3)


def test_sizes_and_tensors_of_a_view_can_be_changed_for_one_call():
    with torch.autograd._force_original_view_tracking(True):
        base = torch.randn(3, 4, 5)
        view = base.select(1, 2)
        assert torch.equal(view._view_func(base, symint_visitor_fn=lambda i: i + 1), base.select(1, 3))
        assert torch.equal(view._view_func(base), view)
        part = base[:, 2:3].detach()
        whole = torch.ops.aten.slice_inverse(part, base, 1, 2, 3, 1)
        smaller = whole._view_func(part, tensor_visitor_fn=lambda tensor: torch.zeros(1, 2, 3))
        assert smaller.shape == (1, 2, 3)
        assert torch.equal(whole._view_func(part), base)

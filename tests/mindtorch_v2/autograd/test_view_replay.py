"""Views written in place: their new history by geometry, or by their own ops where view replay is enabled."""

from __future__ import annotations

import copy
import threading

import mindtorch_v2 as torch

from . import leaf

replay = torch.autograd._force_original_view_tracking


def written_view():
    whole = leaf(1.0, 2.0, 3.0, 4.0).clone()
    part = whole.view(2, 2)[0]
    part.mul_(3)
    return whole, part


def names_back(node) -> list[str]:
    return [node.name()] + [name for following, _ in node.next_functions if following
                            for name in names_back(following)]


def test_a_written_view_comes_from_its_base_by_geometry():
    _, part = written_view()
    assert names_back(part.grad_fn)[:2] == ["AsStridedBackward0", "torch::autograd::CopySlices"]


def test_with_replay_a_written_view_comes_from_its_base_by_its_own_ops():
    with replay(True):
        whole, part = written_view()
    assert names_back(part.grad_fn)[:3] == ["SelectBackward0", "ViewBackward0", "torch::autograd::CopySlices"]
    assert part.tolist() == [3.0, 6.0] and whole.tolist() == [3.0, 6.0, 3.0, 4.0]


def test_gradients_through_replayed_views_are_the_same():
    def gradient():
        x = leaf(1.0, 2.0, 3.0, 4.0)
        whole = x.clone()
        parts = whole.view(2, 2).transpose(0, 1)[1]
        parts.mul_(3)
        (parts * torch.tensor([5.0, 7.0])).sum().backward()
        return x.grad.tolist()

    plain = gradient()
    with replay(True):
        assert gradient() == plain == [0.0, 15.0, 0.0, 21.0]


def test_a_view_made_without_replay_keeps_its_geometry():
    whole = leaf(1.0, 2.0).clone()
    part = whole.view(2)
    with replay(True):
        part.mul_(3)
    assert part.grad_fn.name() == "AsStridedBackward0"


def test_replay_is_switched_at_once_and_until_the_block_ends():
    switch = replay(True)
    assert torch.autograd.is_view_replay_enabled()
    with switch:
        assert torch.autograd.is_view_replay_enabled()
    assert not torch.autograd.is_view_replay_enabled() and not torch._C._is_view_replay_enabled()


def test_a_decorated_function_alone_runs_with_replay():
    @replay(True)
    def inside():
        return torch.autograd.is_view_replay_enabled()

    assert not torch.autograd.is_view_replay_enabled()
    assert inside() and not torch.autograd.is_view_replay_enabled()


def test_replay_is_each_thread_s_own():
    answers = []
    with replay(True):
        other = threading.Thread(target=lambda: answers.append(torch.autograd.is_view_replay_enabled()))
        other.start()
        other.join()
    assert answers == [False]


def test_how_a_view_is_made_is_not_copied_with_it():
    with replay(True):
        part = torch.ones(4).view(2, 2)
    assert "_mt_replay" in part.__dict__ and "_mt_replay" not in copy.deepcopy(part).__dict__

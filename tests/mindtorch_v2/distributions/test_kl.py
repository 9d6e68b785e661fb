"""Divergences are those of PyTorch, pair by pair; the nearest registered pair is found, others can be registered."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from . import cases, kl_cases
from .test_against_torch import FACTS, differ

D = torch.distributions
RECORDED = FACTS["kl"]


@pytest.fixture
def registry():
    """The registered pairs, restored afterwards."""
    before = dict(D.kl._KL_REGISTRY)
    yield
    D.kl._KL_REGISTRY.clear()
    D.kl._KL_REGISTRY.update(before)
    D.kl._KL_MEMOIZE.clear()


def test_the_same_pairs_are_registered():
    assert kl_cases.pairs(torch) == sorted(RECORDED)


def test_divergences_and_gradients_equal_torch():
    found = []
    for pair, theirs in RECORDED.items():
        ours = kl_cases.divergence(torch, cases, pair)
        if differ(ours["answer"], theirs["answer"]):
            found.append(f"{pair}: {ours['answer']}, torch has {theirs['answer']}")
        for mine, recorded in zip(ours["gradients"], theirs["gradients"], strict=True):
            if (mine is None) != (recorded is None) or mine is not None and differ(mine, recorded):
                found.append(f"{pair}: gradient {mine}, torch has {recorded}")
    assert found == [], "\n".join(found)


def test_rows_of_divergences_equal_torch():
    ours = {pair: kl_cases.divergence(torch, cases, pair)["rows"] for pair in RECORDED}
    found = [f"{pair}:\n{ours[pair]}\ntorch has\n{theirs['rows']}" for pair, theirs in RECORDED.items()
             if ours[pair] != theirs["rows"]]
    assert found == [], "\n".join(found)


def test_a_subclass_is_compared_as_the_nearest_registered_class():
    class Bell(D.Normal):
        pass

    p, q = Bell(0.0, 1.0), D.Normal(1.0, 2.0)
    assert D.kl_divergence(p, q) == D.kl_divergence(D.Normal(0.0, 1.0), q)


def test_a_pair_that_is_registered_later_is_taken(registry):
    class Bell(D.Normal):
        pass

    D.kl_divergence(Bell(0.0, 1.0), D.Normal(0.0, 1.0))
    D.register_kl(Bell, D.Normal)(lambda p, q: torch.tensor(7.0))
    assert D.kl_divergence(Bell(0.0, 1.0), D.Normal(0.0, 1.0)) == 7


def test_two_pairs_equally_near_are_warned_of(registry):
    class Left(D.Normal):
        pass

    class Right(D.Normal):
        pass

    D.register_kl(Left, D.Normal)(lambda p, q: torch.tensor(1.0))
    D.register_kl(D.Normal, Right)(lambda p, q: torch.tensor(2.0))
    message = r"Ambiguous kl_divergence\(Left, Right\). Please register_kl\(Left, Right\)"
    with pytest.warns(RuntimeWarning, match=message):
        assert D.kl_divergence(Left(0.0, 1.0), Right(0.0, 1.0)) == 1


def test_pairs_without_a_divergence_are_refused():
    with pytest.raises(NotImplementedError, match=r"No KL\(p \|\| q\) is implemented for p type Normal and q type"):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Categorical(torch.ones(2)))
    with pytest.raises(NotImplementedError, match="where q.total_count > p.total_count is not implemented"):
        D.kl_divergence(D.Binomial(2, torch.tensor(0.5)), D.Binomial(3, torch.tensor(0.5)))
    with pytest.raises(ValueError, match="different event shapes cannot be computed"):
        D.kl_divergence(D.MultivariateNormal(torch.zeros(2), torch.eye(2)),
                        D.MultivariateNormal(torch.zeros(3), torch.eye(3)))

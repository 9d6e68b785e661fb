"""Names, signatures, texts and checks of torch.distributions are PyTorch's."""

from __future__ import annotations

import copy
import importlib
import pickle

import pytest

import mindtorch_v2 as torch

from . import expressions, surface
from .test_against_torch import FACTS

D = torch.distributions


@pytest.mark.parametrize("address", surface.ADDRESSES)
def test_names_and_signatures_equal_torch(address):
    ours = surface.surface(importlib.import_module(f"mindtorch_v2.distributions{address}"))
    theirs = FACTS["surface"][address]
    assert sorted(ours) == sorted(theirs)
    found = [f"{name}: {ours[name]}, torch has {theirs[name]}" for name in theirs if ours[name] != theirs[name]]
    assert found == [], "\n".join(found)


def test_values_and_complaints_of_expressions_equal_torch():
    ours = {text: expressions.said(torch, text) for text in expressions.ALL}
    found = [f"{text}: {ours[text]}\ntorch: {theirs}" for text, theirs in FACTS["said"].items() if ours[text] != theirs]
    assert found == [], "\n".join(found)


@pytest.fixture
def unchecked():
    D.Distribution.set_default_validate_args(False)
    yield
    D.Distribution.set_default_validate_args(True)


def test_checks_can_be_switched_off_for_all(unchecked):
    assert D.Normal(0.0, -1.0).scale == -1
    with pytest.raises(ValueError):
        D.Normal(0.0, -1.0, validate_args=True)


def test_a_subclass_with_its_own_constructor_says_how_it_is_expanded():
    class Standard(D.Normal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="Subclass Standard of Normal that defines a custom __init__ method "
                                                  "must also define a custom .expand"):
        Standard().expand((2,))


def test_what_is_not_defined_is_warned_of():
    class Bare(D.Distribution):
        def __repr__(self):
            return "Bare()"

    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        bare = Bare()
    with pytest.warns(UserWarning, match="does not define `support` to enable sample validation"):
        bare._validate_sample(torch.tensor(1.0))


def test_sample_n_is_going_away():
    with pytest.warns(FutureWarning, match=r"`sample_n\(n\)` will be deprecated. Use `sample\(\(n,\)\)` instead."):
        assert D.Normal(0.0, 1.0).sample_n(3).shape == (3,)


def test_a_lazy_property_is_worked_out_once():
    bernoulli = D.Bernoulli(torch.tensor([0.2, 0.7]))
    assert bernoulli.logits is bernoulli.logits


@pytest.mark.parametrize("made", [D.Normal(torch.zeros(2), 1.0), D.Beta(2.0, 3.0), D.LogNormal(0.0, torch.ones(3)),
                                  D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(torch.zeros(2), 1.0))],
                         ids=lambda made: type(made).__name__)
def test_distributions_survive_pickling_and_copying(made):
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        torch.manual_seed(0)
        theirs = again.sample((2,))
        torch.manual_seed(0)
        assert torch.equal(theirs, made.sample((2,)))


def test_an_expanded_multinomial_has_an_entropy():
    """PyTorch's has none: it forgets its binomial when it is expanded."""
    multinomial = D.Multinomial(3, torch.tensor([0.2, 0.8]))
    assert torch.allclose(multinomial.expand((2,)).entropy(), multinomial.entropy().expand(2))

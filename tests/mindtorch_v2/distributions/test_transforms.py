"""Transforms give PyTorch's values, inverses, stretches, gradients and rows; caches and pickles keep what they hold."""

from __future__ import annotations

import pickle

import pytest

import mindtorch_v2 as torch

from . import cases, transform_cases
from .test_against_torch import FACTS, differ

D = torch.distributions
PARTS = ("call", "inverse", "stretch")


def differences(code: str) -> list[str]:
    ours, theirs = transform_cases.answers(torch, cases, code), FACTS["transforms"][code]
    found = [f"{code}.{key}: {ours[key]}, torch has {theirs[key]}" for key in theirs
             if key not in PARTS and ours[key] != theirs[key]]
    for part in PARTS:
        mine, recorded = ours[part], theirs[part]
        if "fails" in (mine, recorded):
            same = mine == recorded
        else:
            pairs = [(mine["answer"], recorded["answer"]), *zip(mine["gradients"], recorded["gradients"], strict=True)]
            same = mine["rows"] == recorded["rows"] and not any(
                (a is None) != (b is None) or a is not None and differ(a, b) for a, b in pairs)
        if not same:
            found.append(f"{code}.{part}: {mine}, torch has {recorded}")
    return found


def test_values_gradients_and_rows_equal_torch():
    found = [line for code in transform_cases.TRANSFORMS for line in differences(code)]
    assert found == [], "\n".join(found)


def test_a_cache_gives_back_the_very_argument():
    transform = D.ExpTransform(cache_size=1)
    x = torch.tensor([0.3, 0.7])
    y = transform(x)
    assert transform.inv(y) is x
    assert transform(x) is y


def test_a_transform_without_cache_works_its_inverse_out_again():
    transform = D.ExpTransform()
    x = torch.tensor([0.3, 0.7])
    assert transform.inv(transform(x)) is not x


def test_an_inverse_is_made_once_while_somebody_holds_it():
    transform = D.TanhTransform()
    inverse = transform.inv
    assert transform.inv is inverse
    assert inverse.inv is transform


@pytest.mark.parametrize("transform", [D.ExpTransform(cache_size=1), D.AffineTransform(1.0, 2.0),
                                       D.ComposeTransform([D.ExpTransform(), D.AffineTransform(0.0, -1.0)])])
def test_transforms_survive_pickling(transform):
    transform.inv  # noqa: B018  leaves a weak reference behind
    x = torch.tensor([0.3, 0.7])
    assert torch.equal(pickle.loads(pickle.dumps(transform))(x), transform(x))


def test_a_constraint_of_the_users_own_is_registered_by_its_class():
    class Even(D.constraints.Constraint):
        pass

    registry = D.constraint_registry.ConstraintRegistry()
    registry.register(Even, lambda constraint: D.AffineTransform(0.0, 2.0))
    assert registry(Even()) == D.AffineTransform(0.0, 2.0)

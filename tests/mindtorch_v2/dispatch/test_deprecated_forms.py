"""Factors before the tensors they multiply: torch takes such calls, and says how they are written today."""

from __future__ import annotations

import warnings

import pytest

import mindtorch_v2 as torch

M, V, B = torch.ones(2, 2), torch.ones(2), torch.ones(2, 2, 2)


@pytest.mark.parametrize(("name", "args", "total"), [
    ("add", (M, 2, M), 12), ("sub", (M, 2, M), -4), ("addcmul", (M, 2, M, M), 12), ("addcdiv", (M, 2, M, M), 12),
    ("addmm", (3, M, 2, M, M), 28), ("addmm", (3, M, M, M), 20), ("addmv", (3, V, 2, M, V), 14),
    ("addr", (3, M, 2, V, V), 20), ("addbmm", (3, M, 2, B, B), 44), ("baddbmm", (3, B, 2, B, B), 56)])
def test_factors_by_position(name, args, total):
    with pytest.warns(UserWarning, match=f"This overload of {name} is deprecated"):
        assert getattr(torch, name)(*args).sum() == total


def test_a_method_and_its_form_in_place_are_called_without_self():
    x = torch.ones(2)
    with pytest.warns(UserWarning, match=r"add_\(Number alpha, Tensor other\)"):
        assert x.add_(2, torch.ones(2)) is x and x.tolist() == [3, 3]
    with pytest.warns(UserWarning, match=r"addmm\(Number beta, Number alpha, Tensor mat1, Tensor mat2\)"):
        assert M.addmm(3, 2, M, M).sum() == 28


def test_the_warning_names_the_old_form_and_todays():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.addcmul(V, 2, V, V, out=torch.empty(2))
    assert str(caught[0].message) == (
        "This overload of addcmul is deprecated:\n\taddcmul(Tensor input, Number value, Tensor tensor1, "
        "Tensor tensor2, *, Tensor out = None)\nConsider using one of the following signatures instead:\n"
        "\taddcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Number value = 1, Tensor out = None)")


def test_other_mistakes_are_refused_as_before():
    with pytest.raises(TypeError):
        torch.add(M, "2", M)

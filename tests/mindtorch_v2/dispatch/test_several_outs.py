"""``out=(values, indices)``: one tuple for all tensors that an op writes."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

SORT = """sort() received an invalid combination of arguments - got ({}), but expected one of:
 * (Tensor input, *, bool stable, int dim = -1, bool descending = False, tuple of Tensors out = None)
 * (Tensor input, int dim = -1, bool descending = False, *, tuple of Tensors out = None)
"""
MISTAKES = {
    "torch.sort(x, out=v)": SORT.format("Tensor, out=Tensor"),
    "torch.sort(x, out=(v,))": "expected tuple of 2 elements but got 1",
    "torch.sort(x, out=())": "expected tuple of 2 elements but got 0",
    "torch.sort(x, out=(v, n, n))": "expected tuple of 2 elements but got 3",
    "torch.sort(x, out=(v, None))": "expected Tensor as element 1 in argument 3, but got NoneType",
    "torch.sort(x, stable=True, out=(v, 3))": "expected Tensor as element 1 in argument 4, but got int",
    "torch.topk(x, 2, out=v)": "topk(): argument 'out' must be tuple of Tensors, not Tensor",
    "torch.topk(x, 2, out=(v, 3))": "expected Tensor as element 1 in argument 5, but got int",
    "torch.max(x, 0, out=(3, n))": "expected Tensor as element 0 in argument 3, but got int",
    "torch.add(x, x, out=(v,))": "add(): argument 'out' must be Tensor, not tuple",
    "torch.relu(x, out=v)": "relu() got an unexpected keyword argument 'out'",
}


def given() -> dict:
    return {"torch": torch, "x": torch.rand(3, 4), "v": torch.empty(0), "n": torch.empty(0, dtype=torch.int64)}


@pytest.mark.parametrize("call", MISTAKES)
def test_what_is_not_such_a_tuple_is_refused_in_torch_s_words(call):
    with pytest.raises(TypeError) as error:
        eval(call, given())
    assert str(error.value) == MISTAKES[call]


@pytest.mark.parametrize("kind", [tuple, list])
def test_the_tensors_given_are_returned_by_name(kind):
    scope = given()
    result = torch.sort(scope["x"], out=kind([scope["v"], scope["n"]]))
    assert type(result).__name__ == "sort_out"
    assert result.values is scope["v"]
    assert result.indices is scope["n"]


def test_named_results_of_one_call_are_written_by_another():
    x = torch.rand(3, 4)
    result = torch.max(x, 0)
    torch.min(x, 0, out=result)
    assert torch.equal(result.values, x.amin(0))


def test_both_tensors_count_a_write():
    scope = given()
    torch.sort(scope["x"], out=(scope["v"], scope["n"]))
    assert (scope["v"]._version, scope["n"]._version) == (1, 1)


def test_none_stands_for_new_tensors():
    assert torch.sort(torch.rand(3), out=None).values.shape == (3,)


def test_no_method_takes_out():
    x = torch.rand(3)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'out'"):
        x.add(x, out=torch.empty(3))

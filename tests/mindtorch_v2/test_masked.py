"""torch.masked: what a mask leaves out takes no part."""

from __future__ import annotations

import math

import pytest

import mindtorch_v2 as torch

X = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
MASK = torch.tensor([[True, False, True], [False, False, False]])
# of the first row the elements 1 and 3 are left, of the second none; recorded with PyTorch 2.13.0
REDUCED = {"sum": [4.0, 0.0], "prod": [3.0, 1.0], "amax": [3.0, -math.inf], "amin": [1.0, math.inf],
           "argmax": [2.0, 0.0], "mean": [2.0, math.nan], "median": [1.0, math.nan], "var": [2.0, math.nan],
           "std": [math.sqrt(2), math.nan], "logsumexp": [math.log(math.e + math.e ** 3), -math.inf]}


@pytest.mark.parametrize("name", REDUCED)
def test_reductions_see_the_elements_that_the_mask_lets_through(name):
    reduced = getattr(torch.masked, name)(X, dim=1, mask=MASK)
    torch.testing.assert_close(reduced, torch.tensor(REDUCED[name]), equal_nan=True)


def test_softmax_shares_one_among_the_elements_that_are_left():
    shares = torch.masked.softmax(X[:1], 1, mask=MASK[:1])
    torch.testing.assert_close(shares[0, ::2], torch.softmax(X[0, ::2], 0))
    assert shares[0, 1] == 0


def test_small_integers_are_summed_as_int64():
    assert torch.masked.sum(torch.ones(2, dtype=torch.int8)).dtype is torch.int64


def test_gradients_of_what_is_left_out_are_zero():
    x = X.clone().requires_grad_()
    torch.masked.norm(x, 2, mask=MASK).backward()
    assert x.grad[0, 1] == 0 and x.grad[0, 0] != 0


def test_a_mask_with_more_dimensions_than_the_input_is_refused():
    with pytest.raises(IndexError, match="got mask dimensionality higher than of the input"):
        torch.masked.sum(X, mask=MASK[None])


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_a_mask_may_have_any_layout(layout):
    values, mask = torch.arange(6.0).reshape(2, 3), torch.tensor([[True, False, True], [False, True, True]])
    for name in ("sum", "amax", "softmax", "cumsum"):
        function = getattr(torch.masked, name)
        assert torch.equal(function(values, dim=1, mask=mask.to_sparse(layout=layout)),
                           function(values, dim=1, mask=mask))

"""Options of optimisers: what is refused, and what a rate may be."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import optim

from ..test_optim import parameter, with_gradient


def matrix():
    return torch.ones(2, 2, requires_grad=True)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: optim.Rprop([matrix()], etas=(1.0, 0.5)), "Invalid eta values: 1.0, 0.5"),
    (lambda: optim.Adafactor([matrix()], eps=(-1, 1)), "epsilon1 should be >= 0 but is: -1"),
    (lambda: optim.Adafactor([matrix()], d=0.5), "Clipping threshold d should be >= 1 but is: 0.5"),
    (lambda: optim.Adafactor([matrix()], beta2_decay=1), "beta2_decay should be <= 0 but is: 1"),
    (lambda: optim.Muon([parameter(3)]), r"Muon only supports 2D parameters .* size: torch.Size\(\[3\]\)"),
    (lambda: optim.Muon([matrix()], adjust_lr_fn="x"), "Adjust learning rate function x is not supported"),
    (lambda: optim.Muon([matrix()], momentum=-1), "momentum should be >= 0 but is: -1"),
    (lambda: optim.LBFGS([{"params": [matrix()]}, {"params": [matrix()]}]), "doesn't support per-parameter options"),
])
def test_options_out_of_range_are_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize("kind", [optim.Muon, optim.Adafactor])
def test_complex_parameters_are_refused_by_those_who_cannot(kind):
    p = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True)
    p.grad = torch.ones(2, 2, dtype=torch.complex64)
    with pytest.raises(RuntimeError, match=f"{kind.__name__} does not support complex parameters"):
        kind([p]).step()


def test_an_unknown_line_search_is_refused():
    p = matrix()
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optim.LBFGS([p], line_search_fn="golden").step(lambda: _backward((p * p).sum()))


def _backward(loss):
    loss.backward()
    return loss


@pytest.mark.parametrize("kind", [optim.Adam, optim.AdamW, optim.Adagrad])
def test_a_fused_step_that_is_left_out_is_not_counted(kind):
    p = with_gradient()
    opt = kind([p], fused=True)
    opt.found_inf = torch.tensor(1.0)
    opt.step()
    assert (opt.state[p]["step"].item(), p.tolist()) == (0.0, [0.0, 0.0])


@pytest.mark.parametrize("kind", [optim.AdamW, optim.Adafactor, optim.NAdam, optim.SGD])
def test_a_rate_in_a_tensor_may_have_dimensions(kind):
    plain, given = with_gradient(), with_gradient()
    kind([plain], lr=0.1).step()
    kind([given], lr=torch.full((1, 1), 0.1)).step()
    assert torch.allclose(plain, given)

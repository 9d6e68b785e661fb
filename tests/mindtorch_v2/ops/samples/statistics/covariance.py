"""Samples of ops/statistics/covariance.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "cov": [
        S("torch.cov(x)", x="f(3, 4)"),
        S("torch.cov(x, correction=0)", x="f(4)"),
        S("x.cov(fweights=w)", x="f(3, 4)", w="i(4, low=1)"),
        S("torch.cov(x, aweights=w)", x="f(3, 4)", w="pos(4)"),
        S("torch.cov(x, fweights=v, aweights=w)", x="f(3, 4)", v="i(4, low=1)", w="pos(4)"),
        S("torch.cov(x, aweights=w, correction=0)", x="f(3, 4)", w="pos(4)"),
        S("torch.cov(x)", x="i(3, 4)"),
        S("torch.cov(x)", x="f(1)"),
        S("torch.cov(x)", x="b(3, 4)"),
        S("torch.cov(x)", x="f(3, 4, 2)"),
        S("torch.cov(x, fweights=w)", x="f(3, 4)", w="pos(4)"),
        S("torch.cov(x, fweights=w)", x="f(3, 4)", w="i(3)"),
        S("torch.cov(x, aweights=w)", x="f(3, 4)", w="i(4)"),
        S("torch.cov(x, aweights=w)", x="f(3, 4)", w="pos(4, 2)"),
    ],
    "corrcoef": [
        S("torch.corrcoef(x)", x="f(3, 4)"),
        S("x.corrcoef()", x="i(4)"),
        S("torch.corrcoef(x)", x="f(3, 4, 2)"),
    ],
}

"""Samples of ops/elementwise/rounding.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "floor": [S("torch.floor(x)", x="f(3, 4)"), S("x.floor()", x="i(5)"), S("torch.floor(x)", x="h(6)")],
    "floor_": [S("(x * 1).floor_()", x="f(3, 4)")],
    "floor.out": [S("torch.floor(x, out=torch.empty(0))", x="f(3, 4)")],
    "ceil": [S("torch.ceil(x)", x="f(3, 4)"), S("x.ceil()", x="i(5)"), S("torch.ceil(x)", x="h(6)")],
    "ceil_": [S("(x * 1).ceil_()", x="f(3, 4)")],
    "ceil.out": [S("torch.ceil(x, out=torch.empty(0))", x="f(3, 4)")],
    "round": [S("torch.round(x)", x="f(3, 4)"), S("x.round()", x="i(5)"), S("torch.round(x)", x="h(6)")],
    "round_": [S("(x * 1).round_()", x="f(3, 4)")],
    "round.out": [S("torch.round(x, out=torch.empty(0))", x="f(3, 4)")],
    "trunc": [S("torch.trunc(x)", x="f(3, 4)"), S("x.trunc()", x="i(5)"), S("torch.trunc(x)", x="h(6)")],
    "trunc_": [S("(x * 1).trunc_()", x="f(3, 4)")],
    "trunc.out": [S("torch.trunc(x, out=torch.empty(0))", x="f(3, 4)")],
    "frac": [S("torch.frac(x)", x="f(3, 4)"), S("torch.frac(x)", x="h(6)")],
    "frac_": [S("(x * 1).frac_()", x="f(3, 4)")],
    "frac.out": [S("torch.frac(x, out=torch.empty(0))", x="f(3, 4)")],
    "round.decimals": [S("torch.round(x, decimals=1)", x="f(3, 4)")],
    "round_.decimals": [S("(x * 1).round_(decimals=1)", x="f(3, 4)")],
    "round.decimals_out": [S("torch.round(x, decimals=2, out=torch.empty(0))", x="f(3, 4)")],
}

"""Samples of ops/reduce/diff.py."""

from __future__ import annotations

from .. import S

X = "f(3, 4)"

SAMPLES = {
    "diff": [S("torch.diff(x)", x=X), S("x.diff(2, 0)", x=X), S("torch.diff(x, 5)", x=X), S("torch.diff(x, 0)", x=X),
             S("torch.diff(x, prepend=y)", x=X, y="f(3, 1)"), S("torch.diff(x, dim=0, append=y)", x=X, y=X),
             S("torch.diff(x)", x="b(3)"), S("x.diff()", x="i(3)"), S("torch.diff(x, n=-1)", x=X),
             S("torch.diff(x)", x="f()"), S("torch.diff(x, prepend=y)", x=X, y="f(2, 1)"),
             S("torch.diff(x, prepend=y)", x=X, y="f(3)")],
}

"""Differences between neighbours along a dimension."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import into


def _check(self, n, dim, prepend, append) -> None:
    if not self.dim():
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    along = wrap_dim(dim, self.dim())
    for other in (prepend, append):
        if other is None:
            continue
        if other.dim() != self.dim():
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
        for i, (have, want) in enumerate(zip(shape_of(other), shape_of(self))):
            if have != want and i != along:
                raise RuntimeError("diff expects the shape of tensor to prepend or append to match that of input "
                                   f"except along the differencing dimension; input.size({i}) = {want}, but got "
                                   f"tensor.size({i}) = {have}")


class Diff(Op):
    """Each element less the one before it, ``n`` times over."""

    schema = "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor"
    variants = "method out"

    def body(self, n, dim, prepend, append, out=None):
        _check(self, n, dim, prepend, append)
        if n == 0:
            return aten.copy_(aten.zeros_like(self) if out is None else aten.resize_(out, shape_of(self)), self)
        if prepend is not None or append is not None:
            self = aten.cat([t for t in (prepend, self, append) if t is not None], dim)
        less = aten.logical_xor if self.dtype is dtypes.bool_ else aten.sub
        last = min(n, self.size(dim)) - 1
        for step in range(last + 1):
            rest = self.size(dim) - 1
            upper, lower = aten.narrow(self, dim, 1, rest), aten.narrow(self, dim, 0, rest)
            self = less(upper, lower, **into(out if step == last else None))
        return self

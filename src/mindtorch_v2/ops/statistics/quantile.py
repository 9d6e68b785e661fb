"""Quantiles: values at given shares of the sorted elements."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import declare

WAYS = ("linear", "lower", "higher", "midpoint", "nearest")
_BETWEEN = ("linear", "midpoint")


def _check(self, q, interpolation: str, out) -> None:
    if interpolation not in WAYS:
        raise RuntimeError("quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but "
                           f"got {interpolation}")
    if not numel_of(self):
        raise RuntimeError("quantile() input tensor must be non-empty")
    if ndim_of(q) > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if self.dtype not in (dtypes.float32, dtypes.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if self.dtype is not q.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if out is not None and out.dtype is not self.dtype:
        raise RuntimeError("quantile() out tensor must be same dtype as the input tensor")
    if has_values(q):
        inside = aten.all(aten.logical_and_(aten.ge(q, 0), aten.le(q, 1)))
        if not aten.equal(inside, aten.new_ones(inside, ())):
            raise RuntimeError("quantile() q values must be in the range [0, 1]")


def _sorted(self, dim, keepdim: bool):
    """The elements in order along the last dimension, in the shape of the result before it."""
    shape = shape_of(self)
    if dim is None:
        ranked = aten.sort(aten.flatten(self))[0]
        return aten.view(ranked, (*([1] * len(shape) if keepdim else []), -1))
    dim = wrap_dim(dim, len(shape))
    kept = [1 if d == dim else n for d, n in enumerate(shape) if keepdim or d != dim]
    if dim == len(shape) - 1:
        ranked = aten.sort(self)[0]
    else:
        ranked = aten.sort(aten.transpose(aten.unsqueeze(self, -1), dim, -1))[0]
    return aten.view(ranked, (*kept, shape[dim] if shape else 1))


def _ranks(ranked, q, ignore_nan: bool):
    """Where in a line of sorted elements each quantile lies; at the end if there is a NaN."""
    if ignore_nan:
        last = aten.sub(aten.sum(aten.logical_not_(aten.isnan(ranked)), (-1,), True), 1)
        ranks = aten.mul(q, last)
        return aten.masked_fill_(ranks, aten.lt(ranks, 0), 0)
    last = shape_of(ranked)[-1] - 1
    ranks = aten.mul(q, last)
    ranks, is_nan = aten.broadcast_tensors([ranks, aten.any(aten.isnan(ranked), -1, True)])
    return aten.masked_fill(ranks, is_nan, last)


_TO_WHOLE = {"lower": "floor_", "higher": "ceil_", "nearest": "round_"}


def _quantile(self, q, dim, keepdim: bool, interpolation: str, ignore_nan: bool):
    ranked = _sorted(self, dim, keepdim)
    ranks = _ranks(ranked, q, ignore_nan)
    if interpolation in _TO_WHOLE:
        getattr(aten, _TO_WHOLE[interpolation])(ranks)
    below = aten.to(ranks, dtype=dtypes.int64, layout=strided)
    values = aten.gather(ranked, -1, below)
    if interpolation in _BETWEEN:
        weights = aten.sub(ranks, below) if interpolation == "linear" else aten.full_like(ranks, 0.5)
        above = aten.gather(ranked, -1, aten.to(aten.ceil_(ranks), dtype=dtypes.int64, layout=strided))
        aten.lerp_(values, above, weights)
    if ndim_of(q):
        aten.transpose_(aten.unsqueeze_(values, 0), 0, -1)
    return aten.squeeze_(values, -1)


def _declare(name: str, doc: str) -> None:
    ignore_nan = name == "nanquantile"

    def body(self, q, dim, keepdim, interpolation, out=None):
        _check(self, q, interpolation, out)
        values = _quantile(self, q, dim, keepdim, interpolation, ignore_nan)
        return values if out is None else aten.copy_(resize_output(out, shape_of(values)), values)

    def of_number(self, q, dim, keepdim, interpolation, out=None):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        return body(self, aten.scalar_tensor(q, dtype=self.dtype), dim, keepdim, interpolation, out)

    rest = 'int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor'
    declare(f"{name}(Tensor self, Tensor q, {rest}", doc, body=body, variants="method out")
    declare(f"{name}.scalar(Tensor self, float q, {rest}", doc, body=of_number, variants="method scalar_out")


_declare("quantile", "The values at given shares of the sorted elements; NaN where there is one.")
_declare("nanquantile", "The same of the elements that are numbers.")

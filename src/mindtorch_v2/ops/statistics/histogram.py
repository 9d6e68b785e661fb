"""How many points fall into each bin, or the sum of their weights: in one dimension and in several."""

from __future__ import annotations

from ...core.tensor import numel_of, shape_of
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef import table
from ...opdef.form import Op, declare
from ...opdef.rules import Spec, c_name
from ..shared.not_differentiable import UNKNOWN, unknown
from .histogram_bins import TYPES, check_bins, check_edges, check_points, count, ranges

_REST = "Tensor? weight=None, bool density=False"


def _check_written(points, hist, edges) -> None:
    if hist.dtype is not points.dtype:
        raise RuntimeError("torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
                           f"{c_name(points.dtype)} and hist {c_name(hist.dtype)}")
    for dim, line in enumerate(edges):
        if line.dtype is not points.dtype:
            raise RuntimeError("torch.histogram: input tensor and bin_edges tensor should have the same dtype, but got "
                               f"input {c_name(points.dtype)} and bin_edges {c_name(line.dtype)} for dimension {dim}")


def _line(self, weight):
    points = aten.reshape(self, (numel_of(self), 1))
    return points, None if weight is None else aten.reshape(weight, (numel_of(weight),))


def _by_count(self, bins, range, weight, density, hist, bin_edges):
    """histogram() with bins of one width."""
    points, weight = _line(self, weight)
    check_points(points, weight)
    check_bins("histogram", (bins,))
    _check_written(points, hist, (bin_edges,))
    resize_output(hist, (bins,))
    resize_output(bin_edges, (bins + 1,))
    TYPES.check(points.dtype)
    low, high = ranges(points, range)[0]
    aten.linspace(low, high, bins + 1, out=bin_edges)
    return count(hist, points, [bin_edges], weight, density), bin_edges


def _by_edges(self, bins, weight, density, hist, bin_edges):
    """histogram() with given edges."""
    points, weight = _line(self, weight)
    check_points(points, weight)
    check_edges(points, [bins])
    check_bins("histogram", (numel_of(bins) - 1,))
    _check_written(points, hist, (bin_edges,))
    resize_output(hist, (max(numel_of(bins) - 1, 0),))
    resize_output(bin_edges, shape_of(bins))
    aten.copy_(bin_edges, bins)
    return count(hist, points, [bin_edges], weight, density), bin_edges


def _unsized(self):
    return aten.empty((0,), dtype=self.dtype)


def _declare_histogram(overload: str, params: str, body, edges_of) -> None:
    def meta(self, *args):
        TYPES.check(self.dtype)
        edges = edges_of(args[0])
        return Spec((max(edges - 1, 0),), self.dtype), Spec((edges,), self.dtype)

    facets = {"results": "hist bin_edges", "meta": meta, "tuned": "what is wrong with bins is found as they are read"}
    declare(f"histogram.{overload}(Tensor self, {params}) -> (Tensor hist, Tensor bin_edges)",
            "The counts of elements in bins, and the edges of these.", variants="method", node=UNKNOWN,
            body=lambda self, *args: body(self, *args, _unsized(self), _unsized(self)), grads=unknown("histogram"),
            grads_of="self", **facets)
    declare(f"histogram.{overload}_out(Tensor self, {params}, Tensor(a!) hist, Tensor(b!) bin_edges) -> "
            "(Tensor(a!) hist, Tensor(b!) bin_edges)", "The same into given tensors.", body=body,
            no_formula="counts are written", **facets)


_declare_histogram("bins_tensor", f"Tensor bins, *, {_REST}", _by_edges, numel_of)
_declare_histogram("bin_ct", f"int bins=100, *, float[]? range=None, {_REST}", _by_count, lambda bins: bins + 1)


class HistogramddBinEdges(Op):
    """The edges of bins of one width in every dimension."""

    schema = f"_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, {_REST}) -> Tensor[]"
    node, grads_of, grads = UNKNOWN, "self", unknown("_histogramdd_bin_edges")

    def body(self, bins, range, weight, density):
        return _edges(self, bins, range, weight)


def _edges(self, bins, range, weight):
    check_points(self, weight)
    dims = shape_of(self)[-1]
    if len(bins) != dims:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    check_bins("histogramdd", bins)
    edges = [_unsized(self) for _ in bins]
    points = aten.reshape(self, (-1, dims))
    for line, number, (low, high) in zip(edges, bins, ranges(points, range)):
        aten.linspace(low, high, number + 1, out=line)
    return tuple(edges)


def _count_in(self, edges, weight, density, hist, kept):
    """The counts within given edges, which torch copies first."""
    resize_output(hist, tuple([max(numel_of(line) - 1, 0) for line in edges]))
    for copied, line in zip(kept, edges):
        aten.copy_(resize_output(copied, shape_of(line)), line)
    return count(hist, self, kept, weight, density)


class HistogramddFromBinCts(Op):
    """The counts in bins of one width in every dimension."""

    schema = f"_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, {_REST}) -> Tensor"
    node, grads_of, grads = UNKNOWN, "self", unknown("_histogramdd_from_bin_cts")

    def meta(self, bins, range, weight, density):
        return Spec(tuple(bins), self.dtype)

    def body(self, bins, range, weight, density):
        hist, kept = _unsized(self), [_unsized(self) for _ in bins]
        return _count_in(self, _edges(self, bins, range, weight), weight, density, hist, kept)


class HistogramddFromBinTensors(Op):
    """The counts in bins with given edges in every dimension."""

    schema = f"_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, {_REST}) -> Tensor"
    node, grads_of, grads = UNKNOWN, "self", unknown("_histogramdd_from_bin_tensors")

    def meta(self, bins, weight, density):
        check_points(self, weight)
        dims = shape_of(self)[-1]
        if len(bins) != dims:
            raise RuntimeError(f"torch.histogramdd: expected {dims} sequences of bin edges for a {dims}-dimensional "
                               f"histogram but got {len(bins)}")
        check_edges(self, bins)
        return Spec(tuple([max(numel_of(line) - 1, 0) for line in bins]), self.dtype)

    def body(self, bins, weight, density):
        hist, kept = _unsized(self), [_unsized(self) for _ in bins]
        return _count_in(self, bins, weight, density, hist, kept)


def _histogramdd(self, bins, range, weight, density):
    edges = aten._histogramdd_bin_edges(self, bins, range=range, weight=weight, density=density)
    return _named(aten._histogramdd_from_bin_cts(self, bins, range=range, weight=weight, density=density), edges)


def _named(hist, bin_edges):
    return table.find("histogramdd").result_type(hist, bin_edges)


def _with_one_number(self, bins, range, weight, density):
    return _histogramdd(self, (bins,) * shape_of(self)[-1], range, weight, density)


def _with_edges(self, bins, range, weight, density):
    return _named(aten._histogramdd_from_bin_tensors(self, bins, weight=weight, density=density), tuple(bins))


for _overload, _bins, _body in (("", "int[]", _histogramdd), (".int_bins", "int", _with_one_number),
                                (".TensorList_bins", "Tensor[]", _with_edges)):
    declare(f"histogramdd{_overload}(Tensor self, {_bins} bins, float[]? range=None, {_REST}) -> "
            "(Tensor hist, Tensor[] bin_edges)", "The counts of points in bins, and the edges of these.", body=_body,
            results="hist bin_edges")

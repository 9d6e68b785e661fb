"""The bins of histograms: what may be wrong with them, where they begin and end, and what falls into them."""

from __future__ import annotations

import math

from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import c_name

TYPES = KernelTypes("histogramdd: floating")


def check_points(points, weight) -> None:
    if ndim_of(points) < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    if weight is None:
        return
    if weight.dtype is not points.dtype:
        raise RuntimeError("torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should "
                           f"have the same dtype, but got input({c_name(points.dtype)}), and "
                           f"weight({c_name(weight.dtype)})")
    if shape_of(weight) != shape_of(points)[:-1]:
        raise RuntimeError("torch.histogramdd: if weight tensor is provided it should have the same shape as the input "
                           "tensor excluding its innermost dimension, but got input with shape "
                           f"{list(shape_of(points))} and weight with shape {list(shape_of(weight))}")


def check_edges(points, edges) -> None:
    for dim, line in enumerate(edges):
        if line.dtype is not points.dtype:
            raise RuntimeError("torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
                               f"input with dtype {c_name(points.dtype)} and bins for dimension {dim} with dtype "
                               f"{c_name(line.dtype)}")
        if ndim_of(line) != 1:
            raise RuntimeError("torch.histogramdd: bins tensor should have one dimension, but got "
                               f"{ndim_of(line)} dimensions in the bins tensor for dimension {dim}")
        if not numel_of(line):
            raise RuntimeError("torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in "
                               f"the bins tensor for dimension {dim}")


def ranges(points, given):
    """The lowest and the highest edge of each dimension: as given, else those of the points, half a step around one."""
    dims = shape_of(points)[-1]
    if given is not None:
        if len(given) != 2 * dims:
            raise RuntimeError(f"torch.histogramdd: for a {dims}-dimensional histogram range should have {2 * dims} "
                               f"elements, but got {len(given)}")
        bounds = [(given[2 * d], given[2 * d + 1]) for d in range(dims)]
    elif numel_of(points) and has_values(points):
        lows, highs = aten.aminmax(points, dim=0)
        bounds = list(zip(ask.tolist(lows), ask.tolist(highs)))
    else:
        bounds = [(0.0, 1.0)] * dims
    for dim, (low, high) in enumerate(bounds):
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histogramdd: dimension {dim}'s range [{low:g}, {high:g}] is not finite")
        if low > high:
            raise RuntimeError(f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for "
                               f"dimension {dim}")
    return [(low - 0.5, high + 0.5) if low == high else (low, high) for low, high in bounds]


def count(hist, points, edges, weight, density: bool):
    """Write the counts; torch counts for each thread by itself and adds them up."""
    TYPES.check(points.dtype)
    aten.fill_(hist, 0)
    points = aten.reshape(points, (math.prod(shape_of(points)[:-1]), shape_of(points)[-1]))
    if weight is not None:
        weight = aten.reshape(weight, (numel_of(weight),))
    counted = aten.zeros((1, *shape_of(hist)), dtype=points.dtype)
    run.histogram_in_edges(counted, points, edges, weight)
    aten.sum(counted, (0,), out=hist)
    if density:
        total = aten.sum(hist)
        aten.div_(hist, aten.item(total) if has_values(total) else 1.0)
        for dim, line in enumerate(edges):
            shape = [-1 if d == dim else 1 for d in range(len(edges))]
            aten.div_(hist, aten.reshape(aten.diff(line), tuple(shape)))
    return hist


def check_bins(name: str, bins) -> None:
    for dim, number in enumerate(bins):
        if number <= 0:
            raise RuntimeError(f"torch.{name}(): bins must be > 0, but got {number} for dimension {dim}")

"""Slopes of a sampled function along dimensions, by central differences."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim, wrap_dims
from ...core.tensor import Tensor, ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import declare

# overload, parameters between the tensor and the order at the edges
OVERLOADS = [
    ("scalarint", "Scalar? spacing=None, int? dim=None"), ("scalararray", "Scalar spacing, int[] dim"),
    ("array", "int[] dim"), ("scalarrayint", "Scalar[] spacing, int? dim=None"),
    ("scalarrayarray", "Scalar[] spacing, int[] dim"), ("tensorarrayint", "Tensor[] spacing, int? dim=None"),
    ("tensorarray", "Tensor[] spacing, int[] dim"),
]


def _check(self, spacing, dims, edge_order: int) -> None:
    if self.dtype is dtypes.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if isinstance(spacing, (list, tuple)) and dims is None and len(spacing) != ndim_of(self):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to "
                           f"'self.dim() = {ndim_of(self)}', since dim argument was not given, but got a list of "
                           f"length {len(spacing)}")
    if isinstance(spacing, (list, tuple)) and dims is not None and len(spacing) != len(dims):
        raise RuntimeError("torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
                           "arguments to have the same length, but got a spacing argument of length "
                           f"{len(spacing)} and a dim argument of length {len(dims)}.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    for dim in wrap_dims(dims, ndim_of(self)) if dims else range(ndim_of(self)):
        if shape_of(self)[dim] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    for coordinates in spacing if isinstance(spacing, (list, tuple)) else ():
        if isinstance(coordinates, Tensor) and ndim_of(coordinates) != 1:
            raise RuntimeError("torch.gradient expected each element of spacing to have one dimension, but got an "
                               f"element with {ndim_of(coordinates)} dimensions!")


def _weighted(self, dim: int, weights, starts, ends):
    """The sum of some slices, each by its weight."""
    first, second, third = [aten.mul(weight, aten.slice(self, dim, start, end))
                            for weight, start, end in zip(weights, starts, ends)]
    return aten.add(aten.add(first, second), third)


def _step(self, dim: int, start: int, end: int | None, lower: tuple[int, int]):
    return aten.sub(aten.slice(self, dim, start, end), aten.slice(self, dim, *lower))


def _evenly(self, dim: int, width, edge_order: int):
    """Slopes where all samples are one distance apart."""
    middle = aten.div(_step(self, dim, 2, None, (0, -2)), width)
    if edge_order == 1:
        first = aten.div(_step(self, dim, 1, 2, (0, 1)), width)
        last = aten.div(_step(self, dim, -1, None, (-2, -1)), width)
    else:
        at_start = [aten.mul(aten.slice(self, dim, i, i + 1), w) for i, w in enumerate((-1.5, 2, 0.5))]
        first = aten.div(aten.sub(aten.add(at_start[0], at_start[1]), at_start[2]), width)
        ends = ((-3, -2, 0.5), (-2, -1, 2), (-1, None, 1.5))
        at_end = [aten.mul(aten.slice(self, dim, start, end), w) for start, end, w in ends]
        last = aten.div(aten.add(aten.sub(at_end[0], at_end[1]), at_end[2]), width)
    return aten.cat([first, aten.div(middle, 2), last], dim)


def _unevenly(self, dim: int, coordinates, edge_order: int):
    """Slopes between samples at given coordinates."""
    widths = aten.diff(coordinates)
    before, after = aten.slice(widths, 0, 0, -1), aten.slice(widths, 0, 1)
    shape = tuple([-1 if d == dim else 1 for d in range(ndim_of(self))])
    below = aten.mul(before, aten.add(before, after))
    a = aten.reshape(aten.div(aten.neg(after), below), shape)
    product = aten.mul(before, after)
    b = aten.reshape(aten.div(aten.sub(after, before), product), shape)
    above = aten.mul(after, aten.add(before, after))
    c = aten.reshape(aten.div(before, above), shape)
    middle = _weighted(self, dim, (a, b, c), (0, 1, 2), (-2, -1, None))
    if edge_order == 1:
        first = aten.select(widths, 0, 0)
        first = aten.div(_step(self, dim, 1, 2, (0, 1)), first)
        last = aten.select(widths, 0, -1)
        last = aten.div(_step(self, dim, -1, None, (-2, -1)), last)
    else:
        first = _weighted(self, dim, _start_weights(widths), (0, 1, 2), (1, 2, 3))
        last = _weighted(self, dim, _end_weights(widths), (-3, -2, -1), (-2, -1, None))
    return aten.cat([first, middle, last], dim)


def _start_weights(widths):
    """Those of the first three samples; what an expression divides by is looked up first."""
    def at(i):
        return aten.select(widths, 0, i)
    below = aten.mul(aten.add(at(0), at(1)), at(0))
    a = aten.div(aten.neg(aten.add(at(1), aten.mul(at(0), 2.0))), below)
    product = aten.mul(at(0), at(1))
    b = aten.div(aten.add(at(0), at(1)), product)
    above = aten.mul(aten.add(at(0), at(1)), at(1))
    return a, b, aten.div(aten.neg(at(0)), above)


def _end_weights(widths):
    """Those of the last three samples."""
    def at(i):
        return aten.select(widths, 0, i)
    below = aten.mul(aten.add(at(-1), at(-2)), at(-2))
    a = aten.div(at(-1), below)
    product = aten.mul(at(-1), at(-2))
    b = aten.div(aten.neg(aten.add(at(-1), at(-2))), product)
    above = aten.mul(aten.add(at(-1), at(-2)), at(-1))
    return a, b, aten.div(aten.add(at(-2), aten.mul(at(-1), 2.0)), above)


def _gradient(self, spacing, dim, edge_order: int):
    dims = (dim,) if isinstance(dim, int) else dim
    _check(self, spacing, dims, edge_order)
    along = [wrap_dim(d, ndim_of(self)) for d in dims] if dims else range(ndim_of(self))
    widths = spacing if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(along)
    return tuple([(_unevenly if isinstance(width, Tensor) else _evenly)(self, d, width, edge_order)
                  for d, width in zip(along, widths)])


def _declare(overload: str, params: str) -> None:
    def body(self, *args):
        spacing, dim, edge_order = args if "spacing" in params else (None, *args)
        return _gradient(self, spacing, dim, edge_order)

    declare(f"gradient.{overload}(Tensor self, *, {params}, int edge_order=1) -> Tensor[]",
            "The slopes of samples along dimensions.", body=body)


for _row in OVERLOADS:
    _declare(*_row)

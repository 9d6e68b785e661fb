"""Integrals of sampled functions by trapezoids, and their slopes by differences."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import declare


def _check_bool(name: str, y, x=None) -> None:
    if y.dtype is dtypes.bool_ or x is not None and x.dtype is dtypes.bool_:
        what = "`y`" if x is None else "`x` or `y`"
        raise RuntimeError(f"{name}: received a bool input for {what}, but bool is not supported")


def _widths(name: str, y, x, dim: int):
    """The distances of neighbouring sample points, in a shape that fits the samples."""
    shape, wrapped = shape_of(y), wrap_dim(dim, ndim_of(y))
    if ndim_of(x) == 1:
        if shape_of(x)[0] != shape[wrapped]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = aten.view(x, tuple([n if d == wrapped else 1 for d, n in enumerate(shape)]))
    elif ndim_of(x) < len(shape):
        x = aten.view(x, (1,) * (len(shape) - ndim_of(x)) + tuple(shape_of(x)))
    return aten.sub(*_neighbours(x, dim)[::-1])


def _neighbours(t, dim: int):
    """All but the last elements, and all but the first."""
    return aten.slice(t, dim, 0, -1), aten.slice(t, dim, 1)


def _nothing(y, dim: int):
    shape = list(shape_of(y))
    del shape[dim]
    return aten.zeros(tuple(shape), dtype=y.dtype)


def _trapezoid_x(y, x, dim):
    _check_bool("trapezoid", y, x)
    if not shape_of(y)[dim]:
        return _nothing(y, dim)
    widths = _widths("trapezoid", y, x, dim)
    return aten.div(aten.sum(aten.mul(aten.add(*_neighbours(y, dim)), widths), (dim,)), 2.0)


def _trapezoid_dx(y, dx, dim):
    _check_bool("trapezoid", y)
    if not shape_of(y)[dim]:
        return _nothing(y, dim)
    if isinstance(dx, complex):
        raise RuntimeError("trapezoid: Currently, we only support dx as a real number.")
    ends = aten.mul(aten.add(aten.select(y, dim, 0), aten.select(y, dim, -1)), 0.5)
    return aten.mul(aten.sub(aten.sum(y, (dim,)), ends), float(dx))


def _cumulative_x(y, x, dim):
    _check_bool("cumulative_trapezoid", y, x)
    widths = _widths("cumulative_trapezoid", y, x, dim)
    return aten.div(aten.cumsum(aten.mul(aten.add(*_neighbours(y, dim)), widths), dim), 2.0)


def _cumulative_dx(y, dx, dim):
    _check_bool("cumulative_trapezoid", y)
    if isinstance(dx, complex):
        raise RuntimeError("cumulative_trapezoid: Currently, we only support dx as a real number.")
    return aten.cumsum(aten.mul(aten.add(*_neighbours(y, dim)), float(dx) / 2), dim)


_AREA, _AREAS = "The area under samples by trapezoids", "The areas under samples by trapezoids so far"
for _name, _number in (("trapezoid", "Scalar dx=1"), ("trapz", "float dx=1.")):
    declare(f"{_name}.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", f"{_AREA}.", body=_trapezoid_x)
    declare(f"{_name}.dx(Tensor y, *, {_number}, int dim=-1) -> Tensor", f"{_AREA} of one width.", body=_trapezoid_dx)
declare("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", f"{_AREAS}.", body=_cumulative_x)
declare("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", f"{_AREAS}, of one width.",
        body=_cumulative_dx)

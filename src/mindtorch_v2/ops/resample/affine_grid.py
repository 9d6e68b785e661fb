"""Grids of places, moved by affine maps."""

from __future__ import annotations

from math import prod

from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.out_by_copy import declare_out_by_copy


def _places(count: int, align_corners: bool, dtype):
    """So many numbers from -1 to 1: corners, or the centres of elements; a single one is in the middle."""
    if count <= 1:
        middle = aten.empty((1,), dtype=dtype)
        run.fill(middle, 0)
        return middle
    places = aten.linspace(-1, 1, count, dtype=dtype)
    return places if align_corners else aten.div(aten.mul(places, count - 1), count)


def _base(size, align_corners: bool, dtype):
    """(places, coordinates and a one): the grid that is not moved."""
    batch, _, *sizes = size
    rank = len(sizes)
    base = aten.empty((batch, *sizes, rank + 1), dtype=dtype)
    for axis in range(rank):
        into = aten.select(base, -1, axis)
        places = _places(sizes[rank - 1 - axis], align_corners, dtype)
        for _ in range(axis):
            aten.unsqueeze_(places, -1)
        aten.copy_(into, places)
    aten.fill_(aten.select(base, -1, rank), 1)
    return aten.view(base, (batch, prod(sizes), rank + 1))


def _check(size) -> None:
    if len(size) not in (4, 5):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")


class AffineGridGenerator(Op):
    """The places of each item's elements, moved by its map."""

    schema = "affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor"

    def meta(theta, size, align_corners):
        _check(size)
        return Spec((size[0], *size[2:], len(size) - 2), theta.dtype)

    def body(theta, size, align_corners):
        base = _base(size, align_corners, theta.dtype)
        moved = aten.bmm(base, aten.transpose(theta, 1, 2))
        return aten.view(moved, (size[0], *size[2:], len(size) - 2))

    def grad_theta(grad, size, align_corners):
        return aten.affine_grid_generator_backward(grad, size, align_corners)


class AffineGridGeneratorBackward(Op):
    """What moves of places say about the map."""

    schema = "affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor"
    internal = "a derivative"

    def body(grad, size, align_corners):
        _check(size)
        base = aten.transpose(_base(size, align_corners, grad.dtype), 1, 2)
        moves = aten.reshape(grad, (size[0], prod(size[2:]), len(size) - 2))
        return aten.transpose(aten.bmm(base, moves), 1, 2)


declare_out_by_copy(AffineGridGenerator.op)

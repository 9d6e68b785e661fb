"""Combinations of elements: chosen from one vector, paired between several, raised to powers."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op


def _check_vector(tensor) -> None:
    if ndim_of(tensor) != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(shape_of(tensor))}")


class Combinations(Op):
    """All choices of r elements, in order; with replacement an element may be chosen again."""

    schema = "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor"

    def body(self, r, with_replacement):
        _check_vector(self)
        if r < 0:
            raise RuntimeError(f"Expect a non-negative number, but got {r}")
        if r == 0:
            return aten.empty((0,), dtype=self.dtype)
        grids = aten.meshgrid([self] * r, indexing="ij")
        places = aten.meshgrid([aten.arange(numel_of(self))] * r, indexing="ij")
        mask = aten.full(shape_of(places[0]), True, dtype=dtypes.bool_)
        compare = aten.le if with_replacement else aten.lt
        for before, after in zip(places, places[1:]):
            aten.mul_(mask, compare(before, after))
        return aten.stack([aten.masked_select(grid, mask) for grid in grids], 1)


class CartesianProd(Op):
    """All tuples with one element of each vector."""

    schema = "cartesian_prod(Tensor[] tensors) -> Tensor"
    internal = "torch.cartesian_prod takes tensors one by one"

    def body(tensors):
        for tensor in tensors:
            _check_vector(tensor)
        if len(tensors) == 1:
            return tensors[0]
        return aten.stack([aten.flatten(grid) for grid in aten.meshgrid(tensors, indexing="ij")], 1)


class Vander(Op):
    """The powers of each element in a row."""

    schema = "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor"

    def body(x, N, increasing):  # noqa: N803  torch's name
        if ndim_of(x) != 1:
            raise RuntimeError("x must be a one-dimensional tensor.")
        count = numel_of(x) if N is None else N
        if count < 0:
            raise RuntimeError("N must be non-negative.")
        powers = aten.empty((numel_of(x), count), dtype=aten.promote_types(x.dtype, dtypes.int64))
        if count > 0:
            aten.fill_(aten.select(powers, 1, 0), 1)
        if count > 1:
            rest = aten.slice(powers, 1, 1)
            aten.copy_(rest, aten.unsqueeze(x, 1))
            rest = aten.slice(powers, 1, 1)
            aten.copy_(rest, aten.cumprod(aten.slice(powers, 1, 1), 1))
        return powers if increasing else aten.flip(powers, (1,))

# cython: annotation_typing=False
"""How far apart vectors are: their distance and the cosine between them."""

from __future__ import annotations

from ...core import modes
from ...core.dtype import FLOATING
from ...core.geometry import broadcast_shapes
from ...core.tensor import ndim_of, same_shape, shape_of
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...opdef import table
from ...opdef.form import Op


class PairwiseDistance(Op):
    """The norm of the difference along the last dimension."""

    schema = ("pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, "
              "bool keepdim=False) -> Tensor")

    def body(x1, x2, p, eps, keepdim):
        innermost = max(ndim_of(x1), ndim_of(x2)) - 1
        return aten.norm(aten.add(aten.sub(x1, x2), eps), p, (innermost,), keepdim)


class CosineSimilarity(Op):
    """The product of two vectors of length one."""

    schema = "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor"

    def body(x1, x2, dim, eps):
        dtype = aten.result_type(x1, x2)
        if dtype.category != FLOATING:
            raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {dtype.short}")
        if not eps >= 0:
            raise RuntimeError(f"eps must be non-negative, got: {eps:g}")
        if not same_shape(x1, x2):
            shape = broadcast_shapes(shape_of(x1), shape_of(x2))
            x2, x1 = aten.expand(x2, shape), aten.expand(x1, shape)
        x1, x2 = _floating(x1, dtype), _floating(x2, dtype)
        one = aten.clone(aten.linalg_vector_norm(x1, 2, (dim,), True))
        two = aten.clone(aten.linalg_vector_norm(x2, 2, (dim,), True))
        _keep_from_zero(one, two, eps, dtype)
        right = aten.div(x2, two)  # torch divides the second one first
        return aten.sum(aten.mul(aten.div(x1, one), right), (dim,))


def _floating(x, dtype):
    return x if x.dtype.category >= FLOATING else aten.to(x, dtype)


def _keep_from_zero(one, two, eps, dtype) -> None:
    """Lengths of at least ``eps``; the gradient does not see it."""
    at_least = table.find("clamp_min_", "Tensor")  # a tensor without dimensions would also fit the one for numbers
    least = aten.scalar_tensor(eps, dtype=dtype)
    before = modes.set_grad(False)
    try:
        call(at_least, (one, least))
        call(at_least, (two, least))
    finally:
        modes.set_grad(before)

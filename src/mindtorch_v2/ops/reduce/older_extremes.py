"""The smallest and the largest element together, as older programs ask for them."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.not_differentiable import UNKNOWN, unknown


class Aminmax(Op):
    """The smallest and the largest element."""

    schema = "_aminmax(Tensor self) -> (Tensor, Tensor)"
    node, grads_of, grads = UNKNOWN, "self", unknown("_aminmax")

    def body(self):
        return tuple(aten.aminmax(self))


class AminmaxDim(Op):
    """The same along a dimension."""

    schema = "_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)"
    node, grads_of, grads = UNKNOWN, "self", unknown("_aminmax")

    def body(self, dim, keepdim):
        return tuple(aten.aminmax(self, dim=dim, keepdim=keepdim))

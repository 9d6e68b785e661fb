"""The gradient of gelu in ops that have derivatives themselves."""

from __future__ import annotations

import math

from ...dispatch.aten import aten
from ...opdef.form import Op


class InfinitelyDifferentiableGeluBackward(Op):
    """The gradient of gelu(), differentiable as often as one likes."""

    schema = "infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor"
    internal = "torch.ops.aten"

    def body(grad, self):
        dtype = aten.result_type(grad, self)
        grad, x = aten.to(grad, dtype), aten.to(self, dtype)
        below = aten.mul_(aten.add(aten.erf_(aten.mul(x, math.sqrt(0.5))), 1), 0.5)
        density = aten.exp_(aten.mul(aten.mul(x, -0.5), x))
        slope = aten.addcmul_(below, x, density, value=1 / math.sqrt(2 * math.pi))
        return aten.to(aten.mul_(slope, grad), self.dtype)

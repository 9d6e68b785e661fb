"""Sums of powers: norms without their last root."""

from __future__ import annotations

from ...core.geometry import wrap_dims
from ...core.tensor import ndim_of, numel_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.not_differentiable import UNKNOWN, unknown
from .reduction import accumulator, in_type
from .vector_norm import norm_rule


class LinalgPowsum(Op):
    """The sum of absolute values to a power, over some dimensions."""

    schema = ("linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
              "ScalarType? dtype=None) -> Tensor")
    internal = "torch.ops.aten"
    meta = norm_rule
    node, grads_of, grads = UNKNOWN, "self", unknown("linalg__powsum")

    def body(self, ord, dim, keepdim, dtype):
        out = aten.empty(norm_rule(self, ord, dim, keepdim, dtype).shape, dtype=(dtype or self.dtype).to_real())
        shown = accumulator(out, self, dim, keepdim)
        self = in_type(self, self.dtype if dtype is None else dtype)
        if numel_of(self) == 0:
            return aten.fill_(out, 0)
        run.power_sum(shown, self, ord, wrap_dims(dim, ndim_of(self)))
        return out



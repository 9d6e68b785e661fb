"""softmax of what a mask leaves."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import like
from ..shared.layout import in_order
from ..shared.not_differentiable import UNKNOWN, unknown

SQUARE, PADDING, FULL = 0, 1, 2  # kinds of masks: of all sequences alike, of keys, of every score


class MaskedSoftmax(Op):
    """softmax of what a mask leaves: it is true where nothing is to be seen."""

    schema = "_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"

    def meta(self, mask, dim, mask_type):
        _check_mask(self, mask, mask_type)
        wrap_dim(-1 if dim is None else dim, ndim_of(self))
        if self.dtype.category != dtypes.FLOATING:
            raise not_implemented("masked_softmax", self.dtype)
        return like(self)

    def body(self, mask, dim, mask_type):
        mask = in_order(mask)
        shape = mask_shape = shape_of(self)
        kind = _kind(self, mask, mask_type)
        if kind != FULL:
            mask_shape = (shape[0], 1, 1, shape[2]) if kind == PADDING else (1, 1, shape[2], shape[2])
            if dim != len(shape) - 1:
                mask = in_order(aten.expand(aten.view(mask, mask_shape), shape))
                mask_shape = shape
        out = aten.empty_like(self, dtype=self.dtype, layout=strided)
        run.masked_softmax(out, in_order(self), mask, mask_shape, -1 if dim is None else dim)
        return out

    def composed(self, mask, dim, mask_type):
        kind, shape = _kind(self, mask, mask_type), shape_of(self)
        if kind != FULL:
            mask = aten.view(mask, (shape[0], 1, 1, shape[2]) if kind == PADDING else (1, 1, shape[2], shape[2]))
        weights = aten.softmax(aten.masked_fill(self, mask, -math.inf), -1 if dim is None else dim)
        return aten.masked_fill(weights, mask, 0)

    def grad_self(grad, result, mask, dim):
        return aten._masked_softmax_backward(grad, result, mask, dim)


def _kind(self, mask, mask_type: int | None) -> int | None:
    return mask_type if ndim_of(mask) == 2 and ndim_of(self) == 4 else FULL


def _check_mask(self, mask, mask_type: int | None) -> None:
    shape, kind = shape_of(self), _kind(self, mask, mask_type)
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError("Mask should be a boolean tensor")
    if kind is None:
        raise RuntimeError("Mask Type should be defined")
    if kind not in (SQUARE, PADDING, FULL):
        raise RuntimeError("Mask Type should be 0 (src_mask) or 1 (src_key_padding_mask), or 2 (default_mask)")
    if kind == FULL and shape_of(mask) != shape:
        raise RuntimeError("For mask_type == 2 mask shape should match input shape")
    if kind == PADDING and shape_of(mask) != (shape[0], shape[2]):
        raise RuntimeError("For mask_type == 1 mask shape should be (B, L)")
    if kind == SQUARE and shape_of(mask) != (shape[2], shape[2]):
        raise RuntimeError("For mask_type == 0 mask shape should be (L, L)")


class MaskedSoftmaxBackward(Op):
    """Derivative of _masked_softmax, from its result."""

    schema = "_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor"
    internal = "the backward of _masked_softmax"
    node = UNKNOWN
    grads = unknown("_masked_softmax_backward")

    def meta(grad_output, output, mask, dim):
        if shape_of(mask) != shape_of(grad_output):
            raise RuntimeError("Mask shape should match grad shape")
        return like(grad_output)

    def body(grad_output, output, mask, dim):
        grad_input = aten.empty_like(grad_output, dtype=grad_output.dtype, layout=strided)
        run.masked_softmax_backward(grad_input, in_order(grad_output), in_order(output), in_order(mask),
                                    -1 if dim is None else dim)
        return grad_input

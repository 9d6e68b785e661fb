"""Ops that follow no rule of a family, written in others: functions of members, with the arguments of the op."""

from __future__ import annotations

from ..core.tensor import Tensor, ndim_of
from .aten import aten
from .batch_matrix import check_ranks


def scaled(x: Tensor, factor) -> Tensor:
    """A tensor times a number, of which one is nothing to do."""
    return x if factor == 1 else aten.mul(x, factor)


def added(x: Tensor, product: Tensor, beta, alpha) -> Tensor:
    """``beta * x + alpha * product``; with a beta of 0, not even what is not a number counts."""
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        beta, alpha = int(beta), int(alpha)  # integers are multiplied by integers
    product = scaled(product, alpha)
    return product if beta == 0 else aten.add(scaled(x, beta), product)


def dot(a: Tensor, b: Tensor) -> Tensor:
    if ndim_of(a) != 1 or ndim_of(b) != 1:
        raise RuntimeError("Got wrong shapes for dot")
    return aten.squeeze(aten.mm(aten.unsqueeze(a, 0), aten.unsqueeze(b, 1)))


def mv(a: Tensor, b: Tensor) -> Tensor:
    check_ranks("mv", a, b, 2, 1)
    return aten.squeeze(aten.mm(a, aten.unsqueeze(b, 1)), 1)


def log_sigmoid_backward(grad: Tensor, self: Tensor, buffer: Tensor) -> Tensor:
    return aten.mul(grad, aten.sigmoid(aten.neg(self)))


def native_layer_norm_backward(grad: Tensor, x: Tensor, normalized_shape: tuple, mean: Tensor, rstd: Tensor,
                               weight: Tensor | None, bias: Tensor | None, mask: tuple):
    inner = tuple(range(ndim_of(x) - len(normalized_shape), ndim_of(x)))
    outer = tuple(range(ndim_of(x) - len(normalized_shape)))
    normal = aten.mul(aten.sub(x, mean), rstd)
    of_x = of_weight = of_bias = None
    if mask[0]:
        inside = grad if weight is None else aten.mul(grad, weight)
        centred = aten.sub(inside, aten.mean(inside, inner, True))
        shared = aten.mul(normal, aten.mean(aten.mul(inside, normal), inner, True))
        of_x = aten.mul(aten.sub(centred, shared), rstd)
    if mask[1] and weight is not None:
        of_weight = aten.mul(grad, normal)
        of_weight = aten.sum(of_weight, outer) if outer else of_weight
    if mask[2] and bias is not None:
        of_bias = aten.sum(grad, outer) if outer else aten.clone(grad)
    return of_x, of_weight, of_bias


def one_hot(self: Tensor, num_classes: int) -> Tensor:
    if num_classes <= 0:
        raise RuntimeError("When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes "
                           "argument.")
    classes = aten.arange(num_classes, dtype=self.dtype)
    return aten.to(aten.eq(aten.unsqueeze(self, -1), classes), self.dtype)


def where_masked(self: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    return aten.where(mask, aten.to(value, self.dtype), self)


PARTS = {
    "addmm": lambda x, a, b, beta, alpha: added(x, aten.mm(a, b), beta, alpha),
    "addmv": lambda x, a, b, beta, alpha: added(x, mv(a, b), beta, alpha),
    "addr": lambda x, a, b, beta, alpha: added(x, aten.mul(aten.unsqueeze(a, 1), b), beta, alpha),
    "baddbmm": lambda x, a, b, beta, alpha: added(x, aten.bmm(a, b), beta, alpha),
    "addbmm": lambda x, a, b, beta, alpha: added(x, aten.sum(aten.bmm(a, b), (0,)), beta, alpha),
    "mv": mv, "dot": dot, "vdot": lambda a, b: dot(aten.conj_physical(a), b),
    "trace": lambda x: aten.sum(aten.diagonal(x)),
    "log_sigmoid_backward": log_sigmoid_backward,
    "native_layer_norm_backward": native_layer_norm_backward,
    "one_hot": one_hot, "masked_fill.Tensor": where_masked,
    "dist": lambda a, b, p: aten.norm(aten.sub(a, b), p),
}

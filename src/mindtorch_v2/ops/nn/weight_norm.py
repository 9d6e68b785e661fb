"""A weight as a direction and a length: norms of slices along one dimension, weights scaled to given norms."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.modes import is_grad_enabled
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import IN_ORDER, in_order

WHOLE = -1  # the dimension that stands for the norm of all elements


class NormExceptDim(Op):
    """The norms of the slices of a tensor at each index of one dimension."""

    schema = "norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"

    def body(v, pow, dim):
        ndim, shape = ndim_of(v), shape_of(v)
        if dim == WHOLE:
            return aten.norm(v, pow)
        if dim == 0:
            if not shape:
                raise IndexError("Dimension specified as 0 but tensor has no dimensions")
            norms = aten.norm(aten.view(in_order(v), (shape[0], -1)), pow, (1,))
            return aten.view(norms, (shape[0], *[1] * (ndim - 1)))
        if dim == ndim - 1:
            norms = aten.norm(aten.view(in_order(v), (-1, shape[-1])), pow, (0,))
            return aten.view(norms, (*[1] * (ndim - 1), shape[-1]))
        return aten.transpose(aten.norm_except_dim(aten.transpose(v, 0, dim), pow, 0), 0, dim)


class WeightNorm(Op):
    """A tensor whose slices along a dimension have the norms of another."""

    schema = "_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"

    def body(v, g, dim):
        v, g = in_order(v), in_order(g)
        if dim in (0, ndim_of(v) - 1) and dtypes.float16 not in (v.dtype, g.dtype):
            return aten._weight_norm_interface(v, g, dim)[0]
        return aten.mul(v, aten.div(g, aten.norm_except_dim(v, 2, dim)))


class WeightNormInterface(Op):
    """The same along the first or the last dimension, with the norms that were found."""

    schema = "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)"
    grads_of = "v g"
    no_grad_for = "result1"

    def meta(v, g, dim):
        if v.dtype.category != dtypes.FLOATING:
            raise not_implemented("weight_norm_kernel", v.dtype)
        if g.dtype is not v.dtype:
            raise RuntimeError(f"expected scalar type {v.dtype.short} but found {g.dtype.short}")
        _check_norms(v, g, dim)
        return Spec(shape_of(v), v.dtype), Spec(shape_of(g), _norm_type(g), strides_of(g))

    def body(v, g, dim):
        weight = aten.empty_like(v, memory_format=IN_ORDER)
        norms = aten.empty_strided(shape_of(g), strides_of(g), dtype=_norm_type(g))
        _rows_of_sums(v, dim, norms.dtype, 1)
        run.weight_norm(weight, norms, in_order(v), g, dim)
        return weight, norms

    def grads(grads, v, g, dim, result1):
        if grads[0] is None:
            return None, None
        backward = "_weight_norm_differentiable_backward" if is_grad_enabled() else "_weight_norm_interface_backward"
        return getattr(aten, backward)(in_order(grads[0]), v, g, result1, dim)


class WeightNormInterfaceBackward(Op):
    """Derivatives of _weight_norm_interface."""

    schema = ("_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, "
              "int dim) -> (Tensor, Tensor)")

    def meta(grad_w, saved_v, saved_g, saved_norms, dim):
        for name, saved in (("saved_v", saved_v), ("saved_g", saved_g), ("saved_norms", saved_norms)):
            if not is_in_order(saved):
                raise RuntimeError(f"{name} must be contiguous")
        _check_norms(saved_v, saved_g, dim)
        _check_norms(saved_v, saved_norms, dim)
        if shape_of(grad_w) != shape_of(saved_v):
            raise RuntimeError("grad_w and saved_v must have the same shape")
        return Spec(shape_of(saved_v), saved_v.dtype), Spec(shape_of(saved_g), saved_g.dtype)

    def body(grad_w, saved_v, saved_g, saved_norms, dim):
        grad_v = aten.empty_like(saved_v, memory_format=IN_ORDER)
        grad_g = aten.empty_like(saved_g, memory_format=IN_ORDER)
        _rows_of_sums(saved_v, dim, saved_norms.dtype, 3)  # sums and two factors
        run.weight_norm_grads(grad_v, grad_g, in_order(grad_w), saved_v, saved_g, saved_norms, dim)
        return grad_v, grad_g


class WeightNormDifferentiableBackward(Op):
    """The same written in ops that can be differentiated again."""

    schema = ("_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, "
              "int dim) -> (Tensor, Tensor)")

    def body(grad_w, saved_v, saved_g, saved_norms, dim):
        shape, last = shape_of(saved_v), ndim_of(saved_v) - 1
        if dim not in (0, last):
            raise RuntimeError("Expected dim to be the first or last dimension")
        norms = aten.to(saved_norms, saved_g.dtype)
        products = aten.mul(grad_w, saved_v)
        rows, summed = ((shape[0], -1), 1) if dim == 0 else ((-1, shape[-1]), 0)
        sums = aten.view(aten.sum(aten.view(products, rows), (summed,)), _across(shape, dim))
        along = aten.mul(saved_v, aten.div(sums, aten.mul(norms, norms)))
        across = aten.sub(grad_w, along)
        return aten.mul(aten.div(saved_g, norms), across), aten.div(sums, norms)


def _across(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    """The shape of one number for each index of a dimension."""
    return tuple([n if i == dim else 1 for i, n in enumerate(shape)])


def _norm_type(g):
    return dtypes.float32 if g.dtype in (dtypes.bfloat16, dtypes.float16) else g.dtype


def _rows_of_sums(v, dim: int, dtype, rows: int) -> None:
    """Along the last dimension torch adds up row by row, in memory that it first sets to zero."""
    if dim != 0:
        aten.zero_(blank((rows, shape_of(v)[-1]), dtype))


def _check_norms(v, norms, dim: int) -> None:
    """Torch's kernel trusts that there is one norm for each index; nothing is read beyond memory here."""
    if dim not in (0, ndim_of(v) - 1):
        raise RuntimeError("fused kernels can only be applied for first or last dim")
    wanted = shape_of(v)[dim] if ndim_of(v) else 1
    if numel_of(norms) != wanted:
        raise RuntimeError(f"expected one norm for each of the {wanted} indices of dimension {dim}, but got "
                           f"{numel_of(norms)}")

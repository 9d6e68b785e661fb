"""Elements of a source reduced into given positions along a dimension: sum, product, mean, extremes."""

from __future__ import annotations

from ...autograd.special_nodes import DelayedError
from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.kinds import holds_many
from ...core.modes import is_grad_enabled
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ..shared.values import number_in
from .gather import places_of, scatterable

REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")


def start_of(dtype: dtypes.DType, reduce: str):
    """What a reduction begins with where the tensor itself does not take part."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.category == dtypes.FLOATING:
        return float("-inf") if reduce == "amax" else float("inf")
    if dtype is dtypes.bool_:
        return reduce == "amin"
    limits = dtypes.iinfo(dtype)
    return limits.min if reduce == "amax" else limits.max


def divided(out, count):
    """Sums by how many elements there were, at least one; whole numbers stay whole."""
    aten.masked_fill_(count, aten.eq(count, 0), 1)
    if out.dtype.category >= dtypes.FLOATING:
        aten.div_(out, count)
    else:
        aten.div_(out, count, rounding_mode="floor")


class ScatterReduceTwo(Op):
    """Elements of a source reduced into given positions along a dimension."""

    schema = ("scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
              "bool include_self=True) -> Tensor")
    overlap = "spares_others"
    variants = "method inplace two_out"
    grads_of = "self src"

    def meta(self, dim, index, src, reduce, include_self):
        spec = scatterable(self, dim, index, src)
        if reduce not in REDUCTIONS:
            raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
        return spec

    def into(out, self, dim, index, src, reduce, include_self):
        if out is not self:
            aten.copy_(out, self)
            aten.copy_(out, self)
        if not numel_of(index):
            return
        dim = wrap_dim(dim, ndim_of(out))
        if not include_self:
            aten.scatter_(out, dim, index, start_of(out.dtype, reduce))
        if out.dtype.is_complex and reduce in ("amax", "amin"):
            raise not_implemented(f"scatter_gather_tensor_cpu_reduce_{reduce}", out.dtype)
        places = places_of(index)
        _reduced(run.scatter_reduce, out, places, src, dim, reduce)
        if reduce == "mean":
            ones = aten.ones_like(src)
            count = aten.ones_like(out) if include_self else aten.zeros_like(out)
            divided(out, aten.scatter_add_(count, dim, index, ones))

    def grads(grad, self, dim, index, src, reduce, include_self, result, needs):
        def reduced(t, values):
            return aten.scatter_reduce(t, dim, index, values, reduce, include_self=include_self)

        def add(t, values):
            return aten.scatter_add(t, dim, index, values)

        def pick(t):
            return aten.gather(t, dim, index)

        if reduce == "sum":
            of_self, of_src = grad, pick(grad) if needs[1] else None
        elif reduce == "prod":
            of_self, of_src = product_slopes(grad, self, src, result, reduced, add, pick, "scatter_reduce",
                                             "src")
        elif reduce == "mean":
            of_self, of_src = mean_slopes(grad, src, include_self, add, pick)
        else:
            value = pick(result)
            _, _, slopes = shared_slopes(grad, self, src, result, value, add)
            of_self = aten.mul(aten.eq(self, result), slopes)
            picked = pick(slopes)
            of_src = aten.mul(aten.eq(src, value), picked)
        return (of_self if include_self else aten.scatter(of_self, dim, index, 0)) if needs[0] else None, of_src


def _reduced(kernel, out, places, src, dim: int, reduce: str) -> None:
    """Run the kernel; halves are added up in a float32 copy, which shows."""
    if reduce in ("sum", "mean") and out.dtype in (dtypes.float16, dtypes.bfloat16):
        wide = aten.empty(shape_of(out), dtype=dtypes.float32)
        aten.copy_(wide, out)
        kernel(wide, places, src, dim, reduce)
        aten.copy_(out, wide)
    else:
        kernel(out, places, src, dim, reduce)


def product_slopes(grad, self, src, result, reduced, add, pick, name: str, word: str):
    """Products of all other factors; a single zero among those of the source is left out by itself."""
    whole_self = aten.masked_fill(self, aten.eq(self, 0), 1)
    of_self = aten.div(aten.mul(grad, reduced(whole_self, src)), whole_self)
    is_zero = aten.eq(src, 0)
    zeros = aten.zeros_like(self)
    count = pick(add(zeros, aten.to(is_zero, self.dtype)))
    is_only_zero = aten.bitwise_and(is_zero, aten.eq(count, 1))
    without = reduced(self, aten.masked_fill(src, is_only_zero, 1))
    whole_src = aten.masked_fill(src, is_zero, 1)
    usual = aten.div(pick(aten.mul(grad, result)), whole_src)
    of_src = aten.where(is_only_zero, pick(aten.mul(grad, without)), usual)
    if is_grad_enabled() and not holds_many(count) and number_in(aten.any(aten.gt(count, 1))):
        of_src = DelayedError(f"{name}(): Double backward is unsupported for {word} when >1 zeros in {word} are "
                              "scattered to the same position in self", 1)(of_src)
    return of_self, of_src


def mean_slopes(grad, src, include_self: bool, add, pick):
    count = aten.ones_like(grad) if include_self else aten.zeros_like(grad)
    count = add(count, aten.ones_like(src))
    aten.masked_fill_(count, aten.eq(count, 0), 1)
    of_self = aten.div(grad, count)
    picked = pick(count)
    return of_self, aten.div(pick(grad), picked)


def shared_slopes(grad, self, src, result, value, add):
    """Which elements of both are an extreme, and its gradient by how many there are."""
    is_self = aten.to(aten.eq(self, result), self.dtype)
    is_src = aten.to(aten.eq(src, value), self.dtype)
    return is_self, is_src, aten.div(grad, add(is_self, is_src))

# cython: annotation_typing=False
"""Products of batches of matrices."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import preserve_format
from ...core.geometry import expanded, wrap_dim
from ...core.matrix_layout import lies
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, same_shape, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from .matmul import gemm, product_type, resolved, scaled

SMALL = 400  # batches whose items cost fewer multiplications are not handed to BLAS, whatever their layout
_BMM = KernelTypes("bmm: integral floating complex")


def _batches(batch1, batch2) -> tuple[int, int, int]:
    """The shape of a batched product, or torch's complaint."""
    a, b = shape_of(batch1), shape_of(batch2)
    for name, shape in (("batch1", a), ("batch2", b)):
        if len(shape) != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if a[0] != b[0] or a[2] != b[1]:
        raise RuntimeError(f"Expected size for first two dimensions of batch2 tensor to be: [{a[0]}, {a[2]}] but got: "
                           f"[{b[0]}, {b[1]}].")
    return a[0], a[1], b[2]


def _look_at(t, *dims: int) -> None:
    """What torch reads of a tensor before it asks for three dimensions."""
    for dim in dims:
        if not ndim_of(t):
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        wrap_dim(dim, ndim_of(t))


def _check_types(batch1, batch2) -> None:
    if batch1.dtype is not batch2.dtype:
        raise RuntimeError(f"expected scalar type {batch1.dtype.short} but found {batch2.dtype.short}")


def _bmm_meta(self, mat2):
    shape = _batches(self, mat2)
    if 0 in shape or shape_of(self)[2] == 0:  # nothing is multiplied: torch does not look at the types
        return rules.Spec(shape, mat2.dtype)
    _BMM.check(self.dtype)
    _check_types(self, mat2)
    return rules.Spec(shape, self.dtype)


def _for_blas(batch) -> bool:
    """Whether every matrix of a batch is stored by rows or by columns."""
    return lies(batch, 2, 1) or lies(batch, 1, 2)


def multiply(out, batch1, batch2, beta=None, alpha=1):
    """out = beta * out + alpha * batch1 @ batch2; without a beta the result holds nothing yet.

    Large batches that BLAS can't take as they lie, and those of integers, are multiplied one by one where that is seen.
    """
    batch2, batch1 = resolved(batch2), resolved(batch1)
    if numel_of(out) == 0:
        return out
    count, rows, inner = shape_of(batch1)
    if inner == 0:
        return aten.zero_(out) if not beta else aten.mul_(out, beta)
    if dispatcher.is_unobserved() or inner * rows * shape_of(batch2)[2] < SMALL or (
            out.dtype.category >= dtypes.FLOATING and _for_blas(batch1) and _for_blas(batch2) and is_in_order(out)):
        if beta is None:
            run.products(out, batch1, batch2)
        else:
            run.add_scaled_product(out, batch1, batch2, beta, alpha)
        return out
    for i in range(count):
        into, second, first = aten.select(out, 0, i), aten.select(batch2, 0, i), aten.select(batch1, 0, i)
        if beta is None:
            gemm(into, first, second)
        else:
            aten.addmm_(into, first, second, beta=beta, alpha=alpha)
    return out


class Bmm(Op):
    """Products of two batches of matrices."""

    schema = "bmm(Tensor self, Tensor mat2) -> Tensor"
    overlap = "expanded_out shares_inputs"
    meta = _bmm_meta
    variants = "method out"
    into = multiply

    def body(self, mat2):
        spec = _bmm_meta(self, mat2)
        return multiply(blank(spec.shape, spec.dtype), self, mat2)

    def grad_self(grad, mat2):
        return aten.bmm.call2(grad, aten.transpose(mat2, 1, 2))

    def grad_mat2(grad, self):
        return aten.bmm.call2(aten.transpose(self, 1, 2), grad)


def _baddbmm_meta(self, batch1, batch2, beta, alpha):
    _look_at(batch1, 0, 1)
    _look_at(batch2, 2)
    shape = _batches(batch1, batch2)
    if self.dtype is not batch1.dtype:
        raise RuntimeError(f"Input dtypes must be the same, got: input {rules.c_name(self.dtype)}, batch1: "
                           f"{rules.c_name(batch1.dtype)}, batch2: {rules.c_name(batch2.dtype)}")
    if 0 not in shape and shape_of(batch1)[2]:
        _check_types(batch1, batch2)
        product_type("baddbmm", self.dtype)
    if expanded(shape_of(self), strides_of(self), shape) is None:
        aten.expand(self, shape)  # complains
    return rules.Spec(shape, batch2.dtype)


class Baddbmm(Op):
    """beta * self + alpha * (batch1 @ batch2), matrix by matrix."""

    schema = "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    overlap = "expanded shares_inputs"
    meta = _baddbmm_meta
    variants = "method inplace out"

    def into(out, self, batch1, batch2, beta, alpha):
        if not same_shape(self, out):
            self = aten.expand(self, shape_of(out))
        if beta != 0:
            aten.copy_.call2(out, self)
        multiply(out, batch1, batch2, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_batch1(grad, batch2, alpha):
        return scaled(aten.bmm.call2(grad, aten.transpose(batch2, 1, 2)), alpha)

    def grad_batch2(grad, batch1, alpha):
        return scaled(aten.bmm.call2(aten.transpose(batch1, 1, 2), grad), alpha)


class ResizeAs(Op):
    """Another tensor's shape, in place."""

    schema = "resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"
    overlap = "expanded shares_inputs"
    variants = "method"

    def body(self, the_template, memory_format):
        kept = None if memory_format is preserve_format else memory_format
        return aten.resize_(self, shape_of(the_template), memory_format=kept)


def _addbmm_meta(self, batch1, batch2, *_):
    _look_at(batch1, 1)
    _look_at(batch2, 2)
    for name, first in (("mat1", batch1), ("self", self)):
        if first.dtype is not batch2.dtype and ndim_of(batch1) == 3 and shape_of(batch1)[0]:
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {first.dtype.short} and "
                               f"{batch2.dtype.short}")
    return rules.Spec(_batches(batch1, batch2)[1:], self.dtype)


class Addbmm(Op):
    """beta * self + alpha * the sum of all products of two batches."""

    schema = "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    overlap = "shares_inputs"
    meta = _addbmm_meta
    variants = "method inplace out"

    def body(self, batch1, batch2, beta, alpha, out=None):
        shape = (shape_of(batch1)[1], shape_of(batch2)[2])
        if out is None:
            out = aten.empty((0,), dtype=self.dtype)
        if shape_of(self) != shape:
            self = aten.expand(self, shape)
        aten.copy_.call2(aten.resize_as_(out, self), self)
        return _add_products(out, batch1, batch2, beta, alpha)

    def inplace(self, batch1, batch2, beta, alpha):
        shape = (shape_of(batch1)[1], shape_of(batch2)[2])
        if shape_of(self) != shape:  # torch gives self the result's shape
            spread = aten.clone(aten.expand(self, shape))
            aten.copy_(aten.resize_(self, shape), spread)
        return _add_products(aten.resize_as_(self, self), batch1, batch2, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_batch1(grad, batch1, batch2, alpha):
        return scaled(aten.bmm.call2(_repeated(grad, batch1, batch2), aten.transpose(batch2, 1, 2)), alpha)

    def grad_batch2(grad, batch1, batch2, alpha):
        turned = aten.transpose(batch1, 1, 2)
        return scaled(aten.bmm.call2(turned, _repeated(grad, batch1, batch2)), alpha)


def _repeated(grad, batch1, batch2):
    """One gradient for every product that went into the sum."""
    return aten.expand(aten.unsqueeze(grad, 0), (*shape_of(batch1)[:2], shape_of(batch2)[2]))


def _add_products(out, batch1, batch2, beta, alpha):
    count = shape_of(batch1)[0]
    if count == 0 or numel_of(batch1) == 0:
        return aten.zero_(out) if beta == 0 else aten.mul_(out, beta)
    for i in range(count):
        second, first = aten.select(batch2, 0, i), aten.select(batch1, 0, i)
        aten.addmm_(out, first, second, beta=beta if i == 0 else 1, alpha=alpha)
    return out

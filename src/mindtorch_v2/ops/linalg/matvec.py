"""Products with vectors: matrix by vector, vector by vector, and outer products."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.promotion import result_type
from ...core.tensor import blank
from ...devices.cpu.errstate import silent
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.scalars import check_kind, converted, in_kernel_type
from .matmul import NATIVE, apart, fit, product_type, scaled


def _matrix_by_vector(self, mat, vec, *_):
    ndims = self.dim(), mat.dim(), vec.dim()
    if ndims[1] != 2 or ndims[2] != 1 or ndims[0] > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {ndims[0]}, {ndims[1]}, {ndims[2]}")
    rows, cols = mat._mt_array.shape
    if cols != vec._mt_array.shape[0] or (ndims[0] == 1 and self._mt_array.shape[0] not in (rows, 1)):
        raise RuntimeError(f"size mismatch, got input ({self._mt_array.shape[0] if ndims[0] else 1}), mat "
                           f"({rows}x{cols}), vec ({vec._mt_array.shape[0]})")
    if self.dtype is not mat.dtype or mat.dtype is not vec.dtype:
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {self.dtype.short}, "
                           f"{mat.dtype.short}, and {vec.dtype.short}")
    if mat._mt_array.size:
        product_type("addmv_impl_cpu", mat.dtype)
    return rules.Spec((rows,), mat.dtype)


@silent
def _add_product(out, self, mat, vec, beta, alpha):
    """out = beta * self + alpha * mat @ vec; without a self, what ``out`` held is not looked at."""
    array = out._mt_array
    if alpha != 1 or beta != 1:
        alpha, beta = in_kernel_type(alpha, out.dtype), in_kernel_type(beta, out.dtype)
    if array.size == 0 or mat._mt_array.size == 0:
        if beta == 0:
            return aten.zero_(out)
        np.multiply(self._mt_array, array.dtype.type(beta), array)
        return out
    native = array.dtype in NATIVE or array.dtype.kind in "iu"
    a, b = mat._mt_array, vec._mt_array
    made = a.dot(b) if native else a.astype(np.float32).dot(b.astype(np.float32))
    if alpha != 1:
        made *= alpha
    if beta != 0:
        made = made + (self._mt_array if beta == 1 else self._mt_array * array.dtype.type(beta))
    np.copyto(array, made, casting="unsafe")
    return out


class Mv(Op):
    """A matrix by a vector."""

    schema = "mv(Tensor self, Tensor vec) -> Tensor"
    variants = "method"

    def body(self, vec):
        out = aten.empty((self._mt_array.shape[0],), dtype=vec.dtype)
        return aten.addmv_(out, self, vec, beta=0)

    def grad_self(grad, vec):
        return aten.ger.call2(grad, vec)

    def grad_vec(grad, self):
        return aten.mv.call2(aten.t.call1(self), grad)


class Addmv(Op):
    """beta * self + alpha * (mat @ vec)."""

    schema = "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    overlap = "expanded shares_inputs"
    meta = _matrix_by_vector
    variants = "method inplace"

    def body(self, mat, vec, beta, alpha):
        if not mat._mt_array.size and beta != 0:
            return _add_product(blank(self._mt_array.shape, mat.dtype), self, mat, vec, beta, alpha)
        out = blank((mat._mt_array.shape[0],), mat.dtype)
        if self._mt_array.shape != out._mt_array.shape:
            self = aten.expand(self, out._mt_array.shape)
        return _add_product(out, self, mat, vec, beta, alpha)

    def inplace(self, mat, vec, beta, alpha):
        rows = mat._mt_array.shape[0]
        if self._mt_array.shape != (rows,):
            raise RuntimeError(f"Bad in-place call: input tensor size {list(self._mt_array.shape)} and output tensor "
                               f"size {[rows]} should match")
        return _add_product(self, self, mat, vec, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_mat(grad, vec, alpha):
        return scaled(aten.ger.call2(grad, vec), alpha)

    def grad_vec(grad, mat, alpha):
        return scaled(aten.mv.call2(aten.t.call1(mat), grad), alpha)


class AddmvOut(Op):
    """beta * self + alpha * (mat @ vec), into a given tensor."""

    schema = ("addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
              "-> Tensor(a!)")
    overlap = "shares_inputs"
    meta = _matrix_by_vector
    below = "writes into a tensor"

    def body(self, mat, vec, beta, alpha, out):
        mat, vec = apart(out, (mat._mt_array.shape[0],), mat, vec)
        fit(out, (mat._mt_array.shape[0],), mat.dtype)
        if self._mt_array.shape != out._mt_array.shape:
            self = aten.expand(self, out._mt_array.shape)
        return _add_product(out, self, mat, vec, beta, alpha)


class MvOut(Op):
    """A matrix by a vector, into a given tensor."""

    schema = "mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out shares_inputs"
    below = "writes into a tensor"

    def body(self, vec, out):
        ready = out.dim() == 1 and out._mt_array.size in (1, self._mt_array.shape[0] if self.dim() else 1)
        summand = out if ready else aten.empty((self._mt_array.shape[0],) if self.dim() else (), dtype=vec.dtype)
        if self.dim() == 2 and not ready:
            resize_output(out, self._mt_array.shape[:1])
        return aten.addmv(summand, self, vec, beta=0, out=out)


def _two_vectors(self, other, name: str, what: str):
    if self.dim() != 1 or other.dim() != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.dim()}D and {other.dim()}D tensors")
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{what} : expected both vectors to have same dtype, but found {self.dtype.short} and "
                           f"{other.dtype.short}")
    a, b = self._mt_array.size, other._mt_array.size
    if a != b:
        raise RuntimeError(f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of "
                           f"elements, but got {a} and {b} elements respectively")
    product_type(name, self.dtype)
    return rules.Spec((), self.dtype)


def _dot_meta(self, tensor):
    return _two_vectors(self, tensor, "dot", "dot")


def _vdot_meta(self, other):
    return _two_vectors(self, other, "vdot", "dot")


@silent
def _sum_of_products(a, b) -> float:
    if a.dtype in NATIVE or a.dtype.kind in "iu":
        return a.dot(b).item()
    return float(a.astype(np.float32).dot(b.astype(np.float32)))


class Dot(Op):
    """The sum of the products of two vectors."""

    schema = "dot(Tensor self, Tensor tensor) -> Tensor"
    meta = _dot_meta
    variants = "method"

    def body(self, tensor):
        return aten.fill_(aten.empty((), dtype=self.dtype), _sum_of_products(self._mt_array, tensor._mt_array))

    def grad_self(grad, tensor):
        return aten.mul.call2(grad, tensor)

    def grad_tensor(grad, self):
        return aten.mul.call2(grad, self)


class Vdot(Op):
    """The sum of the products of two vectors, the first conjugated."""

    schema = "vdot(Tensor self, Tensor other) -> Tensor"
    conjugate = False  # the first vector is conjugated already
    meta = _vdot_meta
    variants = "method"

    def body(self, other):
        if self.dtype.category < dtypes.COMPLEX:
            return aten.dot.call2(self, other)
        return aten.fill_(aten.empty((), dtype=self.dtype), np.vdot(self._mt_array, other._mt_array).item())

    def grad_self(grad, other):
        return aten.mul.call2(aten.conj(grad) if grad.dtype.is_complex else grad, other)

    def grad_other(grad, self):
        return aten.mul.call2(grad, self)


class Outer(Op):
    """Every element of one vector by every element of another."""

    schema = "outer(Tensor self, Tensor vec2) -> Tensor"
    variants = "method"

    def body(self, vec2):
        for name, t in (("self", self), ("vec2", vec2)):
            if t.dim() != 1:
                raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {t.dim()}-D")
        return aten.mul.call2(aten.reshape(self, (self._mt_array.size, 1)), vec2)


class Ger(Op):
    """outer() by its old name."""

    schema = "ger(Tensor self, Tensor vec2) -> Tensor"
    variants = "method"

    def body(self, vec2):
        return aten.outer.call2(self, vec2)


def _addr_meta(self, vec1, vec2, beta, alpha, *_):
    for name, t in (("vec1", vec1), ("vec2", vec2)):
        if t.dim() != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {t.dim()}-D")
    common = result_type(self, vec1, vec2)
    for name, value in (("beta", beta), ("alpha", alpha)):
        if common.category < dtypes.FLOATING and isinstance(value, complex):
            value = value.real
        if not isinstance(value, complex):
            check_kind(name, value, common)


def _add_outer_in_place(self, vec1, vec2, *_):
    _addr_meta(self, vec1, vec2, *_)
    if self.dim() != 2:
        raise RuntimeError(f"2D tensor expected, got {self.dim()}D tensor for input")
    sizes = [list(t._mt_array.shape) for t in (self, vec1, vec2)]
    if sizes[0] != sizes[1] + sizes[2]:
        raise RuntimeError(f"size mismatch, input: {sizes[0]}, v1: {sizes[1]}, v2: {sizes[2]}")
    check_storable(result_type(self, vec1, vec2), self)


@silent
def _add_outer(out, self, column, row, beta, alpha, common) -> None:
    """In the common type; halves in float32, once rounded."""
    beta, alpha = [converted(number, common) for number in (beta, alpha)]
    wide = np.dtype(np.float32) if common.itemsize == 2 and common.category == dtypes.FLOATING else common.numpy
    self, column, row = [t._mt_array.astype(wide, copy=False) for t in (self, column, row)]
    made = column * row
    if alpha != 1:
        made = made * wide.type(alpha)
    if beta != 0:
        made = made + (self if beta == 1 else self * wide.type(beta))
    np.copyto(out._mt_array, made, casting="unsafe")


class Addr(Op):
    """beta * self + alpha * the outer product of two vectors."""

    schema = "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    meta = _addr_meta
    variants = "method"

    def body(self, vec1, vec2, beta, alpha):
        shape = (vec1._mt_array.size, vec2._mt_array.size)
        common = result_type(self, vec1, vec2)
        if self._mt_array.shape != shape:
            self = aten.expand(self, shape)
        column = aten.reshape(vec1, (shape[0], 1))
        out = aten.empty(shape, dtype=common)
        _add_outer(out, self, column, vec2, beta, alpha, common)
        return out

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_vec1(grad, vec2, alpha):
        return scaled(aten.mv.call2(grad, vec2), alpha)

    def grad_vec2(grad, vec1, alpha):
        return scaled(aten.mv.call2(aten.t.call1(grad), vec1), alpha)


class AddrInPlace(Op):
    """beta * self + alpha * the outer product of two vectors, in the place of self."""

    schema = ("addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)")
    meta = _add_outer_in_place
    variants = "method"
    node = "AddrBackward0"

    def body(self, vec1, vec2, beta, alpha):
        return aten.addr(self, vec1, vec2, beta=beta, alpha=alpha, out=self)

    grad_self, grad_vec1, grad_vec2 = Addr.grad_self, Addr.grad_vec1, Addr.grad_vec2


class AddrOut(Op):
    """beta * self + alpha * an outer product, into a given tensor."""

    schema = ("addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
              "-> Tensor(a!)")
    meta = _addr_meta
    below = "writes into a tensor"

    def body(self, vec1, vec2, beta, alpha, out):
        shape = (vec1._mt_array.size, vec2._mt_array.size)
        common = result_type(self, vec1, vec2)
        check_storable(common, out)
        if self._mt_array.shape != shape:
            self = aten.expand(self, shape)
        if out is not self:
            resize_output(out, shape)
        _add_outer(out, self, aten.reshape(vec1, (shape[0], 1)), vec2, beta, alpha, common)
        return out

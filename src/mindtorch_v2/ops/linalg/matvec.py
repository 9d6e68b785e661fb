# cython: annotation_typing=False
"""Products with vectors: matrix by vector, vector by vector, and outer products."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.promotion import result_type
from ...core.tensor import blank, ndim_of, numel_of, same_shape, shape_of
from ...core.user_warning import warn_user
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import check_storable, resize_output
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.scalars import check_kind, converted, in_kernel_type
from ..create.copy import Fill
from ..create.factories import empty
from .matmul import product_type, scaled


def _matrix_by_vector(self, mat, vec, beta, alpha):
    ndims = ndim_of(self), ndim_of(mat), ndim_of(vec)
    if ndims[1] != 2 or ndims[2] != 1 or ndims[0] > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {ndims[0]}, {ndims[1]}, {ndims[2]}")
    rows, cols = shape_of(mat)
    if cols != shape_of(vec)[0] or (ndims[0] == 1 and shape_of(self)[0] not in (rows, 1)):
        raise RuntimeError(f"size mismatch, got input ({shape_of(self)[0] if ndims[0] else 1}), mat "
                           f"({rows}x{cols}), vec ({shape_of(vec)[0]})")
    if self.dtype is not mat.dtype or mat.dtype is not vec.dtype:
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {self.dtype.short}, "
                           f"{mat.dtype.short}, and {vec.dtype.short}")
    if numel_of(mat):
        product_type("addmv_impl_cpu", mat.dtype)
    return rules.Spec((rows,), mat.dtype)


class Mv(Op):
    """A matrix by a vector."""

    schema = "mv(Tensor self, Tensor vec) -> Tensor"
    variants = "method"

    def body(self, vec):
        if dispatcher.is_unobserved() and numel_of(self):
            out = blank((shape_of(self)[0],), vec.dtype)
            _matrix_by_vector(out, self, vec, 0, 1)
            run.add_matrix_by_vector(out, out, self, vec, 0, 1)
            return out
        out = aten.empty((shape_of(self)[0],), dtype=vec.dtype)
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
    variants = "method inplace out"

    def into(out, self, mat, vec, beta, alpha):
        if alpha != 1 or beta != 1:
            alpha, beta = in_kernel_type(alpha, out.dtype), in_kernel_type(beta, out.dtype)
        if not numel_of(mat) and beta != 0:
            run.scale_into(resize_output(out, shape_of(self)), self, beta)  # as torch does: a row of one stays one
            return
        if not same_shape(self, out):
            self = aten.expand(self, shape_of(out))
        if not numel_of(mat):
            aten.zero_(out)
        else:
            run.add_matrix_by_vector(out, self, mat, vec, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_mat(grad, vec, alpha):
        return scaled(aten.ger.call2(grad, vec), alpha)

    def grad_vec(grad, mat, alpha):
        return scaled(aten.mv.call2(aten.t.call1(mat), grad), alpha)


class MvOut(Op):
    """A matrix by a vector, into a given tensor."""

    schema = "mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out shares_inputs"
    below = "writes into a tensor"

    def body(self, vec, out):
        ready = ndim_of(out) == 1 and numel_of(out) in (1, shape_of(self)[0] if ndim_of(self) else 1)
        summand = out if ready else aten.empty((shape_of(self)[0],) if ndim_of(self) else (), dtype=vec.dtype)
        if ndim_of(self) == 2 and not ready:
            resize_output(out, shape_of(self)[:1])
        return aten.addmv(summand, self, vec, beta=0, out=out)


def _two_vectors(self, other, name: str, what: str):
    if ndim_of(self) != 1 or ndim_of(other) != 1:
        raise RuntimeError(f"1D tensors expected, but got {ndim_of(self)}D and {ndim_of(other)}D tensors")
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{what} : expected both vectors to have same dtype, but found {self.dtype.short} and "
                           f"{other.dtype.short}")
    a, b = numel_of(self), numel_of(other)
    if a != b:
        raise RuntimeError(f"inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of "
                           f"elements, but got {a} and {b} elements respectively")
    product_type(name, self.dtype)
    return rules.Spec((), self.dtype)


def _dot_meta(self, tensor):
    return _two_vectors(self, tensor, "dot", "dot")


def _vdot_meta(self, other):
    return _two_vectors(self, other, "vdot", "dot")


def _filled(kernel, self, other):
    """A new tensor with the number that a kernel makes of two vectors."""
    out = empty((), self.dtype)
    return dispatcher.call(_FILL, (out, kernel(self, other)))


def _fill_given(out, self, product, other):
    """The same number into a tensor that was given."""
    if out.dtype is not self.dtype:
        raise RuntimeError(f"result dtype {out.dtype.short} does not match input dtype {self.dtype.short}")
    number = product(self, other)
    return aten.fill_(resize_output(out, ()), number)


class Dot(Op):
    """The sum of the products of two vectors."""

    schema = "dot(Tensor self, Tensor tensor) -> Tensor"
    meta = _dot_meta
    variants = "method out"
    overlap = "expanded_out shares_inputs"

    def body(self, tensor):
        return _filled(ask.dot, self, tensor)

    def out(self, tensor, out):
        return _fill_given(out, self, aten.dot.call2, tensor)

    def grad_self(grad, tensor):
        return aten.mul.call2(grad, tensor)

    def grad_tensor(grad, self):
        return aten.mul.call2(grad, self)


class Vdot(Op):
    """The sum of the products of two vectors, the first conjugated."""

    schema = "vdot(Tensor self, Tensor other) -> Tensor"
    conjugate = False  # the first vector is conjugated already
    meta = _vdot_meta
    variants = "method out"
    overlap = "expanded_out shares_inputs"

    def out(self, other, out):
        return _fill_given(out, self, aten.vdot.call2, other)

    def body(self, other):
        if self.dtype.category < dtypes.COMPLEX:
            return aten.dot.call2(self, other)
        return _filled(ask.vdot, self, other)

    def grad_self(grad, other):
        return aten.mul.call2(aten._conj(grad) if grad.dtype.is_complex else grad, other)

    def grad_other(grad, self):
        return aten.mul.call2(grad, self)


class Outer(Op):
    """Every element of one vector by every element of another."""

    schema = "outer(Tensor self, Tensor vec2) -> Tensor"
    variants = "method out"

    def body(self, vec2, out=None):
        for name, t in (("self", self), ("vec2", vec2)):
            if ndim_of(t) != 1:
                raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {ndim_of(t)}-D")
        column = aten.reshape(self, (numel_of(self), 1))
        return aten.mul.call2(column, vec2) if out is None else aten.mul(column, vec2, out=out)


class Ger(Op):
    """outer() by its old name."""

    schema = "ger(Tensor self, Tensor vec2) -> Tensor"
    variants = "method out"

    def body(self, vec2):
        return aten.outer.call2(self, vec2)

    def out(self, vec2, out):
        warn_user("torch.ger is deprecated and will be removed in a future PyTorch release. Use torch.outer instead.")
        return aten.outer(self, vec2, out=out)


def _addr_meta(self, vec1, vec2, beta, alpha):
    for name, t in (("vec1", vec1), ("vec2", vec2)):
        if ndim_of(t) != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {ndim_of(t)}-D")
    common = result_type(self, vec1, vec2)
    for name, value in (("beta", beta), ("alpha", alpha)):
        if common.category < dtypes.FLOATING and isinstance(value, complex):
            value = value.real
        if not isinstance(value, complex):
            check_kind(name, value, common)
    return rules.Spec((numel_of(vec1), numel_of(vec2)), common)


def _spread(self, vec1, vec2):
    """The summand in the result's shape, and the first vector as a column."""
    shape = (numel_of(vec1), numel_of(vec2))
    return self if shape_of(self) == shape else aten.expand(self, shape), aten.reshape(vec1, (shape[0], 1))


class Addr(Op):
    """beta * self + alpha * the outer product of two vectors."""

    schema = "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    meta = _addr_meta
    variants = "method inplace out"
    out_type = "castable"

    def body(self, vec1, vec2, beta, alpha):
        spec = _addr_meta(self, vec1, vec2, beta, alpha)
        summand, column = _spread(self, vec1, vec2)
        beta, alpha = [converted(number, spec.dtype) for number in (beta, alpha)]
        out = aten.empty(spec.shape, dtype=spec.dtype)
        run.add_outer(out, summand, column, vec2, beta, alpha, spec.dtype)
        return out

    def into(out, self, vec1, vec2, beta, alpha):
        common = result_type(self, vec1, vec2)
        summand, column = _spread(self, vec1, vec2)
        beta, alpha = [converted(number, common) for number in (beta, alpha)]
        run.add_outer(out, summand, column, vec2, beta, alpha, common)

    def inplace(self, vec1, vec2, beta, alpha):
        if ndim_of(self) != 2:
            raise RuntimeError(f"2D tensor expected, got {ndim_of(self)}D tensor for input")
        sizes = [list(shape_of(t)) for t in (self, vec1, vec2)]
        if sizes[0] != sizes[1] + sizes[2]:
            raise RuntimeError(f"size mismatch, input: {sizes[0]}, v1: {sizes[1]}, v2: {sizes[2]}")
        check_storable(result_type(self, vec1, vec2), self)
        return aten.addr(self, vec1, vec2, beta=beta, alpha=alpha, out=self)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_vec1(grad, vec2, alpha):
        return scaled(aten.mv.call2(grad, vec2), alpha)

    def grad_vec2(grad, vec1, alpha):
        return scaled(aten.mv.call2(aten.t.call1(grad), vec1), alpha)


_FILL = Fill.op  # called above, looked up once

"""Products of matrices and of batches of matrices.

Before BLAS is called, the result and each operand that lies as the result does lose a pending conjugate
(``resolve_conj``); an operand that lies the other way is passed transposed, and one that lies neither way is copied.
"""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core import strided
from ...core.device import contiguous_format
from ...core.tensor import Tensor, blank, shape_of
from ...devices import cpu as kernels
from ...devices.cpu.errstate import hush, silent, speak
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef import rules
from ...opdef.form import Op
from ...opdef.scalars import in_kernel_type
from ..create.copy import Copy
from ..view.permute import T
from ..view.view import Expand

NATIVE = {np.dtype(c) for c in "fdFD"}  # the types BLAS knows
SMALL = 400  # batches whose items cost fewer multiplications are not handed to BLAS, whatever their layout


class ResolveConj(Op):
    """The tensor with its conjugation carried out; nothing here is ever conjugated lazily."""

    schema = "resolve_conj(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        return self


class ResolveNeg(Op):
    """The tensor with its negation carried out; nothing here is ever negated lazily."""

    schema = "resolve_neg(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        return self


class Conj(Op):
    """The complex conjugate; a real tensor is its own. torch defers it, here it is carried out at once."""

    schema = "conj(Tensor(a) self) -> Tensor(a)"
    internal = "callers.py asks first whether there is anything to do"

    def body(self: Tensor):
        return aten.conj_physical(self) if self.dtype.category == dtypes.COMPLEX else self


class ConjPhysical(Op):
    """The complex conjugate, as new values."""

    schema = "conj_physical(Tensor self) -> Tensor"
    variants = "method"

    def body(self: Tensor):
        return aten._conj_physical(self) if self.dtype.category == dtypes.COMPLEX else self


class ConjPhysicalInner(Op):
    """What conj_physical does."""

    schema = "_conj_physical(Tensor self) -> Tensor"
    internal = "the inner half of conj_physical"

    def body(self: Tensor):
        return aten.conj_physical(self, out=aten.empty_like(self))

    def grad_self(grad):
        return aten.conj(grad)


class ConjPhysicalOut(Op):
    """The complex conjugate, into a given tensor."""

    schema = "conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    internal = "inside _conj_physical"
    below = "writes into a tensor"

    def body(self: Tensor, out):
        fit(out, self._mt_array.shape, self.dtype)
        np.conjugate(self._mt_array, out._mt_array)
        return out


def lies(array, fast, slow) -> bool:
    """Whether a matrix is stored with one dimension innermost and its rows (or columns) apart."""
    item = strided.itemsize(array)
    return strided.step(array, fast) == item and strided.step(array, slow) >= item * max(strided.extent(array, fast), 1)


def product(a, b, out):
    """a @ b of arrays into an array; half precision is computed in float32 and rounded once."""
    before = hush()
    try:
        if out.dtype in NATIVE and strided.is_contiguous(out) and strided.ndim(out) == 2:
            a.dot(b, out)
        elif out.dtype in NATIVE or out.dtype.kind in "iu":
            np.matmul(a, b, out)
        else:
            np.copyto(out, np.matmul(a.astype(np.float32), b.astype(np.float32)), casting="unsafe")
    finally:
        speak(before)


@silent
def accumulate(a, b, out, beta, alpha) -> None:
    """beta * out + alpha * (a @ b) into ``out``."""
    half = out.dtype not in NATIVE and out.dtype.kind not in "iu"
    if half:
        a, b = a.astype(np.float32), b.astype(np.float32)
    made = a.dot(b) if a.ndim == 2 else np.matmul(a, b)
    if alpha != 1:
        made *= alpha
    if beta == 0:
        np.copyto(out, made, casting="unsafe")
    elif half:
        np.copyto(out, out.astype(np.float32) * np.float32(beta) + made, casting="unsafe")
    else:
        if beta != 1:
            out *= beta
        if not half and out.flags.c_contiguous and out.dtype is made.dtype:
            kernels.pointwise.add(out, out, made)
        else:
            out += made


def gemm(out, mat1, mat2, beta=0, alpha=1) -> None:
    """One product, with BLAS's choice of which operand is passed transposed."""
    dispatcher.call(_RESOLVE_CONJ, (out,))
    array = out._mt_array
    rows, cols, item = strided.extent(array, 0), strided.extent(array, 1), strided.itemsize(array)
    into = out
    if strided.step(array, 0) == item and (cols == 1 or strided.step(array, 1) >= item * max(rows, 1)):
        fast = 0
    elif strided.step(array, 1) == item and (rows == 1 or strided.step(array, 0) >= item * max(cols, 1)):
        fast = 1
    else:
        fast = 0
        into = aten.transpose_(aten.contiguous(aten.transpose(out, 0, 1)), 0, 1)
    if fast:  # a row-major result is the column-major product of the operands in reverse
        mat2, mat1 = _operand(mat2, 1, 0), _operand(mat1, 1, 0)
    else:
        mat1, mat2 = _operand(mat1, 0, 1), _operand(mat2, 0, 1)
    if beta == 0 and alpha == 1:
        product(mat1._mt_array, mat2._mt_array, into._mt_array)
    elif beta == 1 and alpha == 1 and array.dtype in NATIVE and into is out and strided.is_contiguous(array):
        before = hush()
        try:
            made = mat1._mt_array.dot(mat2._mt_array)
        finally:
            speak(before)
        kernels.pointwise.add(array, array, made)
    else:
        accumulate(mat1._mt_array, mat2._mt_array, into._mt_array, beta, alpha)
    if into is not out:
        aten.copy_(out, into)


def _operand(t, fast, slow):
    if lies(t._mt_array, fast, slow):
        dispatcher.call(_RESOLVE_CONJ, (t,))
    elif not lies(t._mt_array, slow, fast):
        return aten.clone(t, memory_format=contiguous_format)
    return t


def fit(out, shape: tuple[int, ...], dtype) -> None:
    """Make an ``out=`` tensor ready for a product."""
    if out.dtype is not dtype:
        raise RuntimeError(f"Expected out tensor to have dtype {rules.c_name(dtype)}, but got "
                           f"{rules.c_name(out.dtype)} instead")
    resize_output(out, shape)


def apart(out, shape: tuple[int, ...], *operands):
    """The operands of a product; one that is resized to hold the result is copied first."""
    if out._mt_array.shape == shape:
        return operands
    return tuple([aten.clone(t) if t._mt_storage is out._mt_storage else t for t in operands])


def product_type(name: str, dtype) -> None:
    """Products of booleans do not exist."""
    if dtype is dtypes.bool_:
        raise NotImplementedError(f'"{name}" not implemented for \'Bool\'')


def is_column_major(t):
    """Whether a matrix is the transpose of a contiguous one; its gradient is then made in that layout too."""
    array = t._mt_array
    item = strided.itemsize(array)
    return strided.step(array, 0) == item and strided.step(array, 1) == item * strided.extent(array, 0)


def scaled(grad, factor):
    """grad * factor, without an op where the factor is one."""
    return grad if factor == 1 else aten.mul(grad, factor)


def transpose(t):
    return dispatcher.call(_T, (t,))


def multiply(a, b):
    return dispatcher.call(_MM, (a, b))


def grad_of_first(grad, mat1, mat2):
    """grad @ mat2^T, in mat1's layout."""
    if is_column_major(mat1):
        return transpose(multiply(mat2, transpose(grad)))
    return multiply(grad, transpose(mat2))


def grad_of_second(grad, mat1, mat2):
    """mat1^T @ grad, in mat2's layout."""
    if is_column_major(mat2):
        return transpose(multiply(transpose(grad), mat1))
    return multiply(transpose(mat1), grad)


def mm_into(out, self, mat2):
    """mm without its checks."""
    if strided.size(out._mt_array) == 0:
        return out
    if strided.extent(self._mt_array, 1) == 0:
        return aten.zero_(out)
    gemm(out, self, mat2)
    return out


def multiplies(mat1, mat2) -> bool:
    """Whether two tensors are matrices of one type whose product exists: the quick look before the full complaint."""
    a, b, dtype = shape_of(mat1), shape_of(mat2), mat1.dtype
    return len(a) == 2 and len(b) == 2 and a[1] == b[0] and dtype is mat2.dtype and dtype.category != dtypes.BOOL


def _mm_meta(self, mat2, *_):
    if multiplies(self, mat2):
        return None
    spec = rules.matmul_2d(self, mat2)
    if spec.shape[0] and spec.shape[1] and self._mt_array.size:
        product_type("addmm_impl_cpu_", self.dtype)
    return spec


class Mm(Op):
    """Product of two matrices."""

    schema = "mm(Tensor self, Tensor mat2) -> Tensor"
    meta = _mm_meta
    variants = "method"

    def body(self: Tensor, mat2: Tensor):
        return mm_into(blank((shape_of(self)[0], shape_of(mat2)[1]), self.dtype), self, mat2)

    def grad_self(grad, self, mat2):
        return grad_of_first(grad, self, mat2)

    def grad_mat2(grad, self, mat2):
        return grad_of_second(grad, self, mat2)


class MmOut(Op):
    """Product of two matrices, into a given tensor."""

    schema = "mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "shares_inputs"
    meta = _mm_meta
    below = "writes into a tensor"

    def body(self: Tensor, mat2, out):
        shape = (self._mt_array.shape[0], mat2._mt_array.shape[1])
        first, second = apart(out, shape, self, mat2)
        fit(out, shape, self.dtype)
        return mm_into(out, first, second)


def _addmm_meta(self, mat1, mat2, *_):
    if multiplies(mat1, mat2) and self.dtype is mat1.dtype:
        return None
    for name, t in (("mat1", mat1), ("mat2", mat2)):
        if len(t._mt_array.shape) != 2:
            raise RuntimeError(f"{name} must be a matrix, got {len(t._mt_array.shape)}-D tensor")
    for name, t in (("self", self), ("mat1", mat1)):
        if t.dtype is not mat2.dtype:
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {t.dtype.short} and "
                               f"{mat2.dtype.short}")
    a, b = mat1._mt_array.shape, mat2._mt_array.shape
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")
    if a[0] and a[1] and b[1]:
        product_type("addmm_impl_cpu_", self.dtype)
    return rules.Spec((a[0], b[1]), self.dtype)


def addmm_into(out, self, mat1, mat2, beta, alpha):
    """addmm without its checks: the summand is copied first, the product added to it."""
    if alpha != 1 or beta != 1:
        alpha, beta = in_kernel_type(alpha, out.dtype), in_kernel_type(beta, out.dtype)
    array, shape = out._mt_array, shape_of(out)
    if shape_of(self) != shape:
        self = dispatcher.call(_EXPAND, (self, shape, False))
    if strided.size(array) == 0:
        return out
    if beta != 0 and self is not out:
        dispatcher.call(_COPY, (out, self, False))
    if strided.extent(mat1._mt_array, 1) == 0:
        return aten.zero_(out) if beta == 0 else aten.mul_(out, beta)
    gemm(out, mat1, mat2, beta, alpha)
    return out


class Addmm(Op):
    """beta * self + alpha * (mat1 @ mat2)."""

    schema = "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    overlap = "shares_inputs"
    meta = _addmm_meta
    variants = "method inplace"

    def body(self: Tensor, mat1: Tensor, mat2: Tensor, beta, alpha):
        out = blank((shape_of(mat1)[0], shape_of(mat2)[1]), self.dtype)
        return addmm_into(out, self, mat1, mat2, beta, alpha)

    def inplace(self: Tensor, mat1, mat2, beta, alpha):
        shape = (mat1._mt_array.shape[0], mat2._mt_array.shape[1])
        if self._mt_array.shape != shape:
            raise RuntimeError(f"Bad in-place call: input tensor size {list(self._mt_array.shape)} and output tensor "
                               f"size {list(shape)} should match")
        return addmm_into(self, self, mat1, mat2, beta, alpha)

    def grad_self(grad, beta):
        return scaled(grad, beta)

    def grad_mat1(grad, mat1, mat2, alpha):
        return scaled(grad_of_first(grad, mat1, mat2), alpha)

    def grad_mat2(grad, mat1, mat2, alpha):
        return scaled(grad_of_second(grad, mat1, mat2), alpha)


class AddmmOut(Op):
    """beta * self + alpha * (mat1 @ mat2), into a given tensor."""

    schema = ("addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
              "-> Tensor(a!)")
    overlap = "shares_inputs"
    meta = _addmm_meta
    below = "writes into a tensor"

    def body(self: Tensor, mat1, mat2, beta, alpha, out):
        shape = (mat1._mt_array.shape[0], mat2._mt_array.shape[1])
        summand, first, second = apart(out, shape, self, mat1, mat2)
        fit(out, shape, self.dtype)
        return addmm_into(out, summand, first, second, beta, alpha)


# The ops called above, looked up once.
_COPY = Copy.op
_EXPAND = Expand.op
_MM = Mm.op
_RESOLVE_CONJ = ResolveConj.op
_T = T.op

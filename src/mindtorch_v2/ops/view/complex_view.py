# cython: annotation_typing=False
"""Views that read the same bytes as another type: complex numbers as pairs, and one type as another."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.fields import set_data
from ...core.pending import is_conj
from ...core.strided import make_window
from ...core.tensor import offset_of, shape_of, share_storage
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.not_differentiable import no_complex_gradient


def retyped(self, dtype, shape, strides, offset: int):
    """A tensor of another type over the same storage; strides and offset count elements of that type."""
    storage = self._mt_storage
    array = make_window(storage.owner, dtype.numpy, tuple(shape), tuple(strides), offset, storage.nbytes)
    view = share_storage(self, array)
    set_data(view, storage, array, dtype)
    return view


class ViewAsReal(Op):
    """Complex numbers as pairs of real ones."""

    schema = "view_as_real(Tensor(a) self) -> Tensor(a)"

    def view(self):
        if not self.is_complex():
            raise RuntimeError("view_as_real is only supported for complex tensors")
        return retyped(self, self.dtype.to_real(), (*shape_of(self), 2), (*[2 * s for s in self.stride()], 1),
                       2 * offset_of(self))

    def grad_self(grad):
        return aten.view_as_complex(aten.contiguous(grad) if not _pairs(grad) else grad)


def _pairs(self) -> bool:
    """Whether real numbers lie in pairs, so that each pair is a complex number."""
    return self.stride()[-1] == 1 and not any([s % 2 for s in self.stride()[:-1]]) and not offset_of(self) % 2


class ViewAsComplex(Op):
    """Pairs of real numbers as complex ones."""

    schema = "view_as_complex(Tensor(a) self) -> Tensor(a)"

    def view(self):
        if self.dtype.name not in ("float32", "float64", "float16"):
            raise RuntimeError("view_as_complex is only supported for half, float and double tensors, but got a "
                               "tensor of "
                               f"scalar type: {self.dtype.short}")
        if not self.dim():
            raise RuntimeError("Input tensor must have one or more dimensions")
        if shape_of(self)[-1] != 2:
            raise RuntimeError("Tensor must have a last dimension of size 2")
        strides = self.stride()
        if strides[-1] != 1:
            raise RuntimeError("Tensor must have a last dimension with stride 1")
        if any([s % 2 for s, size in zip(strides[:-1], shape_of(self)) if size > 1]):
            raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
        if offset_of(self) % 2:
            raise RuntimeError("Tensor must have a storage_offset divisible by 2")
        return retyped(self, self.dtype.to_complex(), shape_of(self)[:-1], tuple([s // 2 for s in strides[:-1]]),
                       offset_of(self) // 2)

    def grad_self(grad):
        return aten.view_as_real(aten.resolve_conj(grad))


class ViewAsComplexCopy(Op):
    """A copy of pairs of real numbers as complex ones; torch does not differentiate it."""

    schema = "view_as_complex_copy(Tensor self) -> Tensor"
    below = "torch refuses to differentiate it"

    def body(self):
        no_complex_gradient("view_as_complex_copy", self)
        return aten.clone(aten.view_as_complex(self), memory_format=contiguous_format)


class Real(Op):
    """The real parts, as a view."""

    schema = "real(Tensor(a) self) -> Tensor(a)"

    def body(self):
        if not self.is_complex():
            return self
        return aten.select(aten.view_as_real(aten._conj(self) if is_conj(self) else self), -1, 0)


class Imag(Op):
    """The imaginary parts, as a view."""

    schema = "imag(Tensor(a) self) -> Tensor(a)"

    def body(self):
        if not self.is_complex():
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
        if not is_conj(self):
            return aten.select(aten.view_as_real(self), -1, 1)
        return aten.select(aten._neg_view(aten.view_as_real(aten._conj(self))), -1, 1)


class ConjPhysicalInPlace(Op):
    """The complex conjugate, in the place of self."""

    schema = "conj_physical_(Tensor(a!) self) -> Tensor(a!)"
    variants = "method"
    node = "ConjPhysicalBackward1"
    conjugate = False

    def body(self):
        if self.dtype.is_complex:
            run.conj_physical(self, self)
        return self

    def grad_self(grad):
        return aten.conj_physical(grad)


class ViewDtype(Op):
    """The same bytes as numbers of another type."""

    schema = "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"
    variants = "method"

    def view(self, dtype):
        shape, strides, offset = shape_of(self), self.stride(), offset_of(self)
        have, want = self.dtype.itemsize, dtype.itemsize
        if have == want:
            return retyped(self, dtype, shape, strides, offset)
        if not shape:
            raise RuntimeError(f"self.dim() cannot be 0 to view {self.dtype.short} as {dtype.short} (different element "
                               "sizes)")
        if strides[-1] != 1:
            raise RuntimeError(f"self.stride(-1) must be 1 to view {self.dtype.short} as {dtype.short} (different "
                               "element "
                               f"sizes), but got {strides[-1]}")
        if have > want:
            n = have // want
            return retyped(self, dtype, (*shape[:-1], shape[-1] * n), (*[s * n for s in strides[:-1]], 1), offset * n)
        n = want // have
        if shape[-1] % n:
            raise RuntimeError(f"self.size(-1) must be divisible by {n} to view {self.dtype.short} as {dtype.short} "
                               f"(different element sizes), but got {shape[-1]}")
        if offset % n:
            raise RuntimeError(f"self.storage_offset() must be divisible by {n} to view {self.dtype.short} as "
                               f"{dtype.short} (different element sizes), but got {offset}")
        for i, s in enumerate(strides[:-1]):
            if s % n:
                raise RuntimeError(f"self.stride({i}) must be divisible by {n} to view {self.dtype.short} as "
                                   f"{dtype.short} "
                                   f"(different element sizes), but got {s}")
        return retyped(self, dtype, (*shape[:-1], shape[-1] // n), (*[s // n for s in strides[:-1]], 1), offset // n)

# cython: annotation_typing=False
"""Sharing memory with NumPy, and with anything else that speaks DLPack."""

from __future__ import annotations

import enum

import numpy as np

from ...core import dtype as dtypes
from ...core.device import CPU, strided
from ...core.kinds import check_single
from ...core.modes import is_grad_enabled
from ...core.pending import is_conj, is_neg
from ...core.slots import Work
from ...core.sparse import is_sparse, layout_word
from ...core.storage import fix
from ...core.strided import make_lent
from ...core.tensor import Tensor, add_attribute, alias_of, foreign_tensor, place_of
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call, is_unobserved
from ...dispatch.python_dispatch import is_opaque
from ...opdef.form import Op
from ..create.copy import Detach
from ..create.to import ToDtypeLayout
from .construct import from_numpy


class DLDeviceType(enum.IntEnum):
    """The kinds of device that DLPack numbers."""

    kDLCPU = 1  # noqa: N815  DLPack's name


class IsPinned(Op):
    """Whether the memory is locked for a device: never here."""

    schema = "is_pinned(Tensor self, Device? device=None) -> bool"
    variants = "method"
    below = "answers a question"

    def body(self, device):
        return False


def pin_memory(self: Tensor, device=None) -> Tensor:
    """Refused, as torch refuses it without a device."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


SHARED_RARE = ("UInt16", "UInt32", "UInt64")  # the rare types that are NumPy's own


class Writable:
    """An array's memory, to be written."""

    def __init__(self, array: np.ndarray):
        self.array = array
        address, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (address, False)}


def lend(tensor: Tensor) -> np.ndarray:
    """A NumPy array on a tensor's memory."""
    if tensor.dtype is dtypes.bfloat16 or tensor.dtype.rare and tensor.dtype.short not in SHARED_RARE:
        raise TypeError(f"Got unsupported ScalarType {tensor.dtype.short}")
    fix(tensor._mt_storage)
    return make_lent(tensor._mt_array, tensor)


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """The tensor as a NumPy array on the same memory; ``force`` also takes one that requires a gradient."""
    if is_opaque(self):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")
    check_single(self)
    if is_sparse(self):
        raise TypeError(f"can't convert {layout_word(self)} layout tensor to numpy. Use Tensor.to_dense() first.")
    if not (force or self.is_cpu):
        raise TypeError(f"can't convert {place_of(self)} device type tensor to numpy. Use Tensor.cpu() to copy the "
                        "tensor to host memory first.")
    if self._mt_requires and is_grad_enabled() and not force:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if not force:
        for bit, resolve, is_set in (("conjugate", "conj", is_conj(self)), ("negative", "neg", is_neg(self))):
            if is_set:
                raise RuntimeError(f"Can't call numpy() on Tensor that has {bit} bit set. Use "
                                   f"tensor.resolve_{resolve}().numpy() instead.")
    if is_unobserved() and self.is_cpu:
        return lend(alias_of(self))
    tensor = call(Detach.op, (self,))
    tensor = call(ToDtypeLayout.op, (tensor, tensor.dtype, strided, CPU, None, False, False, None))
    return lend(aten.resolve_neg(aten.resolve_conj(tensor)))


def array(self: Tensor, dtype=None, copy: bool | None = None) -> np.ndarray:
    """What numpy.asarray() and numpy.array() ask for."""
    values = numpy(self)
    if dtype is not None and values.dtype != dtype:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return values.astype(dtype)
    return values.copy() if copy else values


def array_wrap(self: Tensor, array: np.ndarray, context=None, return_scalar: bool = False) -> Tensor:
    """The result of a NumPy function on tensors is a tensor again; torch makes bytes of its booleans."""
    array = np.asarray(array)
    return from_numpy(array.astype(np.uint8) if array.dtype == np.bool_ else array)


def dlpack(self: Tensor, *, stream=None, max_version=None, dl_device=None, copy: bool | None = None):
    """A DLPack capsule of the tensor's memory."""
    if self._mt_requires:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if is_conj(self):
        raise BufferError("Can't export tensors with the conjugate bit set")
    if self.layout is not strided:
        raise BufferError("Can't export tensors with layout other than torch.strided")
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if self.is_meta:
        raise BufferError("Cannot pack tensors on meta")
    if stream is not None and stream != -1:
        raise AssertionError("stream should be None on cpu.")
    return lend(self).__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)


def dlpack_device(self: Tensor) -> tuple[int, int]:
    """The device as DLPack numbers it."""
    call(IsPinned.op, (self, None))
    return DLDeviceType.kDLCPU, 0


class Capsule:
    """A bare DLPack capsule, as an object that can be asked for it."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLDeviceType.kDLCPU, 0


def from_dlpack(ext_tensor, *, device=None, copy: bool | None = None) -> Tensor:
    """A tensor on the memory of another library's array, or of a DLPack capsule."""
    source = ext_tensor if hasattr(ext_tensor, "__dlpack__") else Capsule(ext_tensor)
    place, _ = source.__dlpack_device__()
    if place != DLDeviceType.kDLCPU:
        raise RuntimeError(f"mindtorch_v2 holds tensors on the CPU only, got DLPack device type {place}")
    values = np.from_dlpack(source) if copy is None else np.from_dlpack(source, copy=copy)
    if not values.flags.writeable:  # of an older capsule, NumPy does not know whether it may be written; torch writes
        values = np.asarray(Writable(values))
    return foreign_tensor(values, dtypes.of_numpy(values.dtype))


def to_dlpack(tensor: Tensor):
    """A DLPack capsule of a tensor's memory."""
    return dlpack(tensor)


def equal_to_array(self: Tensor, other) -> Tensor:
    """What == makes of an array of numbers; nothing else is compared with a tensor."""
    if not isinstance(other, np.ndarray) or other.dtype.kind not in "biufc":
        return NotImplemented
    return aten.eq(self, from_numpy(other))


Work.equal_to_array, Work.from_dlpack = equal_to_array, from_dlpack
for _name, _method in {"numpy": numpy, "__array__": array, "__array_wrap__": array_wrap, "__array_priority__": 1000,
                       "__dlpack__": dlpack, "__dlpack_device__": dlpack_device, "pin_memory": pin_memory}.items():
    add_attribute(_name, _method)

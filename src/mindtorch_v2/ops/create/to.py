# cython: annotation_typing=False
"""Tensor.to and its short names: another type, another layout, or the tensor itself where it fits already."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import CPU, as_device, contiguous_format, device, is_cpu, memory_format, preserve_format, strided
from ...core.device import memory_format as MemoryFormat  # noqa: N812  a parameter has torch's name
from ...core.sparse import is_coo
from ...core.tensor import Tensor, add_attribute, is_in_order, place_of, shape_of
from ...dispatch import errors
from ...dispatch.dispatcher import call
from ...opdef.form import Op
from ..shared.memory_format import suggested_format
from .copy import Contiguous, ToCopy, ToDtype
from .factories import check_rank

_PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_, complex: dtypes.complex128}


def as_dtype(value) -> dtypes.DType | None:
    """A type from torch's or Python's name for it, or None if it is no type."""
    return value if isinstance(value, dtypes.DType) else _PYTHON_TYPES.get(value) if isinstance(value, type) else None


def _fits(self, dtype, device, copy, memory_format) -> bool:
    """Whether a tensor may be handed back as it is."""
    if copy or dtype is not self.dtype:
        return False
    place = place_of(self)
    return (device is None or device is place or device == place) and (
        memory_format is None or memory_format is preserve_format or memory_format is suggested_format(self))


class ToDevice(Op):
    """The tensor on a device and in a type."""

    schema = ("to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
              "MemoryFormat? memory_format=None) -> Tensor(a)")

    def body(self, device, dtype, non_blocking, copy, memory_format):
        if _fits(self, dtype, device, copy, memory_format):
            return self
        return call(_TO_COPY, (self, dtype, None, device, None, non_blocking, memory_format))


class ToDtypeLayout(Op):
    """The tensor by whatever options are given."""

    schema = ("to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) "
              "-> Tensor(a)")

    def body(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format):
        if _fits(self, dtype or self.dtype, device, copy, memory_format):
            return self
        return call(_TO_COPY, (self, dtype, layout, device, pin_memory, non_blocking, memory_format))


class ToOther(Op):
    """The tensor on the device and in the type of another."""

    schema = ("to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
              "MemoryFormat? memory_format=None) -> Tensor(a)")

    def body(self, other, non_blocking, copy, memory_format):
        place = place_of(other)
        if _fits(self, other.dtype, place, copy, memory_format):
            return self
        return call(_TO_COPY, (self, other.dtype, strided, place, None, non_blocking, memory_format))


class TypeAs(Op):
    """The tensor in the type of another."""

    schema = "type_as(Tensor self, Tensor other) -> Tensor"
    variants = "method"

    def body(self, other):
        return call(_TO_DTYPE_LAYOUT, (self, other.dtype, strided, place_of(other), None, False, False, None))


def to(self: Tensor, *args, **kwargs) -> Tensor:
    """The tensor in another type, on another device, like another tensor, or in another memory format."""
    if len(args) == 1 and not kwargs and isinstance(args[0], dtypes.DType):
        return call(_TO_DTYPE, (self, args[0], False, False, None))
    if len(args) == 1 and not kwargs and is_cpu(args[0]):
        return call(_TO_DTYPE_LAYOUT, (self, self.dtype, strided, CPU, None, False, False, None))
    place, dtype, non_blocking, copy, form = read_to_arguments(self, args, kwargs)
    if place is None and dtype is None and not copy and form is None:
        return self
    if dtype is None:
        return call(_TO_DTYPE_LAYOUT, (self, self.dtype, strided, place or place_of(self), None, non_blocking, copy,
                                       form))
    if place is None:
        return call(_TO_DTYPE, (self, dtype, non_blocking, copy, form))
    return call(_TO_DEVICE, (self, place, dtype, non_blocking, copy, form))


def read_to_arguments(self: Tensor, args, kwargs):
    """Device, type, non_blocking, copy and memory format, out of any of the three signatures of ``to``."""
    rest, given = list(args), dict(kwargs)
    place = dtype = None
    if rest and isinstance(rest[0], Tensor):
        example = rest.pop(0)
        place, dtype = place_of(example), example.dtype
    elif rest and as_dtype(rest[0]) is not None:
        dtype = rest.pop(0)
    else:
        place = rest.pop(0) if rest else given.pop("device", None)
        dtype = rest.pop(0) if rest and not isinstance(rest[0], bool) else given.pop("dtype", None)
    flags = [rest.pop(0) if rest else given.pop(name, False) for name in ("non_blocking", "copy")]
    form = given.pop("memory_format", None)
    if isinstance(place, int) and not isinstance(place, bool):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    fits = (isinstance(place, (str, device, type(None))) and (dtype is None or as_dtype(dtype) is not None)
            and all(isinstance(f, bool) for f in flags) and isinstance(form, (memory_format, type(None))))
    if not fits or rest or given:
        raise errors.no_match("to", [ToDevice.op, ToDtype.op, ToOther.op], args, kwargs)
    return None if place is None else as_device(place), as_dtype(dtype), *flags, form


def _cast(name: str, dtype: dtypes.DType):
    """A method such as ``x.double()``."""
    def method(self: Tensor, *, memory_format=None) -> Tensor:
        return call(_TO_DTYPE, (self, dtype, False, False, memory_format))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The tensor as {dtype!r}."
    return method


CASTS = {"float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
         "int": dtypes.int32, "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
         "bool": dtypes.bool_, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128}


def cpu(self: Tensor, memory_format=None) -> Tensor:
    """The tensor on the CPU: itself if it is there."""
    return call(_TO_DTYPE_LAYOUT, (self, self.dtype, strided, CPU, None, False, False, memory_format))


def contiguous(self: Tensor, *, memory_format=contiguous_format) -> Tensor:
    """The tensor itself if its memory is in order, which leaves no row, else a copy that is."""
    if memory_format is contiguous_format and self._mt_kind is None and is_in_order(self):
        return self
    if is_coo(self):
        raise RuntimeError("unsupported memory format option Contiguous")
    if memory_format is not contiguous_format:
        if not isinstance(memory_format, MemoryFormat):
            raise TypeError("contiguous(): argument 'memory_format' must be torch.memory_format, not "
                            + type(memory_format).__name__)
        if memory_format is preserve_format and not self.is_contiguous():
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        check_rank(shape_of(self), memory_format)
    return self if self.is_contiguous(memory_format) else call(_CONTIGUOUS, (self, memory_format))


def cuda(self: Tensor, device=None, non_blocking=False, memory_format=None) -> Tensor:
    """Refused: there is no CUDA here."""
    raise AssertionError("Torch not compiled with CUDA enabled")


for _name, _type in CASTS.items():
    add_attribute(_name, _cast(_name, _type))
for _method in (to, cpu, contiguous, cuda):
    add_attribute(_method.__name__, _method)
add_attribute("is_cuda", False)
add_attribute("is_nested", False)
add_attribute("is_cpu", property(lambda self: place_of(self).type == "cpu"))


# The ops called above, looked up once.
_CONTIGUOUS = Contiguous.op
_TO_COPY = ToCopy.op
_TO_DEVICE = ToDevice.op
_TO_DTYPE = ToDtype.op
_TO_DTYPE_LAYOUT = ToDtypeLayout.op

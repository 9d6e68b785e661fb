"""The tensor: an array, the storage it looks at, and its place in the autograd graph.

Everything that computes stands in ops/ and is installed here by dispatch/; this class only describes.
"""

from __future__ import annotations

import numpy as np

from . import modes, operator_slots, strided
from .device import BACKENDS, CPU, PLACES
from .device import strided as strided_layout
from .dtype import DType
from .geometry import existing_dim
from .size import Size
from .slots import Work
from .storage import Version, hold

_last_identity = 0
NOTHING = np.empty(0, np.float32)
NOTHING.flags.writeable = False


class Tensor:
    """A multi-dimensional array with torch's interface."""

    def __cinit__(self):
        self._mt_array = NOTHING  # compiled code reads it without asking, whatever becomes of __init__

    def __init__(self, *args, **kwargs):
        if self._mt_storage is None:  # Tensor(2, 3), the old constructor; everything else is made without calling this
            operator_slots.operators.construct(self, args, kwargs)

    @property
    def __class__(self):
        return type(self)

    @__class__.setter
    def __class__(self, cls):
        _CLASS.__set__(self, cls)
        self._mt_asked = Asked() if type(self)._mt_is_asked else None

    # -- geometry ------------------------------------------------------------------------------------------------

    @property
    def shape(self):
        return answer(self, "shape") if is_asked(self) else strided.shape_as(Size, self._mt_array)

    @property
    def ndim(self):
        return answer(self, "ndim") if is_asked(self) else strided.ndim(self._mt_array)

    @property
    def device(self):
        return answer(self, "device") if is_asked(self) else place_of(self)

    @property
    def layout(self):
        if is_asked(self):
            return answer(self, "layout")
        return strided_layout if self._mt_kind is None else self._mt_kind.layout

    @property
    def itemsize(self):
        return answer(self, "itemsize") if is_asked(self) else self.dtype.itemsize

    @property
    def nbytes(self):
        if is_asked(self):
            return answer(self, "nbytes")
        if self._mt_kind is not None:
            self._mt_kind.check_memory("nbytes")
        return self._mt_array.size * self.dtype.itemsize

    @property
    def is_leaf(self):
        return answer(self, "is_leaf") if is_asked(self) else self.grad_fn is None

    @property
    def _version(self):
        if is_asked(self):
            return answer(self, "_version")
        if self._mt_inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return 0 if self._mt_version is None else self._mt_version.count

    @property
    def _base(self):
        return answer(self, "_base") if is_asked(self) else self._mt_base

    def dim(self):
        return answer(self, "dim") if is_asked(self) else strided.ndim(self._mt_array)

    ndimension = dim

    def size(self, dim=None):
        if is_asked(self):
            return answer(self, "size") if dim is None else answer(self, "size", dim)
        if dim is None:
            return strided.shape_as(Size, self._mt_array)
        return self._mt_array.shape[existing_dim(dim, strided.ndim(self._mt_array))]

    def stride(self, dim=None):
        if is_asked(self):
            return answer(self, "stride") if dim is None else answer(self, "stride", dim)
        if self._mt_kind is not None:
            self._mt_kind.check_memory("stride")
        strides = strided.strides(self._mt_array)
        return strides if dim is None else strides[existing_dim(dim, len(strides))]

    def numel(self):
        return answer(self, "numel") if is_asked(self) else self._mt_array.size

    nelement = numel

    def element_size(self):
        return answer(self, "element_size") if is_asked(self) else self.dtype.itemsize

    def storage_offset(self):
        return answer(self, "storage_offset") if is_asked(self) else offset_of(self)

    def data_ptr(self):
        if is_asked(self):
            return answer(self, "data_ptr")
        if self._mt_kind is not None:
            self._mt_kind.check_memory("data_ptr")
        return strided.address(self._mt_array) if self._mt_array.size and not self.is_meta else 0

    def is_contiguous(self, memory_format=None):
        if is_asked(self):
            given = () if memory_format is None else (memory_format,)
            return answer(self, "is_contiguous", *given)
        if self._mt_kind is not None:
            self._mt_kind.check_memory("is_contiguous")
        if memory_format is not None and memory_format.name.startswith("channels_last"):
            if self._mt_kind is not None and not modes.current().inside:
                self._mt_kind.check_format()
            return _is_channels_last(self._mt_array.shape, strided.strides(self._mt_array))
        return strided.is_contiguous(self._mt_array)

    def is_floating_point(self):
        return answer(self, "is_floating_point") if is_asked(self) else self.dtype.category == 2

    def is_complex(self):
        return answer(self, "is_complex") if is_asked(self) else self.dtype.category == 3

    def is_signed(self):
        return answer(self, "is_signed") if is_asked(self) else self.dtype.is_signed

    def is_inference(self):
        return answer(self, "is_inference") if is_asked(self) else self._mt_inference

    @property
    def is_meta(self):
        return answer(self, "is_meta") if is_asked(self) else place_of(self).type == "meta"

    def get_device(self):
        return answer(self, "get_device") if is_asked(self) else index_of(place_of(self))

    # -- operator signs: each calls what ops/ bound to it -----------------------------------------------------------
    # Python asks the reflected sign of a compiled type's subclass on the right (x * parameter) before the plain one.

    def __add__(self, other):
        return operator_slots.operators.add.call2(self, other)

    def __radd__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.add.call2(other, self)
        return operator_slots.operators.add.call2(self, other)

    def __sub__(self, other):
        return operator_slots.operators.sub.call2(self, other)

    def __rsub__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.sub.call2(other, self)
        if is_asked(self):
            return answer(self, "__rsub__", other)
        return operator_slots.operators.rsub.call2(self, other)

    def __mul__(self, other):
        return operator_slots.operators.mul.call2(self, other)

    def __rmul__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.mul.call2(other, self)
        return operator_slots.operators.mul.call2(self, other)

    def __truediv__(self, other):
        return operator_slots.operators.div.call2(self, other)

    def __floordiv__(self, other):
        if is_asked(self):
            return answer(self, "__floordiv__", other)
        return operator_slots.operators.floor_divide.call2(self, other)

    def __mod__(self, other):
        return operator_slots.operators.remainder.call2(self, other)

    def __matmul__(self, other):
        return operator_slots.operators.matmul.call2(self, other)

    def __rmatmul__(self, other):
        return operator_slots.operators.matmul.call2(other, self)

    def __and__(self, other):
        return operator_slots.operators.and_.call2(self, other)

    def __rand__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.and_.call2(other, self)
        return operator_slots.operators.rand.call2(other, self)

    def __or__(self, other):
        return operator_slots.operators.or_.call2(self, other)

    def __ror__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.or_.call2(other, self)
        return operator_slots.operators.ror.call2(other, self)

    def __xor__(self, other):
        return operator_slots.operators.xor.call2(self, other)

    def __rxor__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.xor.call2(other, self)
        return operator_slots.operators.rxor.call2(other, self)

    def __lshift__(self, other):
        return operator_slots.operators.lshift.call2(self, other)

    def __rshift__(self, other):
        return operator_slots.operators.rshift.call2(self, other)

    def __rlshift__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.lshift.call2(other, self)
        if is_asked(self):
            return answer(self, "__rlshift__", other)
        return operator_slots.operators.rlshift.call2(other, self)

    def __rrshift__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.rshift.call2(other, self)
        if is_asked(self):
            return answer(self, "__rrshift__", other)
        return operator_slots.operators.rrshift.call2(other, self)

    def __ilshift__(self, other):
        return operator_slots.operators.ilshift.call2(self, other)

    def __irshift__(self, other):
        return operator_slots.operators.irshift.call2(self, other)

    def __iadd__(self, other):
        return operator_slots.operators.iadd.call2(self, other)

    def __isub__(self, other):
        return operator_slots.operators.isub.call2(self, other)

    def __imul__(self, other):
        return operator_slots.operators.imul.call2(self, other)

    def __itruediv__(self, other):
        return operator_slots.operators.idiv.call2(self, other)

    def __ifloordiv__(self, other):
        return operator_slots.operators.ifloordiv.call2(self, other)

    def __imod__(self, other):
        return operator_slots.operators.imod.call2(self, other)

    def __iand__(self, other):
        return operator_slots.operators.iand.call2(self, other)

    def __ior__(self, other):
        return operator_slots.operators.ior.call2(self, other)

    def __ixor__(self, other):
        return operator_slots.operators.ixor.call2(self, other)

    def __eq__(self, other):
        if is_asked(self):
            return answer(self, "__eq__", other)
        equal = operator_slots.operators.eq.call2(self, other)
        return Work.equal_to_array(self, other) if equal is NotImplemented else equal

    def __ne__(self, other):
        return operator_slots.operators.ne.call2(self, other)

    def __lt__(self, other):
        return operator_slots.operators.lt.call2(self, other)

    def __le__(self, other):
        return operator_slots.operators.le.call2(self, other)

    def __gt__(self, other):
        return operator_slots.operators.gt.call2(self, other)

    def __ge__(self, other):
        return operator_slots.operators.ge.call2(self, other)

    def __pow__(self, other, modulo=None):
        return operator_slots.operators.pow.call2(self, other)

    def __rpow__(self, other, modulo=None):
        if is_asked(self):
            return answer(self, "__rpow__", other)
        return operator_slots.operators.pow.call2(other, self)

    def __ipow__(self, other):
        return operator_slots.operators.ipow.call2(self, other)

    def __rtruediv__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.div.call2(other, self)
        if is_asked(self):
            return answer(self, "__rtruediv__", other)
        return operator_slots.operators.rtruediv(self, other)

    def __rfloordiv__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.floor_divide.call2(other, self)
        if is_asked(self):
            return answer(self, "__rfloordiv__", other)
        return operator_slots.operators.rfloordiv(self, other)

    def __rmod__(self, other):
        if isinstance(other, Tensor):
            return operator_slots.operators.remainder.call2(other, self)
        if is_asked(self):
            return answer(self, "__rmod__", other)
        return operator_slots.operators.rmod(self, other)

    def __neg__(self):
        return operator_slots.operators.neg.call1(self)

    def __pos__(self):
        return operator_slots.operators.positive.call1(self)

    def __abs__(self):
        return operator_slots.operators.absolute.call1(self)

    def __invert__(self):
        if is_asked(self):
            return answer(self, "__invert__")
        if self.dtype.category > 1:
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return operator_slots.operators.invert.call1(self)

    def __hash__(self):
        return id(self)

    # -- as a container and as a number ------------------------------------------------------------------------------

    def __getitem__(self, key):
        if modes.overrides:
            return operator_slots.operators.ask_getitem(self, key)
        return operator_slots.operators.getitem(self, key)

    def __delitem__(self, key):
        raise TypeError("Tensor does not support deleting items")

    def __setitem__(self, key, value):
        if modes.overrides:
            operator_slots.operators.ask_setitem(self, key, value)
        else:
            operator_slots.operators.setitem(self, key, value)

    def __len__(self):
        return answer(self, "__len__") if is_asked(self) else operator_slots.operators.length(self)

    def __iter__(self):
        return operator_slots.operators.iterate(self)

    def __contains__(self, item):
        if is_asked(self):
            return answer(self, "__contains__", item)
        return operator_slots.operators.contains(self, item)

    def __bool__(self):
        return answer(self, "__bool__") if is_asked(self) else operator_slots.operators.to_bool(self)

    def __float__(self):
        return answer(self, "__float__") if is_asked(self) else operator_slots.operators.to_float(self)

    def __int__(self):
        return answer(self, "__int__") if is_asked(self) else operator_slots.operators.to_int(self)

    def __index__(self):
        return answer(self, "__index__") if is_asked(self) else operator_slots.operators.to_index(self)

    def __complex__(self):
        return answer(self, "__complex__") if is_asked(self) else operator_slots.operators.to_complex(self)

    def __repr__(self):
        return answer(self, "__repr__") if is_asked(self) else operator_slots.operators.text(self)


# What a tensor holds, beside the C fields of tensor.pxd: the defaults of the uncompiled class.
# Any other name is free for users; torch's own names stand as they are.
_FIELDS = {"_mt_array": None, "_mt_storage": None, "dtype": None, "_mt_version": None, "_mt_base": None,
           "_mt_requires": False, "grad_fn": None, "output_nr": 0, "_mt_grad": None, "_mt_accumulator": None,
           "_mt_hooks": None, "_mt_is_number": False, "_mt_inference": False, "_mt_retains": False, "_mt_view_kind": 0,
           "_mt_view_version": 0, "_mt_identity": 0, "_mt_kind": None, "_mt_tangents": None, "_mt_asked": None,
           "_mt_is_asked": False}

for _name, _value in _FIELDS.items():
    if not hasattr(Tensor, _name):
        setattr(Tensor, _name, _value)


_IS_COMPILED = not __file__.endswith(".py")
_CLASS = object.__dict__["__class__"]
_allocate = Tensor.__new__


class Asked:
    """Held by each tensor whose class is asked before functions or ops run: while there are any, calls look closer."""

    def __init__(self):
        modes.watch(1)

    def __del__(self):
        modes.watch(-1)


def bare(cls):
    """A tensor of any class, with nothing in it yet."""
    tensor = _allocate(cls)
    if cls._mt_is_asked:
        tensor._mt_asked = Asked()
    return tensor


def _new(cls, *args, **kwargs):
    """``Tensor.__new__`` as Python calls it: the old constructor, so that nobody sees a tensor without an array."""
    tensor = bare(cls)
    if cls is not Tensor or _IS_COMPILED:  # uncompiled, the functions below come here too
        operator_slots.operators.construct(tensor, args, kwargs)
    return tensor


def is_asked(tensor):
    """Whether a ``__torch_function__`` is to be asked before a member of this tensor is used."""
    return False if modes.overrides == 0 else _is_asked(tensor)


def _is_asked(tensor):
    state = modes.current()
    if state.inside or state.functions_off == 2:
        return False
    if state.function_modes:
        return True
    return state.functions_off == 0 and type(tensor) is not Tensor \
        and type(tensor).__torch_function__ is not operator_slots.operators.disabled


def answer(tensor, name, *args):
    """What a ``__torch_function__`` says to the use of a member."""
    return operator_slots.operators.answer(tensor, name, *args)


def window_of(tensor, shape, strides, offset):
    """A tensor of other geometry over another's storage; strides and offset count elements."""
    storage = tensor._mt_storage
    array = strided.window(storage.owner, tensor.dtype.numpy, shape, strides, offset, storage.nbytes)
    return share_storage(tensor, array)


def place_of(tensor):
    """The device a tensor is on."""
    return CPU if tensor._mt_storage.device == 0 else PLACES[tensor._mt_storage.device]


def index_of(place):
    """torch's number of a device among those of its kind; -1 where there is only one."""
    return -1 if place.index is None else place.index


def shape_of(tensor):
    """The tensor's sizes as a plain tuple."""
    return strided.shape(tensor._mt_array)


def same_shape(tensor, other):
    """Whether two tensors have one shape."""
    return strided.same_shape(tensor._mt_array, other._mt_array)


def ndim_of(tensor):
    """How many dimensions the tensor has."""
    return strided.ndim(tensor._mt_array)


def numel_of(tensor):
    """How many elements the tensor has."""
    return strided.size(tensor._mt_array)


def is_in_order(tensor):
    """Whether the tensor's elements lie in C order without gaps."""
    return strided.is_contiguous(tensor._mt_array)


def strides_of(tensor):
    """The tensor's strides, counted in elements."""
    return strided.strides(tensor._mt_array)


def offset_of(tensor):
    """Elements between the storage's first byte and the tensor's first element."""
    if strided.size(tensor._mt_array) == 0 or tensor._mt_kind is not None and tensor._mt_storage.nbytes == 0:
        return 0
    return (strided.address(tensor._mt_array) - tensor._mt_storage.address) // strided.itemsize(tensor._mt_array)


def alias_of(tensor):
    """The same view once more, without its history."""
    return share_storage(tensor, tensor._mt_array)


def is_row_major(tensor):
    """Whether a tensor has elements and exactly the strides a new one of its shape would have."""
    return strided.is_row_major(tensor._mt_array)


def in_rows(tensor, shape):
    """The same memory in another shape, if the tensor fills it row by row; else None."""
    if not strided.is_row_major(tensor._mt_array):
        return None
    array = strided.refolded(tensor._mt_array, tensor._mt_storage.owner, tensor.dtype.numpy, shape)
    return share_storage(tensor, array)


def share_storage(tensor, array):
    """A plain tensor on another's storage that shares its version counter but not its history."""
    if tensor._mt_version is None:
        tensor._mt_version = Version()
    view = Tensor.__new__(Tensor)
    view._mt_array = array
    view._mt_storage = tensor._mt_storage
    view.dtype = tensor.dtype
    view._mt_version = tensor._mt_version
    view._mt_inference = tensor._mt_inference
    view._mt_kind = tensor._mt_kind
    return view


def take_over(tensor, other):
    """Put another tensor's data and history into a tensor; no row tells of it."""
    tensor._mt_array = other._mt_array
    tensor._mt_storage = other._mt_storage
    tensor.dtype = other.dtype
    tensor._mt_version = other._mt_version
    tensor._mt_base = other._mt_base
    tensor._mt_view_version = other._mt_view_version
    tensor._mt_view_kind = other._mt_view_kind
    tensor._mt_inference = other._mt_inference
    tensor._mt_kind = other._mt_kind
    tensor._mt_requires = other._mt_requires
    tensor.grad_fn = other.grad_fn
    tensor.output_nr = other.output_nr
    return tensor


def count_write(tensor):
    """Count one write to the data."""
    if tensor._mt_version is None:
        tensor._mt_version = Version()
    tensor._mt_version.count += 1


def new_tensor(array, dtype):
    """A tensor on memory that was allocated for it just now."""
    tensor = Tensor.__new__(Tensor)
    tensor._mt_array = array
    tensor.dtype = dtype
    tensor._mt_storage = hold(array, True)
    if dtype.rare:
        modes.note_rare_type()
    return tensor


def foreign_tensor(array, dtype):
    """A tensor on memory that belongs to somebody else, such as a NumPy array of the user's."""
    tensor = Tensor.__new__(Tensor)
    tensor._mt_array = array
    tensor.dtype = dtype
    tensor._mt_storage = hold(array, False)
    if dtype.rare:
        modes.note_rare_type()
    return tensor


def identity_of(tensor):
    """The number of this tensor object and of no other, given when somebody first asks: addresses are used again."""
    global _last_identity
    if tensor._mt_identity == 0:
        _last_identity += 1
        tensor._mt_identity = _last_identity
    return tensor._mt_identity


def add_attribute(name: str, value) -> None:
    """Give every tensor a method or property; how ops/ and autograd/ reach the class below them."""
    from .overrides import member
    strided.add_attribute(Tensor, name, member(name, value))


def _is_channels_last(shape, strides) -> bool:
    """Whether the second dimension lies innermost, torch's NHWC."""
    if len(shape) not in (4, 5):
        return False
    expected = 1
    for dim in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= shape[dim]
    return True


def blank(shape, dtype):
    """A new tensor without values: how a kernel's result is allocated when no ``aten::empty`` shows."""
    if modes.devices and modes.current().device:
        return allocate(shape, dtype)
    return new_tensor(strided.empty(shape, dtype.numpy), dtype)


def allocate(shape, dtype):
    """The same on the device that the op at work runs on, which is not the CPU."""
    tensor = Tensor.__new__(Tensor)
    tensor._mt_array, tensor._mt_storage = BACKENDS[modes.current().device].allocate(shape, dtype)
    tensor.dtype = dtype
    return tensor


strided.add_attribute(Tensor, "__new__", staticmethod(_new))
Tensor.__module__, Tensor.__name__ = "mindtorch_v2", "Tensor"  # Python's own complaints then say 'Tensor' object
strided.call_class(DType, "mindtorch_v2.dtype")

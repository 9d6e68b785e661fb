"""The tensor: an array, the storage it looks at, and its place in the autograd graph.

Everything that computes stands in ops/ and is installed here by dispatch/; this class only describes.
"""

from __future__ import annotations

from . import signs
from . import strided
from .device import CPU, strided as strided_layout
from .geometry import wrap_dim
from .size import Size
from .storage import Storage, Version


class Tensor:
    """A multi-dimensional array with torch's interface."""

    def __init__(self, *args, **kwargs):
        pass  # what Tensor(...) means is said by ops/create.py, through __new__ of the subclasses

    # -- geometry ------------------------------------------------------------------------------------------------

    @property
    def shape(self):
        return Size(self.array.shape)

    @property
    def ndim(self):
        return strided.ndim(self.array)

    @property
    def device(self):
        return CPU

    @property
    def layout(self):
        return strided_layout

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.array.size * self.dtype.itemsize

    @property
    def is_leaf(self):
        return self.grad_fn is None

    @property
    def _version(self):
        return 0 if self.version is None else self.version.count

    @property
    def _base(self):
        return self.base

    def dim(self):
        return strided.ndim(self.array)

    ndimension = dim

    def size(self, dim=None):
        if dim is None:
            return Size(self.array.shape)
        return self.array.shape[wrap_dim(dim, strided.ndim(self.array))]

    def stride(self, dim=None):
        found = strided.strides(self.array)
        return found if dim is None else found[dim]

    def numel(self):
        return self.array.size

    nelement = numel

    def element_size(self):
        return self.dtype.itemsize

    def storage_offset(self):
        return self.offset()

    def offset(self):
        """Elements between the storage's first byte and this tensor's first element."""
        if self.array.size == 0:
            return 0
        return (strided.address(self.array) - self.storage.address) // self.dtype.itemsize

    def data_ptr(self):
        return strided.address(self.array) if self.array.size else 0

    def is_contiguous(self, memory_format=None):
        if memory_format is not None and memory_format.name.startswith("channels_last"):
            return _is_channels_last(self.array.shape, strided.strides(self.array))
        return strided.is_contiguous(self.array)

    def is_floating_point(self):
        return self.dtype.category == 2

    def is_complex(self):
        return self.dtype.category == 3

    def is_signed(self):
        return self.dtype.is_signed

    def is_inference(self):
        return self.inference

    def get_device(self):
        return -1

    # -- the same data, described anew ------------------------------------------------------------------------------

    def see(self, shape, strides, offset):
        """A tensor of other geometry over the same storage; strides and offset count elements."""
        size = self.dtype.itemsize
        steps = tuple([s * size for s in strides])
        base = self.storage.owner
        made = strided.view(base, self.dtype.numpy, shape, steps, offset * size)
        return self.share(made)

    def share(self, array):
        """A plain tensor on this one's storage that shares its version counter but not its history."""
        if self.version is None:
            self.version = Version()
        made = Tensor.__new__(Tensor)
        made.array = array
        made.storage = self.storage
        made.dtype = self.dtype
        made.version = self.version
        made.inference = self.inference
        return made

    def bump(self):
        """Count one write to the data."""
        if self.version is None:
            self.version = Version()
        self.version.count += 1

    # -- operator signs ------------------------------------------------------------------------------------------

    def __add__(self, other):
        return signs.operators.add.call2(self, other)

    def __radd__(self, other):
        return signs.operators.add.call2(self, other)

    def __sub__(self, other):
        return signs.operators.sub.call2(self, other)

    def __rsub__(self, other):
        return signs.operators.rsub.call2(self, other)

    def __mul__(self, other):
        return signs.operators.mul.call2(self, other)

    def __rmul__(self, other):
        return signs.operators.mul.call2(self, other)

    def __truediv__(self, other):
        return signs.operators.div.call2(self, other)

    def __floordiv__(self, other):
        return signs.operators.floor_divide.call2(self, other)

    def __mod__(self, other):
        return signs.operators.remainder.call2(self, other)

    def __pow__(self, other, modulo=None):
        return signs.operators.pow.call2(self, other)

    def __rpow__(self, other, modulo=None):
        return signs.operators.pow.call2(other, self)

    def __matmul__(self, other):
        return signs.operators.matmul.call2(self, other)

    def __rmatmul__(self, other):
        return signs.operators.matmul.call2(other, self)

    def __and__(self, other):
        return signs.operators.and_.call2(self, other)

    def __or__(self, other):
        return signs.operators.or_.call2(self, other)

    def __xor__(self, other):
        return signs.operators.xor.call2(self, other)

    def __neg__(self):
        return signs.operators.neg.call1(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return signs.operators.absolute.call1(self)

    def __invert__(self):
        return signs.operators.invert.call1(self)

    def __eq__(self, other):
        return signs.operators.eq.call2(self, other)

    def __ne__(self, other):
        return signs.operators.ne.call2(self, other)

    def __lt__(self, other):
        return signs.operators.lt.call2(self, other)

    def __le__(self, other):
        return signs.operators.le.call2(self, other)

    def __gt__(self, other):
        return signs.operators.gt.call2(self, other)

    def __ge__(self, other):
        return signs.operators.ge.call2(self, other)

    def __hash__(self):
        return id(self)


# What a tensor holds, beside the C fields of tensor.pxd: the defaults of the uncompiled class.
_FIELDS = {"array": None, "storage": None, "dtype": None, "version": None, "base": None, "requires": False,
           "grad_fn": None, "output_nr": 0, "_grad": None, "accumulator": None, "hooks": None, "is_number": False,
           "inference": False, "retains": False, "view_version": 0}

for _name, _value in _FIELDS.items():
    if not hasattr(Tensor, _name):
        setattr(Tensor, _name, _value)


def new_tensor(array, dtype):
    """A tensor on memory that was allocated for it just now."""
    made = Tensor.__new__(Tensor)
    made.array = array
    made.dtype = dtype
    made.storage = Storage(array)
    return made


def foreign_tensor(array, dtype):
    """A tensor on memory that belongs to somebody else, such as a NumPy array of the user's."""
    made = Tensor.__new__(Tensor)
    made.array = array
    made.dtype = dtype
    made.storage = Storage(array, False)
    return made


def add_attribute(name: str, value) -> None:
    """Give every tensor a method or property; how ops/ and autograd/ reach the class below them."""
    strided.add_attribute(Tensor, name, value)


def _is_channels_last(shape, strides) -> bool:
    """Whether the second dimension lies innermost, torch's NHWC."""
    expected = 1
    for dim in (1, *range(len(shape) - 1, 1, -1), 0):
        if shape[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= shape[dim]
    return len(shape) in (4, 5)


def blank(shape, dtype):
    """A new tensor without values: how a kernel's result is allocated when no ``aten::empty`` shows."""
    return new_tensor(strided.empty(shape, dtype.numpy), dtype)

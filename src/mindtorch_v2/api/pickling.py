"""Copies of a whole tensor: copy.copy, copy.deepcopy, pickle. Tensors that share a storage share its copy."""

from __future__ import annotations

import copy
import copyreg
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..autograd.grad_mode import no_grad
from ..autograd.hooks import warn_if_has_hooks
from ..core.device import as_device, sparse_coo
from ..core.dtype import DType
from ..core.pending import is_conj, is_neg, toggle
from ..core.sparse import COMPRESSED, is_coo, is_sparse
from ..core.strided import make_window
from ..core.tensor import _FIELDS, Tensor, add_attribute, bare, offset_of, shape_of, take_over
from ..dispatch.aten import aten
from ..dispatch.dispatcher import call
from ..dispatch.python_dispatch import is_opaque
from ..ops.create.factories import Empty, EmptyStrided, NewEmpty
from ..ops.nested import jagged
from ..ops.nested.tensors import NestedTensor
from ..ops.python.construct import from_numpy
from ..ops.python.storage import SetStorageAt, UntypedStorage, untyped_storage
from ..ops.sparse import invariants
from .factory import require
from .typed_storage import STORAGES, TypedStorage, typed_storage

_NOT_A_LEAF = ("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
               "moment.  If you were attempting to deepcopy a module, this may be because of a "
               "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001")


def deepcopy(self: Tensor, memo: dict) -> Tensor:
    """A leaf with a storage of its own; one deepcopy() copies a storage once."""
    if self.grad_fn is not None:
        raise RuntimeError(_NOT_A_LEAF)
    if id(self) in memo:
        return memo[id(self)]
    if is_opaque(self) or not self.is_cpu or is_sparse(self):
        return _deepcopy_opaque(self, memo)
    storage = untyped_storage(self).__deepcopy__(memo)
    copied = call(NewEmpty.op, (self, (), None, None, None, False))
    call(SetStorageAt.op, (copied, storage, offset_of(self), self._mt_array.shape, self.stride()))
    copied._mt_version = None
    toggle(copied, is_conj(self), is_neg(self))
    if type(self) is not Tensor:
        copied = as_class(type(self), copied)
    copied._mt_requires = self._mt_requires
    if self._mt_grad is not None:
        copied._mt_grad = deepcopy(self._mt_grad, memo)
    copied.__dict__.update(copy.deepcopy(own_attributes(self), memo))
    memo[id(self)] = copied
    return copied


def _deepcopy_opaque(self: Tensor, memo: dict) -> Tensor:
    """Where the class answers for the memory, its clone() makes the copy."""
    with no_grad():
        copied = aten.clone(self)
    if type(copied) is not type(self):
        raise RuntimeError("The default implementation of __deepcopy__() for wrapper subclasses only works for "
                           "subclass types that properly implement __torch_dispatch__ for aten::clone; it returned "
                           f"{type(copied).__name__}")
    copied._mt_requires = self._mt_requires
    if self._mt_grad is not None:
        copied._mt_grad = deepcopy(self._mt_grad, memo)
    copied.__dict__.update(copy.deepcopy(own_attributes(self), memo))
    memo[id(self)] = copied
    return copied


def own_attributes(tensor: Tensor) -> dict:
    """What the user has put on a tensor; the engine's notes, and uncompiled a tensor's fields, stand beside it."""
    return {name: value for name, value in tensor.__dict__.items()
            if name not in _FIELDS and not name.startswith("_mt_")}


def as_class(cls: type, tensor: Tensor) -> Tensor:
    """The same tensor as an object of another class: all fields, no row."""
    return take_over(bare(cls), tensor)


def reduce_ex(self: Tensor, protocol: int):
    """How pickle writes a tensor: torch's function, and torch's order of arguments."""
    function, args = _reduce(self)
    state = object_state(self)
    if type(self) in (Tensor, NestedTensor) and not state:
        return function, args
    return _rebuild_from_type_v2, (function, type(self), args, state)


def _reduce(self: Tensor) -> tuple:
    """The function that makes the tensor anew, and its arguments; attributes and class are another matter."""
    warn_if_has_hooks(self)
    if self.is_meta:
        return _rebuild_meta_tensor_no_storage, (self.dtype, shape_of(self), self.stride(), self._mt_requires)
    if not self.is_cpu:
        args = (self.detach().cpu(), self.dtype, str(self.device), self._mt_requires)
        return _rebuild_device_tensor_from_cpu_tensor, args
    if isinstance(self, jagged.NestedTensor):
        return _rebuild_njt, ({"values": self._values.detach(), "offsets": self._offsets, "lengths": self._lengths,
                               "_ragged_idx": self._ragged_idx, "_metadata_cache": self._metadata_cache,
                               "requires_grad": self._mt_requires},)
    if is_opaque(self):
        args = (type(self), self.dtype, shape_of(self), self.stride(), offset_of(self), self.layout, self.device,
                self._mt_requires)
        return _rebuild_wrapper_subclass, args
    if isinstance(self, NestedTensor):
        kind = self._mt_kind
        return _rebuild_nested_tensor, (kind.elements.detach(), kind.sizes, kind.strides, kind.offsets)
    if is_coo(self):
        return _rebuild_sparse_tensor, (self.layout, (self._indices(), self._values(), self.size(),
                                                      self.is_coalesced()))
    if is_sparse(self):
        return _rebuild_sparse_tensor, (self.layout, (*self._mt_kind.parts, self.size()))
    geometry = (offset_of(self), shape_of(self), self.stride(), self._mt_requires, OrderedDict())
    pending = {bit: True for bit, is_set in (("conj", is_conj(self)), ("neg", is_neg(self))) if is_set}
    metadata = (pending,) if pending else ()
    if f"{self.dtype.short}Storage" in STORAGES:
        return _rebuild_tensor_v2, (typed_storage(self), *geometry, *metadata)
    return _rebuild_tensor_v3, (untyped_storage(self), *geometry, self.dtype, *metadata)


def object_state(tensor: Tensor):
    """What the user has put on a tensor: its attributes and, if its class has any, its slots."""
    own = own_attributes(tensor)
    if type(tensor).__getstate__ is not object.__getstate__:
        return tensor.__getstate__()
    slots = {name: getattr(tensor, name) for name in copyreg._slotnames(type(tensor)) if hasattr(tensor, name)}
    return (own, slots) if slots else own


def set_object_state(tensor: Tensor, state) -> Tensor:
    """Put back what object_state() told of."""
    if isinstance(state, tuple) and len(state) != 2:
        raise RuntimeError(f"Invalid serialized state: {state}")
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for name, value in {**(attributes or {}), **(slots or {})}.items():
        setattr(tensor, name, value)
    return tensor


def setstate(self: Tensor, state: tuple) -> None:
    """How tensors were unpickled long ago: from a storage and its geometry, or as torch.autograd.Variable was."""
    if self.grad_fn is not None:
        raise RuntimeError("__setstate__ can be only called on leaf Tensors")
    if len(state) == 4:
        self.set_(*state)
        return
    if len(state) == 5:
        self.data = state[0]
        state = (state[3], state[4], state[2])
    self.requires_grad = state[0]


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad: bool) -> Tensor:
    empty = call(EmptyStrided.op, (tuple(size), tuple(stride), dtype, None, as_device("meta"), False))
    return require(empty, requires_grad)


def _rebuild_device_tensor_from_cpu_tensor(data: Tensor, dtype, device, requires_grad: bool) -> Tensor:
    return require(data.to(device=device, dtype=dtype), requires_grad)


def _rebuild_tensor_v2(storage: TypedStorage, storage_offset: int, size, stride, requires_grad: bool, backward_hooks,
                       metadata: dict | None = None) -> Tensor:
    """A tensor from what reduce_ex() wrote."""
    rebuilt = _rebuild_tensor(storage, storage_offset, size, stride)
    metadata = metadata or {}
    toggle(rebuilt, conj=bool(metadata.get("conj")), neg=bool(metadata.get("neg")))
    return require(rebuilt, requires_grad)


def _rebuild_tensor_v3(storage: UntypedStorage, storage_offset: int, size, stride, requires_grad: bool, backward_hooks,
                       dtype: DType, metadata: dict | None = None) -> Tensor:
    """The same of a type that has no class of storages."""
    typed = TypedStorage(wrap_storage=storage.untyped(), dtype=dtype, _internal=True)
    return _rebuild_tensor_v2(typed, storage_offset, size, stride, requires_grad, backward_hooks, metadata)


def _rebuild_tensor(storage: TypedStorage, storage_offset: int, size, stride) -> Tensor:
    dtype, size, stride, held = storage.dtype, tuple(size), tuple(stride), storage._untyped_storage.of
    make_window(held.owner, dtype.numpy, size, stride, storage_offset, held.nbytes)  # set_() would grow the storage
    tensor = call(Empty.op, ((0,), dtype, None, None, False, None))
    tensor = call(SetStorageAt.op, (tensor, storage._untyped_storage, storage_offset, size, stride))
    tensor._mt_version = None
    return tensor


def _rebuild_from_type_v2(function, new_type: type, args: tuple, state) -> Tensor:
    """A tensor of a class of the user's, or with attributes."""
    rebuilt = function(*args)
    if type(rebuilt) is not new_type:
        rebuilt = as_class(new_type, rebuilt)
    if new_type.__setstate__ is not Tensor.__setstate__:
        rebuilt.__setstate__(state)
        return rebuilt
    return set_object_state(rebuilt, state)


def _rebuild_device_tensor_from_numpy(data, dtype, device, requires_grad: bool) -> Tensor:
    return _rebuild_device_tensor_from_cpu_tensor(from_numpy(data), dtype, device, requires_grad)


def _rebuild_wrapper_subclass(cls: type, dtype, size, stride, storage_offset, layout, device, requires_grad: bool):
    """A tensor of a class that answers for its memory itself."""
    return Tensor._make_wrapper_subclass(cls, size, strides=stride, dtype=dtype, storage_offset=storage_offset,
                                         layout=layout, device=device, requires_grad=requires_grad)


class _Pending(threading.local):
    """Checks of a file's tensors that wait until their numbers have been read."""

    checks: list[Callable[[], None]] | None = None


_pending = _Pending()


def _check_when_read(check: Callable[[], None]) -> None:
    """Check now or, inside of checked_when_read(), at its end."""
    if _pending.checks is None:
        check()
    else:
        _pending.checks.append(check)


@contextmanager
def checked_when_read() -> Iterator[None]:
    """For files whose numbers follow the pickle: sparse tensors are looked at when the block has ended well."""
    outer, _pending.checks = _pending.checks, []
    try:
        yield
        checks = _pending.checks
    finally:
        _pending.checks = outer
    for check in checks:
        check()


def _rebuild_sparse_tensor(layout, data: tuple) -> Tensor:
    """A sparse tensor from its parts, which a file may have damaged: they are looked at."""
    if layout is sparse_coo:
        indices, values, size, *is_coalesced = data  # files of older versions do not say whether it is
        options = {"is_coalesced": is_coalesced[0]} if is_coalesced else {}
        _check_when_read(lambda: invariants.validate_coo(indices, values, tuple(size), *(is_coalesced or [None])))
        return aten.sparse_coo_tensor(indices, values, tuple(size), **options)
    if layout not in COMPRESSED:
        raise NotImplementedError(f"rebuilding sparse tensor for layout {layout}")
    compressed, plain, values, size = data
    _check_when_read(lambda: invariants.validate_compressed(compressed, plain, values, tuple(size), layout))
    return aten._sparse_compressed_tensor_unsafe(compressed, plain, values, tuple(size), layout=layout)


def _rebuild_njt(constructor_kwargs: dict) -> Tensor:
    """A jagged tensor on the values and offsets of a file."""
    values, offsets, lengths = (constructor_kwargs[name] for name in ("values", "offsets", "lengths"))
    extremes = constructor_kwargs["_metadata_cache"] or {}
    rebuilt = jagged.jagged_view(values, offsets, lengths, constructor_kwargs["_ragged_idx"],
                                 extremes.get("min_seqlen"), extremes.get("max_seqlen"))
    return require(rebuilt, constructor_kwargs["requires_grad"])


_rebuild_njt.__module__ = jagged.NestedTensor.__module__


def _rebuild_nested_tensor(buffer: Tensor, sizes: Tensor, strides: Tensor, storage_offsets: Tensor) -> Tensor:
    return aten._nested_view_from_buffer(buffer, sizes, strides, storage_offsets)


def _rebuild_qtensor(*args) -> Tensor:
    raise NotImplementedError("the file holds a quantized tensor, which mindtorch_v2 does not have yet")


# What files call by these names, and load(weights_only=True) may use.
REBUILD = (_rebuild_tensor, _rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_qtensor, _rebuild_sparse_tensor,
           _rebuild_nested_tensor, _rebuild_meta_tensor_no_storage, _rebuild_wrapper_subclass,
           _rebuild_device_tensor_from_numpy, _rebuild_device_tensor_from_cpu_tensor)

add_attribute("__deepcopy__", deepcopy)
add_attribute("__reduce_ex__", reduce_ex)
add_attribute("__setstate__", setstate)

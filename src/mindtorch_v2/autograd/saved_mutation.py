"""torch.autograd.graph.allow_mutation_on_saved_tensors: what is saved is copied when somebody is about to write it."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from weakref import WeakKeyDictionary, WeakValueDictionary

from ..core.mode_stack import TorchDispatchMode
from ..core.slots import Work
from ..core.tensor import Tensor
from .saved import saved_tensors_hooks

OUTSIDE = ("Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
           "in which the graph was originally recorded.")
_thread = threading.local()


class _Handle:
    """Stands in a node for a tensor that it saved."""


class _AllowMutationOnSavedContext:
    """What was saved in a block: as it is, or, once it was about to be written, as a copy."""

    def __init__(self):
        self.is_open = True
        self.original: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        self.cloned: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        self.tid_to_weakhandle: WeakValueDictionary = WeakValueDictionary()  # by tensor and version
        self.saved_in: dict[int, list] = {}  # the tensors that were saved, by their memory

    def pack(self, tensor: Tensor) -> _Handle:
        memory = id(tensor._mt_storage)
        tid = id(tensor), memory, tensor._version
        handle = self.tid_to_weakhandle.get(tid)
        if handle is None:
            handle = self.tid_to_weakhandle[tid] = _Handle()
            self.original[handle] = tensor
            self.saved_in.setdefault(memory, []).append(tid)
        return handle

    def unpack(self, handle: _Handle) -> Tensor:
        if not self.is_open:
            raise AssertionError(OUTSIDE)
        return self.cloned[handle] if handle in self.cloned else self.original[handle]

    def copy_before_write(self, tensor: Tensor) -> None:
        """Copy all that was saved of a tensor's memory and is as it was then; afterwards it is too late."""
        for tid in self.saved_in.pop(id(tensor._mt_storage), ()):
            handle = self.tid_to_weakhandle.get(tid)
            if handle is not None and handle in self.original:
                self.cloned[handle] = Work.clone(self.original.pop(handle))

    def close(self) -> None:
        self.is_open = False
        for table in (self.original, self.cloned, self.tid_to_weakhandle, self.saved_in):
            table.clear()


class _CopyBeforeWrite(TorchDispatchMode):
    """Sees every op before it writes."""

    def __init__(self, context: _AllowMutationOnSavedContext):
        super().__init__()
        self.context = context

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        op = func.op
        if op.mutates >= 0:
            written = args[op.mutates] if op.mutates < len(args) else kwargs.get(op.schema.params[op.mutates].name)
            for tensor in written if isinstance(written, (list, tuple)) else (written,):
                if isinstance(tensor, Tensor):
                    self.context.copy_before_write(tensor)
        return func(*args, **kwargs)


@contextmanager
def allow_mutation_on_saved_tensors():
    """Inside the block, what autograd saves may be overwritten: gradients are those of the values that were saved."""
    if getattr(_thread, "entered", False):
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()
    _thread.entered = True
    try:
        with saved_tensors_hooks(context.pack, context.unpack), _CopyBeforeWrite(context):
            yield context
    finally:
        _thread.entered = False
        context.close()

"""What torch's event tree says about a node beyond its name and times: one class per kind of node."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...record.calls import Frame
from ..views.record_scope import RecordScope
from .tensor_types import types

_FRAME = re.compile(r"^(.*)\((\d+)\): (.*)$", re.S)


@dataclass(frozen=True, slots=True)
class _TensorMetadata:
    """A tensor that an event was given; ids are None where memory was not recorded."""

    impl_ptr: int | None
    storage_data_ptr: int | None
    id: int | None
    allocation_id: int | None
    sizes: list[int]
    strides: list[int]
    dtype: object
    layout: object = field(default_factory=lambda: types.layout("strided"))
    device: object = field(default_factory=lambda: types.cpu)

    @property
    def dim(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, slots=True)
class _ExtraFields_TorchOp:  # noqa: N801 - torch's names
    """An op, a backward node or a range."""

    name: str
    inputs: list
    scope: RecordScope
    sequence_number: int
    allow_tf32_cublas: bool = False


@dataclass(frozen=True, slots=True)
class _ExtraFields_Allocation:  # noqa: N801
    """Memory allocated (``alloc_size`` positive) or released."""

    ptr: int
    id: int | None
    allocation_id: int | None
    alloc_size: int
    total_allocated: int
    total_reserved: int = 0
    device: object = field(default_factory=lambda: types.cpu)


@dataclass(frozen=True, slots=True)
class _PyFrameState:
    """A place in a Python program."""

    line_number: int
    file_name: str
    function_name: str

    @classmethod
    def of(cls, frame: Frame) -> _PyFrameState:
        """The place a recorded frame speaks of."""
        return cls(frame.line, frame.file, frame.function)

    @classmethod
    def read(cls, name: str, line_number: int | None = None) -> _PyFrameState:
        """The place an event's name speaks of (``file.py(12): f``)."""
        match = _FRAME.match(name)
        if match is None:
            return cls(line_number or 0, "", name)
        return cls(line_number or int(match[2]), match[1], match[3])


@dataclass(frozen=True, slots=True)
class _NNModuleInfo:
    """The module that was called, and its parameters as (name, tensor, gradient or None)."""

    self_ptr: int
    cls_ptr: int
    cls_name: str
    parameters: list[tuple[str, _TensorMetadata, _TensorMetadata | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _OptimizerInfo:
    """The optimizer that stepped: per parameter the tensor, its gradient or None, and its state as (name, tensor)."""

    self_ptr: int
    parameters: list[tuple[_TensorMetadata, _TensorMetadata | None, list]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _ExtraFields_PyCall:  # noqa: N801
    """A Python function that was called, and from where."""

    callsite: _PyFrameState
    caller: _PyFrameState
    module: _NNModuleInfo | None = None
    optimizer: _OptimizerInfo | None = None


@dataclass(frozen=True, slots=True)
class _ExtraFields_PyCCall:  # noqa: N801
    """A function written in C that Python called, and from where."""

    caller: _PyFrameState


class _ExtraFields_PythonGC:  # noqa: N801
    """The garbage collector at work."""


class _ExtraFields_Backend:  # noqa: N801
    """An event of another backend; none exists here."""


class _ExtraFields_Vulkan:  # noqa: N801
    """An event of Vulkan; none exists here."""


class _ExtraFields_OutOfMemory:  # noqa: N801
    """An allocation that failed on a device; none exists here."""


@dataclass(frozen=True, slots=True)
class _ExtraFields_Kineto:  # noqa: N801
    """Work on a device, or the call that launched it; torch says nothing more of either."""

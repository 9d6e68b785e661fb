"""torch.types: words for types of arguments."""

import os
from builtins import bytes as _bytes
from collections.abc import Sequence
from typing import IO, Any, Union

from .core.device import device as _device
from .core.missing_name import missing as _missing
from .core.size import Size
from .core.tensor import Tensor
from .ops.python.storage import UntypedStorage

__all__ = ["Device", "FileLike", "Number", "Storage"]

_size = Size | list[int] | tuple[int, ...]
_symsize = Size | Sequence[int]
_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors = Tensor | Sequence[Tensor | None]
IntLikeType, FloatLikeType, BoolLikeType, py_sym_types = int, float, bool, ()
Number = int | float | bool
Device = Union[_device, str, int, None]  # noqa: UP007  as torch's is spelled
FileLike = str | os.PathLike[str] | IO[_bytes]
Storage = UntypedStorage
PySymType = Any
__getattr__ = _missing(__name__)

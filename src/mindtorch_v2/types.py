"""torch.types: words for types of arguments."""

import builtins as _builtins
import os
from collections.abc import Sequence
from typing import IO, Any, Union

from .core.device import device as _device
from .core.device import layout as _layout  # noqa: F401
from .core.dtype import DType as _dtype  # noqa: N813, F401  torch's name
from .core.missing_name import missing as _missing
from .core.size import Size
from .core.tensor import Tensor
from .ops.python.storage import UntypedStorage

__all__ = ["Device", "FileLike", "Number", "Storage"]

_int, _float, _bool, _complex = _builtins.int, _builtins.float, _builtins.bool, _builtins.complex
_size = Size | list[int] | tuple[int, ...]
_symsize = Size | Sequence[int]
_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors = Tensor | Sequence[Tensor | None]
IntLikeType, FloatLikeType, BoolLikeType, py_sym_types = int, float, bool, ()
Number = int | float | bool
Device = Union[_device, str, int, None]  # noqa: UP007  as torch's is spelled
FileLike = str | os.PathLike[str] | IO[_builtins.bytes]
Storage = UntypedStorage
PySymType = Any
_dispatchkey, _qscheme = str, Any  # nothing is quantized, and no tensor has a scheme for it
__getattr__ = _missing(__name__)

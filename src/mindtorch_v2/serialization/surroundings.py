"""What torch.serialization shows beside saving and loading: types of arguments, a temporary folder, names."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeAlias

from ..api.tensor_types import TYPES, TensorType
from ..api.typed_storage import STORAGES, TypedStorage
from ..core.device import device
from ..ops.python.storage import UntypedStorage

STORAGE: TypeAlias = TypedStorage | UntypedStorage
MAP_LOCATION: TypeAlias = Callable[[STORAGE, str], STORAGE] | device | str | dict[str, str] | None
FILE_LIKE: TypeAlias = str | os.PathLike[str] | IO[bytes]


@contextmanager
def mkdtemp() -> Iterator[str]:
    """A folder that is gone after the block."""
    path = tempfile.mkdtemp()
    try:
        yield path
    finally:
        shutil.rmtree(path)


def normalize_storage_type(storage_type: type) -> type:
    """torch's own class of a name: torch.FloatStorage, torch.UntypedStorage."""
    return {"UntypedStorage": UntypedStorage, "TypedStorage": TypedStorage, **STORAGES}[storage_type.__name__]


def storage_to_tensor_type(storage) -> TensorType:
    """The class of tensors on storages of a class."""
    return TYPES[type(storage).__name__.replace("Storage", "Tensor")]

"""How plain pickle writes a storage: as a file of the older format, of which torch.storage makes it again."""

from __future__ import annotations

import io

from ..api.typed_storage import TypedStorage
from ..ops.python.storage import UntypedStorage
from .loading import load
from .saving import save


def reduce_by_value(storage: TypedStorage | UntypedStorage) -> tuple:
    """A function, and what it makes the storage of."""
    file = io.BytesIO()
    save(storage, file, _use_new_zipfile_serialization=False)
    return _load_from_bytes, (file.getvalue(),)


def _load_from_bytes(b: bytes) -> TypedStorage | UntypedStorage:
    """A storage from what pickles hold of it; torch's own name for the function, which pickles call."""
    return load(io.BytesIO(b), weights_only=False)

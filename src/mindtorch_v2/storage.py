"""torch.storage: the classes of storages at torch's address."""

import io

from .api.typed_storage import TypedStorage
from .ops.python.storage import UntypedStorage


def _load_from_bytes(content: bytes):
    """A storage from what PyTorch's pickles hold of it: a file of its older format."""
    from .serialization import load
    return load(io.BytesIO(content), weights_only=False)


__all__ = ["TypedStorage", "UntypedStorage"]

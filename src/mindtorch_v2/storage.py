"""torch.storage: the classes of storages at torch's address."""

from .api.typed_storage import TypedStorage
from .ops.python.storage import UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]

"""torch.storage: the classes of storages at torch's address."""

from .ops.storage import UntypedStorage
from .ops.typed_storage import TypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]

"""torch.storage: the classes of storages at torch's address."""

from .api.typed_storage import (
    STORAGES,
    LegacyStorage,
    TypedStorage,
    _LegacyStorage,  # noqa: F401  torch's name
    _warn_typed_storage_removal,
)
from .core.dtype import DType
from .core.missing_name import missing_name as _missing_name
from .ops.python.storage import UntypedStorage

_LegacyStorageMeta = LegacyStorage


def _dtype_to_storage_type_map() -> dict[DType, str]:
    """The types that have classes of storages, and their names."""
    return {kind.dtype: name for name, kind in STORAGES.items()}


def _get_dtype_from_pickle_storage_type(pickle_storage_type: str) -> DType:
    """The type of what a file calls a FloatStorage or the like."""
    if pickle_storage_type not in STORAGES:
        raise KeyError(f'pickle storage type "{pickle_storage_type}" is not recognized')
    return STORAGES[pickle_storage_type].dtype


def __getattr__(name: str):
    """What pickles of storages call, with all that reads files behind it."""
    if name == "_load_from_bytes":
        from .serialization.by_value import _load_from_bytes
        return _load_from_bytes
    raise _missing_name(__name__, name)


__all__ = ["TypedStorage", "UntypedStorage", "_load_from_bytes",  # noqa: F822
           "_warn_typed_storage_removal"]

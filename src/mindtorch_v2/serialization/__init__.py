"""torch.serialization: objects with tensors in PyTorch's files, both formats, both directions."""

from ..core.device import _get_layout
from .config import (
    LoadEndianness,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
)
from .container_source import SourceChangeWarning
from .legacy_format import MAGIC_NUMBER, PROTOCOL_VERSION
from .loading import UNSAFE_MESSAGE, get_unsafe_globals_in_checkpoint, load
from .loading import is_zip as _is_zipfile
from .locations import (
    _package_registry,
    default_restore_location,
    location_tag,
    register_package,
    validate_cuda_device,
    validate_hpu_device,
)
from .pickle_modules import check_module_version_greater_or_equal
from .safe_globals import StorageType, add_safe_globals, clear_safe_globals, get_safe_globals, safe_globals
from .saving import DEFAULT_PROTOCOL, save
from .skipping import _serialization_tls, skip_data
from .surroundings import FILE_LIKE, MAP_LOCATION, STORAGE, mkdtemp, normalize_storage_type, storage_to_tensor_type

__all__ = [
    "SourceChangeWarning", "mkdtemp", "register_package", "check_module_version_greater_or_equal",
    "validate_cuda_device", "validate_hpu_device", "location_tag", "default_restore_location",
    "normalize_storage_type", "storage_to_tensor_type", "save", "load", "StorageType", "LoadEndianness",
    "get_crc32_options", "set_crc32_options", "get_default_load_endianness", "set_default_load_endianness",
    "get_default_mmap_options", "set_default_mmap_options", "clear_safe_globals", "get_safe_globals",
    "add_safe_globals", "safe_globals", "get_unsafe_globals_in_checkpoint", "skip_data",
]

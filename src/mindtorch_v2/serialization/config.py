"""How files are saved and loaded where a call does not say; torch.utils.serialization.config."""

from __future__ import annotations

from enum import Enum
from mmap import MAP_PRIVATE, MAP_SHARED

from .zip_writer import ALIGNMENT


class LoadEndianness(Enum):
    """The order of bytes in files that do not name theirs."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class load:  # noqa: N801  torch's name
    """What load() does unless it is told otherwise."""

    mmap = False
    endianness: LoadEndianness | None = None
    mmap_flags: int | None = MAP_PRIVATE
    calculate_storage_offsets = False


class save:  # noqa: N801  torch's name
    """What save() does."""

    compute_crc32 = True
    use_pinned_memory_for_d2h = False
    storage_alignment = ALIGNMENT


def get_default_load_endianness() -> LoadEndianness | None:
    return load.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Say in which order bytes are in files that do not name theirs."""
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    load.endianness = endianness


def get_crc32_options() -> bool:
    return save.compute_crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Say whether save() writes a checksum of each record."""
    save.compute_crc32 = compute_crc32


def get_default_mmap_options() -> int | None:
    return load.mmap_flags


class set_default_mmap_options:  # noqa: N801  torch's name
    """Say whether writes to mapped tensors change the file; for good, or for a ``with`` block."""

    def __init__(self, flags: int):
        if flags not in (MAP_PRIVATE, MAP_SHARED):
            raise ValueError("Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or "
                             f"mmap.MAP_SHARED, but got {flags}")
        self.prev = load.mmap_flags
        load.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *failure) -> None:
        load.mmap_flags = self.prev

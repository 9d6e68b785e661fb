"""A file mapped into memory, in plain Python: the reading of mapping.pyx."""

from __future__ import annotations

import ctypes
import os


class Mapping:
    """Where a file lies in memory, and its descriptor or -1; both belong to it."""

    def __new__(cls, address: int, mapped_bytes: int, fd: int):
        mapping = super().__new__(cls)
        mapping.address, mapping.mapped_bytes, mapping.fd = address, mapped_bytes, fd
        return mapping

    def __del__(self) -> None:
        ctypes.CDLL(None).munmap(ctypes.c_void_p(self.address), ctypes.c_size_t(self.mapped_bytes))
        if self.fd >= 0:
            os.close(self.fd)

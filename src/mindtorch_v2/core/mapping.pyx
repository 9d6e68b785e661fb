"""A file mapped into memory. It is given back without running Python: an interrupt in the middle would be lost."""

from libc.stdint cimport uintptr_t
from posix.mman cimport munmap
from posix.unistd cimport close


cdef class Mapping:
    """Where a file lies in memory, and its descriptor or -1; both belong to it."""

    cdef readonly uintptr_t address
    cdef readonly size_t mapped_bytes
    cdef readonly int fd
    cdef object __weakref__

    def __cinit__(self, uintptr_t address, size_t mapped_bytes, int fd):
        self.address = address
        self.mapped_bytes = mapped_bytes
        self.fd = fd

    def __dealloc__(self):
        munmap(<void *>self.address, self.mapped_bytes)
        if self.fd >= 0:
            close(self.fd)

"""Memory that several processes see: a file without a name, or one in /dev/shm, mapped into each of them.

A file without a name is handed on by its descriptor and goes when the last process that maps it does, however that
process ends. One with a name costs no descriptors; it counts those who use it, and Python's resource tracker, a process
of its own, removes it if they all were killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import functools
import mmap
import os
import struct
import weakref

import numpy as np

from .mapping import Mapping

HEADER_BYTES = 64  # before the data of a named file: how many use it; data stays aligned behind it
COUNT = struct.Struct("=q")
NAME_BYTES = 8
READ_WRITE = 0o600
FAILED = ctypes.c_void_p(-1).value


@functools.cache
def _libc() -> ctypes.CDLL:
    """Python's own mmap object would keep a second descriptor open for every mapping."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    library.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    return library


def _map(fd: int, nbytes: int) -> int:
    address = _libc().mmap(None, nbytes, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, fd, 0)
    if address == FAILED:
        error = ctypes.get_errno()
        raise RuntimeError(f"unable to mmap {nbytes} bytes from file <shared memory>: {os.strerror(error)} ({error})")
    return address


class SharedMemory(Mapping):
    """A mapped file without a name, by its descriptor, which it owns."""

    name: str | None = None
    header_bytes = 0

    def __new__(cls, fd: int, nbytes: int):
        try:
            return cls._mapped(fd, nbytes, fd)
        except BaseException:
            os.close(fd)
            raise

    @classmethod
    def _mapped(cls, fd: int, nbytes: int, kept_fd: int) -> SharedMemory:
        mapped_bytes = max(nbytes, 1) + cls.header_bytes  # there is no mapping without bytes
        memory = Mapping.__new__(cls, _map(fd, mapped_bytes), mapped_bytes, kept_fd)
        memory.nbytes = nbytes
        return memory

    def __init__(self, *args):
        """All is done by __new__."""

    @classmethod
    def new(cls, nbytes: int) -> SharedMemory:
        """Zeros that nobody sees yet."""
        fd = os.memfd_create("torch", os.MFD_CLOEXEC) if hasattr(os, "memfd_create") else _without_name()
        try:
            os.ftruncate(fd, max(nbytes, 1))
        except BaseException:
            os.close(fd)
            raise
        return cls(fd, nbytes)

    def array(self) -> np.ndarray:
        """The bytes, as long as somebody holds the array."""
        return np.asarray(self)

    @property
    def __array_interface__(self) -> dict:
        return {"shape": (self.nbytes,), "typestr": "|u1", "data": (self.address + self.header_bytes, False),
                "version": 3}


class NamedSharedMemory(SharedMemory):
    """A mapped file in /dev/shm, by its name; the last who uses it removes it."""

    header_bytes = HEADER_BYTES

    def __new__(cls, name: str, nbytes: int):
        fd = _open_named(name)
        try:
            memory = cls._mapped(fd, nbytes, -1)
        finally:
            os.close(fd)  # the mapping stays, and the name leads back to the file
        memory.name, memory._pid = name, os.getpid()
        _leave_at_exit(memory)
        return memory

    @classmethod
    def new(cls, nbytes: int) -> NamedSharedMemory:
        name = f"/torch_{os.getpid()}_{os.urandom(NAME_BYTES).hex()}"
        fd = _open_named(name, os.O_CREAT | os.O_EXCL)
        _tracker().register(name, "shared_memory")
        try:
            os.posix_fallocate(fd, 0, max(nbytes, 1) + HEADER_BYTES)  # a full /dev/shm says so here, not by a signal
            os.pwrite(fd, COUNT.pack(1), 0)
            return cls(name, nbytes)
        except BaseException:
            _remove(name)
            raise
        finally:
            os.close(fd)

    def add_user(self) -> None:
        """Somebody else will use it: a message that leads to it is under way."""
        change_users(self.name, 1)

    def leave(self) -> None:
        """This process uses it no more; a forked child was not counted."""
        if getattr(self, "_pid", 0) == os.getpid():
            self._pid = 0
            change_users(self.name, -1)

    __del__ = leave


_in_use: weakref.WeakSet[NamedSharedMemory] = weakref.WeakSet()
_leaves_at_exit = 0  # the process that will


def _leave_at_exit(memory: NamedSharedMemory) -> None:
    """Children of multiprocessing end without destroying what they hold: they leave it before."""
    global _leaves_at_exit
    _in_use.add(memory)
    if _leaves_at_exit != os.getpid():
        from multiprocessing.util import Finalize
        Finalize(None, _leave_all, exitpriority=0)
        _leaves_at_exit = os.getpid()


def _leave_all() -> None:
    for memory in list(_in_use):
        memory.leave()


def change_users(name: str, by: int) -> None:
    """Count one more or one less; without any, the file goes."""
    try:
        fd = _open_named(name)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        users = COUNT.unpack(os.pread(fd, COUNT.size, 0))[0] + by
        os.pwrite(fd, COUNT.pack(users), 0)
        if users <= 0:
            _remove(name)
    finally:
        os.close(fd)


def _posix():
    """Python's shm_open and shm_unlink."""
    try:
        import _posixshmem
    except ImportError:
        raise NotImplementedError("there is no POSIX shared memory on this system, which tensors that processes share "
                                  "are kept in") from None
    return _posixshmem


def _tracker():
    from multiprocessing import resource_tracker
    return resource_tracker


def _open_named(name: str, flags: int = 0) -> int:
    return _posix().shm_open(name, os.O_RDWR | flags, mode=READ_WRITE)


def _remove(name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        _posix().shm_unlink(name)
        _tracker().unregister(name, "shared_memory")


def _without_name() -> int:
    name = f"/torch_{os.getpid()}_{os.urandom(NAME_BYTES).hex()}"
    fd = _open_named(name, os.O_CREAT | os.O_EXCL)
    _posix().shm_unlink(name)
    return fd


def shared_memory_of(array: np.ndarray) -> SharedMemory | None:
    """The shared memory under an array; None if only this process sees it."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, SharedMemory) else None

"""Stores, by which processes find each other: keys and values in this process, in a file, or under a prefix."""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from datetime import timedelta

from ..record.locks import new_condition
from .errors import DistStoreError, QueueEmptyError

DEFAULT_TIMEOUT = timedelta(seconds=300)
_POLL_S = 0.01
_SIZE_BYTES = 8


def as_bytes(value: str | bytes) -> bytes:
    """A key or a value as it is kept."""
    return value if isinstance(value, bytes) else str(value).encode()


class Store:
    """What stores have in common: everything is said in a few steps that each kind takes in its own way."""

    def __init__(self) -> None:
        self._timeout = DEFAULT_TIMEOUT

    @property
    def timeout(self) -> timedelta:
        """How long get() and wait() wait."""
        return self._timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Have get() and wait() wait as long."""
        self._timeout = timeout

    def _change(self, change: Callable[[dict], object]) -> object:
        """What a function of all entries returns, while nobody else sees them."""
        raise RuntimeError("Not implemented.")

    def _when(self, is_ready: Callable[[dict], bool], timeout: timedelta, keys: list[str]) -> None:
        """Wait until the entries are as wanted."""
        end = time.monotonic() + timeout.total_seconds()
        while not self._change(is_ready):
            if time.monotonic() > end:
                raise DistStoreError(f"wait timeout after {int(timeout.total_seconds() * 1000)}ms, keys: "
                                     f"{', '.join('/' + key for key in keys)}")
            self._rest(end)

    def _rest(self, end: float) -> None:
        time.sleep(_POLL_S)

    def set(self, key: str, value: str | bytes) -> None:
        """Keep a value."""
        self._change(lambda entries: entries.__setitem__(key, as_bytes(value)))

    def get(self, key: str) -> bytes:
        """The value, as soon as it is there."""
        self.wait([key])
        return self._change(lambda entries: entries[key])

    def add(self, key: str, amount: int) -> int:
        """Count, and say how far."""
        def counted(entries: dict) -> int:
            total = int(entries.get(key, b"0")) + amount
            entries[key] = str(total).encode()
            return total
        return self._change(counted)

    def append(self, key: str, value: str | bytes) -> None:
        """Put a value behind what is there."""
        self._change(lambda entries: entries.__setitem__(key, entries.get(key, b"") + as_bytes(value)))

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        """Keep a value if the one that is there is as expected; what is there then."""
        def compared(entries: dict) -> bytes:
            if entries.get(key, b"") == as_bytes(expected):
                entries[key] = as_bytes(desired)
            return entries.get(key, as_bytes(expected))
        return self._change(compared)

    def check(self, keys: list[str]) -> bool:
        """Whether all are there."""
        return self._change(lambda entries: all(key in entries for key in keys))

    def wait(self, keys: list[str], timeout: timedelta | None = None) -> None:
        """Wait until all are there."""
        self._when(lambda entries: all(key in entries for key in keys), timeout or self._timeout, keys)

    def delete_key(self, key: str) -> bool:
        """Forget a value; whether there was one."""
        return self._change(lambda entries: entries.pop(key, None) is not None)

    def num_keys(self) -> int:
        """How many values there are."""
        return self._change(len)

    def list_keys(self) -> list[str]:
        """What there are values for."""
        return self._change(list)

    def multi_get(self, keys: list[str]) -> list[bytes]:
        """Several values, as soon as they are there."""
        return [self.get(key) for key in keys]

    def multi_set(self, keys: list[str], values: list[str | bytes]) -> None:
        """Keep several values."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def has_extended_api(self) -> bool:
        """Whether there are append() and several values at once."""
        return True


class HashStore(Store):
    """A store for the threads of this process."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: dict[str, bytes] = {}
        self._queues: dict[str, deque] = {}
        self._changed = new_condition()

    def _change(self, change: Callable[[dict], object]) -> object:
        with self._changed:
            result = change(self._entries)
            self._changed.notify_all()
            return result

    def _rest(self, end: float) -> None:
        with self._changed:
            self._changed.wait(min(max(end - time.monotonic(), 0), _POLL_S))

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put a value at the end of a queue."""
        self._change(lambda entries: self._queues.setdefault(key, deque()).append(as_bytes(value)))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of a queue, which is waited for."""
        if block:
            self._when(lambda entries: bool(self._queues.get(key)), self._timeout, [key])
        with self._changed:
            if not self._queues.get(key):
                raise QueueEmptyError(f"queue {key} is empty")
            return self._queues[key].popleft()

    def queue_len(self, key: str) -> int:
        """How many values a queue holds."""
        return self._change(lambda entries: len(self._queues.get(key, ())))


class PrefixStore(Store):
    """Another store, in which all keys begin with a word."""

    def __init__(self, prefix: str, store: Store) -> None:
        super().__init__()
        self.prefix, self.underlying_store = prefix, store
        self._timeout = store.timeout

    def _key(self, key: str) -> str:
        return f"{self.prefix}/{key}"

    def set_timeout(self, timeout: timedelta) -> None:
        """Have the store wait as long."""
        self._timeout = timeout
        self.underlying_store.set_timeout(timeout)

    def set(self, key: str, value: str | bytes) -> None:
        """Keep a value."""
        self.underlying_store.set(self._key(key), value)

    def get(self, key: str) -> bytes:
        """The value, as soon as it is there."""
        return self.underlying_store.get(self._key(key))

    def add(self, key: str, amount: int) -> int:
        """Count, and say how far."""
        return self.underlying_store.add(self._key(key), amount)

    def append(self, key: str, value: str | bytes) -> None:
        """Put a value behind what is there."""
        self.underlying_store.append(self._key(key), value)

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        """Keep a value if the one that is there is as expected; what is there then."""
        return self.underlying_store.compare_set(self._key(key), expected, desired)

    def check(self, keys: list[str]) -> bool:
        """Whether all are there."""
        return self.underlying_store.check([self._key(key) for key in keys])

    def wait(self, keys: list[str], timeout: timedelta | None = None) -> None:
        """Wait until all are there."""
        self.underlying_store.wait([self._key(key) for key in keys], timeout or self._timeout)

    def delete_key(self, key: str) -> bool:
        """Forget a value; whether there was one."""
        return self.underlying_store.delete_key(self._key(key))

    def num_keys(self) -> int:
        """How many values the whole store has."""
        return self.underlying_store.num_keys()


class FileStore(Store):
    """A store in a file, for processes that share a file system; the last of them to end removes it."""

    _USERS = "refcount"  # the key that counts them

    def __init__(self, file_name: str, world_size: int = -1) -> None:
        super().__init__()
        self.path = file_name
        self.add(self._USERS, 1)
        weakref.finalize(self, _leave, file_name)

    def _change(self, change: Callable[[dict], object]) -> object:
        with _locked(self.path) as file:
            entries = _read(file.read())
            before = dict(entries)
            result = change(entries)
            if entries != before:
                file.seek(0)
                file.truncate()
                file.write(_written(entries))
            return result

    def num_keys(self) -> int:
        """How many values there are, the count of users among them, as in torch."""
        return super().num_keys()


def _leave(path: str) -> None:
    """Count one user less, and remove the file after the last one."""
    with contextlib.suppress(OSError), _locked(path) as file:
        entries = _read(file.read())
        entries[FileStore._USERS] = str(int(entries.get(FileStore._USERS, b"1")) - 1).encode()
        if int(entries[FileStore._USERS]) <= 0:
            os.unlink(path)
            return
        file.seek(0)
        file.truncate()
        file.write(_written(entries))


@contextlib.contextmanager
def _locked(path: str) -> Iterator:
    import fcntl  # there is none on Windows, where everything else works
    with open(path, "a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def _read(data: bytes) -> dict[str, bytes]:
    parts, place = [], 0
    while place < len(data):
        size = int.from_bytes(data[place:place + _SIZE_BYTES], "little")
        parts.append(data[place + _SIZE_BYTES:place + _SIZE_BYTES + size])
        place += _SIZE_BYTES + size
    return {key.decode(): value for key, value in zip(parts[::2], parts[1::2], strict=True)}


def _written(entries: dict[str, bytes]) -> bytes:
    parts = [part for key, value in entries.items() for part in (key.encode(), value)]
    return b"".join(len(part).to_bytes(_SIZE_BYTES, "little") + part for part in parts)

"""A line between a loader and one of its workers: messages both ways, and beside them descriptors of shared memory.

A worker has a line of its own, so that one that is killed in the middle of a message disturbs no other, and both sides
learn of the other's end at once. Descriptors travel with the message: a tensor outlives the worker that made it.
"""

from __future__ import annotations

import array
import contextlib
import io
import os
import pickle
import socket
import struct
import weakref
from collections import deque
from multiprocessing.reduction import ForkingPickler
from typing import Any

from ....multiprocessing.reductions import descriptors_beside

HEADER = struct.Struct("=QII")  # bytes of the message, descriptors beside it, whether it is bytes that were recorded
MOST_DESCRIPTORS = 253  # that Linux takes at once
PIECE_BYTES = 1 << 18
FD_BYTES = array.array("i").itemsize
CONNECTION_LOST = (EOFError, BrokenPipeError, ConnectionResetError)
TOO_MANY_FILES = ("Too many open files. Communication with the workers is no longer possible. Please increase the "
                  "limit using `ulimit -n` in the shell or change the sharing strategy by calling "
                  "`torch.multiprocessing.set_sharing_strategy('file_system')` at the beginning of your code")

# Ends that belong to this process: in a forked child they are closed, so that workers see when their loader is gone.
_own_ends: weakref.WeakSet = weakref.WeakSet()


def _close_in_child() -> None:
    for channel in list(_own_ends):
        channel.close()
    _own_ends.clear()


os.register_at_fork(after_in_child=_close_in_child)


class Channel:
    """One end. The worker's sends and receives until it is done; the loader's does what can be done without waiting."""

    def __init__(self, end: socket.socket):
        end.settimeout(None)  # whatever socket.setdefaulttimeout() a program chose for its downloads
        self._socket = end
        self._arrived = bytearray()
        self._messages: deque[tuple[bytes, int]] = deque()  # whole ones, and how many descriptors belong to each
        self._descriptors: deque[int] = deque()
        self._unsent: deque[list] = deque()
        self.recorded: deque[bytes] = deque()  # what a worker recorded, as it came

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """The loader's end and the worker's."""
        own, other = (cls(end) for end in socket.socketpair())
        _own_ends.add(own)
        return own, other

    def __reduce__(self):
        return Channel, (self._socket,)

    def fileno(self) -> int:
        """The descriptor to wait for; -1 once it is closed."""
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()
        while self._descriptors:
            os.close(self._descriptors.popleft())
        self._unsent.clear()

    def send(self, message: Any) -> None:
        """Hand a message over, however long that takes."""
        self._write(message)
        while self._unsent:
            self._send_some()

    def send_recorded(self, recorded: bytes) -> None:
        """Hand over what was recorded, before the batch that it belongs to."""
        self._unsent.append([memoryview(HEADER.pack(len(recorded), 0, True) + recorded), [], None])
        while self._unsent:
            self._send_some()

    def post(self, message: Any) -> None:
        """Hand a message over as far as there is room now; flush() goes on."""
        self._write(message)
        self.flush()

    def flush(self) -> None:
        """Send what was posted, as far as there is room."""
        with contextlib.suppress(BlockingIOError):
            while self._unsent:
                self._send_some(socket.MSG_DONTWAIT)

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def _write(self, message: Any) -> None:
        descriptors: list[int] = []
        text = io.BytesIO()
        text.write(bytes(HEADER.size))
        with descriptors_beside(descriptors):
            ForkingPickler(text, pickle.HIGHEST_PROTOCOL).dump(message)
        text.seek(0)
        text.write(HEADER.pack(len(text.getbuffer()) - HEADER.size, len(descriptors), False))
        self._unsent.append([text.getbuffer(), descriptors, message])  # which keeps the descriptors open

    def _send_some(self, flags: int = 0) -> None:
        piece = self._unsent[0]
        data, descriptors, _ = piece
        beside = array.array("i", descriptors[:MOST_DESCRIPTORS])
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, beside)] if beside else []
        is_last = len(descriptors) <= MOST_DESCRIPTORS
        sent = self._socket.sendmsg([data if is_last else data[:1]], ancillary, flags)
        piece[0], piece[1] = data[sent:], descriptors[MOST_DESCRIPTORS:]
        if not piece[0]:
            self._unsent.popleft()

    def recv(self) -> Any:
        """The next message; EOFError if the other end is gone."""
        while not self._messages:
            self._receive_some()
        return self.read()

    def pull(self) -> int:
        """Take in what is there, and tell how many messages that completes; EOFError if the other end is gone and
        there is nothing left of it."""
        before = len(self._messages)
        try:
            while True:
                self._receive_some(socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass
        except CONNECTION_LOST:
            if len(self._messages) == before:
                raise
        return len(self._messages) - before

    def _receive_some(self, flags: int = 0) -> None:
        room = socket.CMSG_SPACE(MOST_DESCRIPTORS * FD_BYTES)
        data, ancillary, status, _ = self._socket.recvmsg(PIECE_BYTES, room, flags)
        for _, _, content in ancillary:
            whole = len(content) - len(content) % FD_BYTES
            self._descriptors.extend(array.array("i", content[:whole]))
        if status & socket.MSG_CTRUNC:
            raise RuntimeError(TOO_MANY_FILES)
        if not data:
            raise EOFError
        self._arrived += data
        while len(self._arrived) >= HEADER.size:
            size, descriptors, is_recorded = HEADER.unpack_from(self._arrived)
            if len(self._arrived) < HEADER.size + size:
                return
            content = bytes(memoryview(self._arrived)[HEADER.size:HEADER.size + size])
            del self._arrived[:HEADER.size + size]
            if is_recorded:
                self.recorded.append(content)
            else:
                self._messages.append((content, descriptors))

    def read(self) -> Any:
        """The first message that was taken in."""
        content, count = self._messages.popleft()
        descriptors = [self._descriptors.popleft() for _ in range(count)]
        try:
            with descriptors_beside(descriptors):
                return pickle.loads(content)
        finally:
            for fd in descriptors:
                if fd >= 0:
                    os.close(fd)

"""The connections of a process to all others of its world, and the messages that came by them."""

from __future__ import annotations

import contextlib
import secrets
import socket
import struct
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from datetime import timedelta

from ..record.locks import new_condition, new_lock
from .errors import DistNetworkError
from .store import Store
from .tcp_store import connected, read_exactly

_HEADER = struct.Struct("<qqQ")  # group, tag, bytes
_GREETING = struct.Struct("<q16s")  # number of the process that calls, and the word that it was told
_MOST_BYTES = 1 << 40
_CLOSED = ("Connection closed by peer {}. This is typically caused by a remote worker crashing. Check the logs of the "
           "remote worker before reporting an error.")

Channel = tuple[int, int]  # of a group: what a message is about


class Links:
    """A connection with every other process; each has a thread that keeps what comes until it is asked for.

    What is sent is therefore never kept up by a receiver who is busy.
    """

    def __init__(self, rank: int, size: int, store: Store, timeout: timedelta) -> None:
        self.rank, self.size = rank, size
        self._arrived: dict[tuple[int, Channel], deque[bytearray]] = defaultdict(deque)
        self._news = new_condition()
        self._closed: dict[int, str] = {}
        self._connections: dict[int, socket.socket] = {}
        self._writing = {peer: new_lock() for peer in range(size)}
        self._meet(store, timeout)
        for peer, connection in self._connections.items():
            threading.Thread(target=self._take, args=(peer, connection), name="pt_gloo_loop", daemon=True).start()

    def _meet(self, store: Store, timeout: timedelta) -> None:
        """Call every process before this one, and be called by every one after it."""
        if self.size == 1:
            return
        token, host = secrets.token_bytes(16), _address_in(store)
        with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET,
                                  backlog=self.size) as listener:
            store.set(f"link/{self.rank}", f"{host} {listener.getsockname()[1]} {token.hex()}")
            for peer in range(self.rank):
                address, port, word = store.get(f"link/{peer}").decode().split()
                connection = connected(address, int(port), timeout)
                connection.sendall(_GREETING.pack(self.rank, bytes.fromhex(word)))
                self._connections[peer] = connection
            listener.settimeout(timeout.total_seconds())
            while len(self._connections) < self.size - 1:
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    missing = sorted(set(range(self.rank + 1, self.size)) - set(self._connections))
                    raise DistNetworkError(f"Processes {missing} did not call process {self.rank} within "
                                           f"{timeout.total_seconds():g} s") from None
                connection.settimeout(timeout.total_seconds())
                peer, word = _GREETING.unpack(read_exactly(connection, _GREETING.size))
                if secrets.compare_digest(word, token) and self.rank < peer < self.size:
                    connection.settimeout(None)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._connections[peer] = connection
                else:  # nobody of this world
                    connection.close()

    def _take(self, peer: int, connection: socket.socket) -> None:
        """Keep every message of one process until its connection ends."""
        with contextlib.suppress(OSError):
            while True:
                group, tag, nbytes = _HEADER.unpack(read_exactly(connection, _HEADER.size))
                if nbytes > _MOST_BYTES:
                    break
                message = read_exactly(connection, nbytes)
                with self._news:
                    self._arrived[peer, (group, tag)].append(message)
                    self._news.notify_all()
        with self._news:
            self._closed[peer] = _CLOSED.format(f"(rank {peer})")
            self._news.notify_all()

    def send(self, peer: int, channel: Channel, data) -> None:
        """Hand bytes to the network, or to this process itself."""
        if peer == self.rank:
            with self._news:
                self._arrived[peer, channel].append(bytearray(data))
                self._news.notify_all()
            return
        try:
            with self._writing[peer]:
                self._connections[peer].sendall(_HEADER.pack(*channel, len(data)))
                if len(data):
                    self._connections[peer].sendall(data)
        except OSError:
            raise RuntimeError(_CLOSED.format(f"(rank {peer})")) from None

    def has(self, peer: int, channel: Channel) -> bool:
        """Whether a message has come."""
        with self._news:
            return bool(self._arrived.get((peer, channel)))

    def receive(self, peers: Iterable[int], channel: Channel, timeout: timedelta) -> tuple[int, bytearray]:
        """The next message of one of some processes, and whose it is."""
        peers, end = list(peers), time.monotonic() + timeout.total_seconds()
        with self._news:
            while True:
                for peer in peers:
                    waiting = self._arrived.get((peer, channel))
                    if waiting:
                        message = waiting.popleft()
                        if not waiting:
                            del self._arrived[peer, channel]
                        return peer, message
                if all(peer in self._closed for peer in peers):
                    raise RuntimeError(self._closed[peers[0]])
                left = end - time.monotonic()
                if left <= 0:
                    raise RuntimeError(f"Timed out waiting {int(timeout.total_seconds() * 1000)}ms for recv operation "
                                       "to complete")
                self._news.wait(left)

    def close(self) -> None:
        """Say that nothing more will be sent; the threads end when the others say so too."""
        for connection in self._connections.values():
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)


def _address_in(store: Store) -> str:
    """The address by which the store's other users reach this process: the one that it reaches the store from."""
    while hasattr(store, "underlying_store"):
        store = store.underlying_store
    return getattr(store, "local_address", "127.0.0.1")

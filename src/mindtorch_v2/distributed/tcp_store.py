"""TCPStore: a store that one process keeps and others reach by the network."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
import weakref
from datetime import timedelta

from .errors import DistError, DistNetworkError, DistStoreError
from .store import DEFAULT_TIMEOUT, HashStore, Store, as_bytes

# A message is the number of its parts, and each part behind its size.
_COUNT, _SIZE = struct.Struct("<I"), struct.Struct("<Q")
_MOST_PARTS, _MOST_BYTES = 1 << 16, 1 << 30  # of a message: what is no store's client is turned away
_RETRY_S = 0.05
_WAITING = "init/"
_OWN = ("localhost", "127.0.0.1")


def send_parts(connection: socket.socket, parts: list[bytes]) -> None:
    """Send one message."""
    connection.sendall(_COUNT.pack(len(parts)) + b"".join(_SIZE.pack(len(part)) + part for part in parts))


def read_exactly(connection: socket.socket, nbytes: int) -> bytearray:
    """So many bytes; an error if the other side ends before."""
    data = bytearray(nbytes)
    view, place = memoryview(data), 0
    while place < nbytes:
        got = connection.recv_into(view[place:])
        if not got:
            raise ConnectionError("the connection was closed by the other side")
        place += got
    return data


def receive_parts(connection: socket.socket) -> list[bytes]:
    """Receive one message."""
    (count,) = _COUNT.unpack(read_exactly(connection, _COUNT.size))
    if count > _MOST_PARTS:
        raise ConnectionError(f"a message of {count} parts is none of a store's")
    parts = []
    for _ in range(count):
        (size,) = _SIZE.unpack(read_exactly(connection, _SIZE.size))
        if size > _MOST_BYTES:
            raise ConnectionError(f"a part of {size} bytes is none of a store's")
        parts.append(bytes(read_exactly(connection, size)))
    return parts


class _Server:
    """Answers what clients ask of a HashStore, each on a thread of its own."""

    def __init__(self, host: str, port: int) -> None:
        self.store = HashStore()
        address = "127.0.0.1" if host in _OWN else ""  # what is for this machine alone is seen by it alone
        self.listener = socket.create_server((address, port), backlog=socket.SOMAXCONN)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, name="pt_tcpstore", daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return  # closed
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), name="pt_tcpstore", daemon=True).start()

    def close(self) -> None:
        """Take no more clients; the threads of those that are left end with them."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that listens
        self.listener.close()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while True:
                command, *parts = receive_parts(connection)
                try:
                    answer = [b"", *_COMMANDS[command](self.store, *parts)]
                except DistError as error:
                    answer = [type(error).__name__.encode(), str(error).encode()]
                send_parts(connection, answer)


def _wait(store: HashStore, milliseconds: bytes, *keys: bytes) -> list[bytes]:
    store.wait([key.decode() for key in keys], timedelta(milliseconds=int(milliseconds)))
    return []


def _truth(value: object) -> list[bytes]:
    return [b"1" if value else b"0"]


# What a client may ask for, and how it is answered.
_COMMANDS = {
    b"set": lambda store, key, value: [] if store.set(key.decode(), value) else [],
    b"get": lambda store, key: [store.get(key.decode())],
    b"add": lambda store, key, amount: [str(store.add(key.decode(), int(amount))).encode()],
    b"append": lambda store, key, value: [] if store.append(key.decode(), value) else [],
    b"compare_set": lambda store, key, expected, desired: [store.compare_set(key.decode(), expected, desired)],
    b"check": lambda store, *keys: _truth(store.check([key.decode() for key in keys])),
    b"wait": _wait,
    b"delete_key": lambda store, key: _truth(store.delete_key(key.decode())),
    b"num_keys": lambda store: [str(store.num_keys()).encode()],
    b"list_keys": lambda store: [key.encode() for key in store.list_keys()],
}


class TCPStore(Store):
    """A store that the process with ``is_master`` keeps; every other one reaches it at its host and port."""

    def __init__(self, host_name: str, port: int, world_size: int | None = None, is_master: bool = False,
                 timeout: timedelta = DEFAULT_TIMEOUT, wait_for_workers: bool = True, multi_tenant: bool = False,
                 master_listen_fd: int | None = None, use_libuv: bool = True) -> None:
        super().__init__()
        self.host, self._timeout, self._local = host_name, timeout, threading.local()
        self._server = _server_at(host_name, port, multi_tenant) if is_master else None
        self.port = self._server.port if self._server else port
        if self._server and not multi_tenant:
            weakref.finalize(self, self._server.close)
        self.local_address = self._connection().getsockname()[0]
        if wait_for_workers and world_size:
            if self.add(_WAITING + "count", 1) == world_size:
                self.set(_WAITING + "complete", "1")
            if is_master:
                self.wait([_WAITING + "complete"])

    def _connection(self) -> socket.socket:
        """The connection of this thread: a thread that waits keeps no other from asking."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connected(self.host, self.port, self._timeout)
        return connection

    def _ask(self, command: str, *parts: str | bytes) -> list[bytes]:
        connection = self._connection()
        try:
            send_parts(connection, [command.encode(), *map(as_bytes, parts)])
            error, *answer = receive_parts(connection)
        except OSError as failure:
            self._local.connection = None
            raise DistNetworkError(f"The store at {self.host}:{self.port} cannot be reached: {failure}") from None
        if error:
            raise {b"DistStoreError": DistStoreError}.get(error, DistError)(answer[0].decode())
        return answer

    def set(self, key: str, value: str | bytes) -> None:
        """Keep a value."""
        self._ask("set", key, value)

    def get(self, key: str) -> bytes:
        """The value, as soon as it is there."""
        self.wait([key])
        return self._ask("get", key)[0]

    def add(self, key: str, amount: int) -> int:
        """Count, and say how far."""
        return int(self._ask("add", key, str(amount))[0])

    def append(self, key: str, value: str | bytes) -> None:
        """Put a value behind what is there."""
        self._ask("append", key, value)

    def compare_set(self, key: str, expected: str, desired: str) -> bytes:
        """Keep a value if the one that is there is as expected; what is there then."""
        return self._ask("compare_set", key, expected, desired)[0]

    def check(self, keys: list[str]) -> bool:
        """Whether all are there."""
        return self._ask("check", *keys) == [b"1"]

    def wait(self, keys: list[str], timeout: timedelta | None = None) -> None:
        """Wait until all are there."""
        self._ask("wait", str(int((timeout or self._timeout).total_seconds() * 1000)), *keys)

    def delete_key(self, key: str) -> bool:
        """Forget a value; whether there was one."""
        return self._ask("delete_key", key) == [b"1"]

    def num_keys(self) -> int:
        """How many values there are."""
        return int(self._ask("num_keys")[0])

    def list_keys(self) -> list[str]:
        """What there are values for."""
        return [key.decode() for key in self._ask("list_keys")]


_servers: dict[int, _Server] = {}  # that several stores of this process may share, by port


def _server_at(host: str, port: int, is_shared: bool) -> _Server:
    if is_shared and port in _servers:
        return _servers[port]
    server = _Server(host, port)
    if is_shared:
        _servers[server.port] = server
    return server


def connected(host: str, port: int, timeout: timedelta) -> socket.socket:
    """A connection to a process that may not listen yet."""
    seconds = timeout.total_seconds()
    end = time.monotonic() + seconds
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=max(end - time.monotonic(), _RETRY_S))
            break
        except OSError as error:
            if time.monotonic() + _RETRY_S > end:
                raise DistNetworkError(f"The client socket has timed out after {int(seconds * 1000)}ms while trying to "
                                       f"connect to ({host}, {port}).") from error
            time.sleep(_RETRY_S)
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection

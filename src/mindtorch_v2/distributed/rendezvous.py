"""How processes find each other: by variables of the environment, a host and port, or a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from urllib.parse import parse_qs, urlparse

from .constants import default_pg_timeout
from .store import FileStore, Store
from .tcp_store import TCPStore

_NOT_SET = "Error initializing torch.distributed using env:// rendezvous: environment variable {} expected, but not set"
_MISSING = "Error initializing torch.distributed using {} rendezvous: {} parameter missing"

Found = Iterator[tuple[Store, int, int]]


def from_environment(name: str) -> str:
    """A variable that must be there."""
    if name not in os.environ:
        raise ValueError(_NOT_SET.format(name))
    return os.environ[name]


def _number(url: str, query: dict[str, list[str]], name: str) -> int:
    if name not in query:
        raise ValueError(_MISSING.format(url.partition(":")[0] + "://", "world size" if name == "world_size" else name))
    return int(query[name][0])


def _by_file(url: str, timeout: timedelta = default_pg_timeout, **options) -> Found:
    parts = urlparse(url)
    query = parse_qs(parts.query)
    rank, world_size = _number(url, query, "rank"), _number(url, query, "world_size")
    if not parts.path:
        raise ValueError(_MISSING.format("file://", "path"))
    yield FileStore(parts.path, world_size), rank, world_size


def _by_port(url: str, timeout: timedelta = default_pg_timeout, **options) -> Found:
    parts = urlparse(url)
    query = parse_qs(parts.query)
    if not parts.port:
        raise ValueError(_MISSING.format("tcp://", "port number"))
    rank, world_size = _number(url, query, "rank"), _number(url, query, "world_size")
    yield TCPStore(parts.hostname, parts.port, world_size, rank == 0, timeout), rank, world_size


def _by_environment(url: str, timeout: timedelta = default_pg_timeout, **options) -> Found:
    query = parse_qs(urlparse(url).query)
    rank = int(query["rank"][0] if "rank" in query else from_environment("RANK"))
    world_size = int(query["world_size"][0] if "world_size" in query else from_environment("WORLD_SIZE"))
    host, port = from_environment("MASTER_ADDR"), int(from_environment("MASTER_PORT"))
    # torchrun keeps the store itself, so that it outlives a worker that is started again.
    is_kept = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    store = TCPStore(host, port, world_size, rank == 0 and not is_kept, timeout, wait_for_workers=not is_kept,
                     multi_tenant=True)
    yield store, rank, world_size


_handlers: dict[str, Callable[..., Found]] = {"file": _by_file, "tcp": _by_port, "env": _by_environment}


def register_rendezvous_handler(scheme: str, handler: Callable[..., Found]) -> None:
    """Have addresses that begin with a word handled by a generator of (store, rank, world size)."""
    if scheme in _handlers:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    _handlers[scheme] = handler


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **options) -> Found:
    """The store that an address leads to, with this process's number and how many there are."""
    if not isinstance(url, (str, bytes)):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    given = [f"{name}={value}" for name, value in (("rank", rank), ("world_size", world_size)) if value >= 0]
    if given:
        if not isinstance(rank, int) or not isinstance(world_size, int):
            raise RuntimeError(f"`rank` and `world_size` must be integers. {rank=}, {world_size=}")
        url = f"{url}{'&' if urlparse(url).query else '?'}{'&'.join(given)}"
    scheme = urlparse(url).scheme
    if scheme not in _handlers:
        raise RuntimeError(f"No rendezvous handler for {scheme}://")
    return _handlers[scheme](url, **options)

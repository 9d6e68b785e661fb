"""Groups of processes: of this one alone, or of several that are connected."""

from __future__ import annotations

import itertools
import os
import warnings
import zlib
from collections.abc import Iterable
from datetime import timedelta

from .constants import default_pg_timeout
from .links import Channel, Links
from .rendezvous import from_environment, rendezvous
from .store import HashStore, PrefixStore, Store
from .work import Worker, end_workers

_NOT_INITIALIZED = "Default process group has not been initialized, please make sure to call init_process_group."
_ABSENT = ("nccl", "mpi", "ucc", "xccl")
_HINTS = {"mpi": ". MPI is only included if you build PyTorch from source on a host that has MPI installed."}
_starts = itertools.count()  # of worlds in this process: a store still knows the ones before, as torchrun's does


class Backend(str):
    """The name of a way to other processes; of torch's names, gloo leads to them."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI]

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class ProcessGroup:
    """Some of the processes that are connected, this one among them."""

    def __init__(self, backend: Backend, name: str, ranks: list[int], links: Links, number: int,
                 timeout: timedelta, store: Store, group_desc: str = "undefined") -> None:
        self.backend, self.group_name, self.group_desc = backend, name, group_desc
        self.ranks, self.links, self.number, self.timeout, self._store = ranks, links, number, timeout, store
        self.worker = Worker()
        self._tags = itertools.count(-1, -1)  # of collectives; those of send() are not negative

    def rank(self) -> int:
        """This process's number in the group."""
        return self.ranks.index(self.links.rank)

    def size(self) -> int:
        """How many processes there are."""
        return len(self.ranks)

    def name(self) -> str:
        """The name of the way to others."""
        return str(self.backend)

    def get_group_store(self) -> Store:
        """What the group's processes find each other by."""
        return self._store

    def next_tag(self) -> int:
        """What the messages of the next collective are about."""
        return next(self._tags)

    def channel(self, tag: int) -> Channel:
        """What messages of this group are about."""
        return self.number, tag

    def send(self, peer: int, tag: int, data) -> None:
        """Send bytes to a process, by its number in the group."""
        self.links.send(self.ranks[peer], self.channel(tag), data)

    def receive(self, peer: int, tag: int, timeout: timedelta | None = None) -> bytearray:
        """The next bytes of a process."""
        return self.links.receive([self.ranks[peer]], self.channel(tag), timeout or self.timeout)[1]

    def swap(self, tag: int, outgoing: dict[int, object], incoming: Iterable[int],
             timeout: timedelta | None = None) -> dict[int, bytearray]:
        """Send to some processes, and take what others send."""
        for peer, data in outgoing.items():
            self.send(peer, tag, data)
        return {peer: self.receive(peer, tag, timeout) for peer in incoming}


class _GroupMeta(type):
    """``group.WORLD``, which is another group after each init_process_group()."""

    WORLD: ProcessGroup | None = None
    count = 0  # of groups that were made since then
    last_foreign_ranks: list[int] = []  # of the last group that this process is not in


class group(metaclass=_GroupMeta):  # noqa: N801  torch's name
    """The group of all processes."""


class GroupMember(metaclass=_GroupMeta):
    """The same, and what new_group() gives to a process that is not in the group."""

    NON_GROUP_MEMBER = -100


def _rank_not_in_group(group: ProcessGroup | int | None) -> bool:
    """torch's name for the opposite of ``is_member``, which libraries ask."""
    return not is_member(group)


def is_initialized() -> bool:
    """Whether there is a group."""
    return _GroupMeta.WORLD is not None


def default_group() -> ProcessGroup:
    """The group of all processes; an error before init_process_group()."""
    if _GroupMeta.WORLD is None:
        raise ValueError(_NOT_INITIALIZED)
    return _GroupMeta.WORLD


def is_member(group: ProcessGroup | int | None) -> bool:
    """Whether this process belongs to a group."""
    return group != GroupMember.NON_GROUP_MEMBER


def check_timeout(timeout: timedelta | None) -> None:
    """An error for what is no span of time."""
    if timeout is not None and not isinstance(timeout, timedelta):
        raise TypeError(f"Expected timeout argument to be of type datetime.timedelta, got {timeout}")


def _chosen(backend: str | None) -> Backend:
    """The way to other processes, which must be one that is known and here."""
    chosen = Backend(backend or "gloo")
    names = [part.rpartition(":")[2] for part in chosen.split(",")]  # "cpu:gloo,cuda:nccl"
    for name in names:
        if name not in Backend.backend_list:
            if ":" not in chosen:
                warnings.warn(f"Device capability of {name} unknown, assuming `cpu` and `cuda`. You can specify it in "
                              "`device:backend` format in `init_process_group` call.", stacklevel=3)
            raise AssertionError(f"Unknown backend type {name}")
    if names[0] in _ABSENT and len(names) == 1:
        raise RuntimeError(f"Distributed package doesn't have {names[0].upper()} built in" + _HINTS.get(names[0], ""))
    return chosen


def init_process_group(backend: str | None = None, init_method: str | None = None, timeout: timedelta | None = None,
                       world_size: int = -1, rank: int = -1, store: Store | None = None, group_name: str = "",
                       pg_options=None, device_id=None, _ranks: list[int] | None = None) -> None:
    """Make the group of all processes, which are found by an address or a store."""
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if store is not None and world_size <= 0:
        raise AssertionError("world_size must be positive if using store")
    if store is not None and rank < 0:
        raise AssertionError("rank must be non-negative if using store")
    check_timeout(timeout)
    timeout = timeout or default_pg_timeout
    if store is None and (init_method is None or init_method.startswith("env://")):
        rank = rank if rank >= 0 else int(from_environment("RANK"))
        world_size = world_size if world_size >= 0 else int(from_environment("WORLD_SIZE"))
        for name in ("MASTER_ADDR", "MASTER_PORT"):
            from_environment(name)
    chosen = _chosen(backend)
    if store is None and world_size == 1 and rank == 0 and (init_method or "env://").startswith("env://"):
        store = HashStore()  # nobody else has to find it
    elif store is None:
        store, rank, world_size = next(rendezvous(init_method or "env://", rank, world_size, timeout=timeout))
        store.set_timeout(timeout)
    if not 0 <= rank < world_size:
        raise ValueError(f"rank {rank} is none of {world_size} processes, which are numbered from 0")
    if world_size > 1:
        store = PrefixStore(f"default_pg/{os.environ.get('TORCHELASTIC_RESTART_COUNT', 0)}/{next(_starts)}", store)
    links = Links(rank, world_size, store, timeout)
    _GroupMeta.count = 1
    _GroupMeta.WORLD = ProcessGroup(chosen, group_name or "0", list(range(world_size)), links, 0, timeout, store,
                                    "default_pg")


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Dissolve a group; all of them, if none is named."""
    if not is_member(group):
        return
    if group is None and not is_initialized():
        raise AssertionError("Process group cannot be None")
    if group is None or group is _GroupMeta.WORLD:
        if _GroupMeta.WORLD is not None:
            end_workers()
            _GroupMeta.WORLD.links.close()
        _GroupMeta.WORLD, _GroupMeta.count = None, 0
    else:
        group.worker.close()


def new_group(ranks: list[int] | None = None, timeout: timedelta | None = None, backend: str | None = None,
              pg_options=None, use_local_synchronization: bool = False, group_desc: str | None = None, device_id=None,
              sort_ranks: bool = True) -> ProcessGroup | int:
    """A group of some processes. All call this, or with ``use_local_synchronization`` those of the group."""
    world = default_group()
    size = world.size()
    ranks = list(range(size)) if ranks is None else sorted(ranks) if sort_ranks else list(ranks)
    for rank in ranks:
        if not 0 <= rank < size:
            raise ValueError(f"Rank {rank} is out of range. Valid ranks are 0 to {size - 1} (world_size={size})")
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"ranks list must not contain duplicate entries, got {ranks}")
    check_timeout(timeout)
    chosen = _chosen(backend) if backend else world.backend
    number, _GroupMeta.count = _GroupMeta.count, _GroupMeta.count + 1
    if use_local_synchronization:  # others made no group meanwhile: its number is that of its members
        number = -1 - zlib.crc32(repr(ranks).encode())
    if world.rank() not in ranks:
        _GroupMeta.last_foreign_ranks = ranks
        return GroupMember.NON_GROUP_MEMBER
    name = str(number)
    return ProcessGroup(chosen, name, ranks, world.links, number, timeout or world.timeout,
                        PrefixStore(name, world.get_group_store()), group_desc or "undefined")

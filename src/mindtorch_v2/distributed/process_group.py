"""Groups of processes: of this one alone, since there is no way to others."""

from __future__ import annotations

import os
from datetime import timedelta

_NOT_INITIALIZED = "Default process group has not been initialized, please make sure to call init_process_group."
_NOT_SET = "Error initializing torch.distributed using env:// rendezvous: environment variable {} expected, but not set"
_ALONE = ("mindtorch_v2 makes no groups of several processes, but {} were asked for: run one process (world_size=1), "
          "or do not call init_process_group")
_ABSENT = ("nccl", "mpi", "ucc", "xccl")


class Backend(str):
    """The name of a way to other processes; torch's names are known, and none leads anywhere."""

    UNDEFINED, GLOO, NCCL, UCC, MPI, XCCL = "undefined", "gloo", "nccl", "ucc", "mpi", "xccl"
    backend_list = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI]

    def __new__(cls, name: str) -> Backend:
        if not isinstance(name, str):
            raise ValueError("Backend constructor parameter must be string-ish")
        return super().__new__(cls, name.lower())


class ProcessGroup:
    """A group of one process."""

    def __init__(self, backend: Backend, name: str = "0") -> None:
        self.backend, self.group_name = backend, name

    def rank(self) -> int:
        """This process's number: 0."""
        return 0

    def size(self) -> int:
        """How many processes there are: one."""
        return 1

    def name(self) -> str:
        """The name of the way to others."""
        return str(self.backend)


class _GroupMeta(type):
    """``group.WORLD``, which is another group after each init_process_group()."""

    WORLD: ProcessGroup | None = None


class group(metaclass=_GroupMeta):  # noqa: N801  torch's name
    """The group of all processes."""


class GroupMember(metaclass=_GroupMeta):
    """The same, and what new_group() gives to a process that is not in the group."""

    NON_GROUP_MEMBER = -100


def is_initialized() -> bool:
    """Whether there is a group."""
    return _GroupMeta.WORLD is not None


def default_group() -> ProcessGroup:
    """The group of all processes; an error before init_process_group()."""
    if _GroupMeta.WORLD is None:
        raise ValueError(_NOT_INITIALIZED)
    return _GroupMeta.WORLD


def _from_environment(name: str, given: int) -> int:
    if given >= 0:
        return given
    if name not in os.environ:
        raise ValueError(_NOT_SET.format(name))
    return int(os.environ[name])


def init_process_group(backend: str | None = None, init_method: str | None = None, timeout: timedelta | None = None,
                       world_size: int = -1, rank: int = -1, store=None, group_name: str = "", pg_options=None,
                       device_id=None, _ranks: list[int] | None = None) -> None:
    """Make the group of all processes, which must be this one alone."""
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    if store is not None and init_method is not None:
        raise AssertionError("Cannot specify both init_method and store.")
    if store is None and (init_method is None or init_method.startswith("env://")):
        rank, world_size = _from_environment("RANK", rank), _from_environment("WORLD_SIZE", world_size)
        for name in ("MASTER_ADDR", "MASTER_PORT"):
            if name not in os.environ:
                raise ValueError(_NOT_SET.format(name))
    if world_size != 1 or rank > 0:
        raise RuntimeError(_ALONE.format("an unknown number" if world_size < 0 else world_size))
    chosen = Backend(backend or "gloo")
    names = [part.rpartition(":")[2] for part in chosen.split(",")]  # "cpu:gloo,cuda:nccl"
    for name in names:
        if name not in Backend.backend_list:
            raise AssertionError(f"Unknown backend type {name}")
    if names[0] in _ABSENT and len(names) == 1:
        raise RuntimeError(f"Distributed package doesn't have {names[0].upper()} built in")
    _GroupMeta.WORLD = ProcessGroup(chosen, group_name or "0")


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Dissolve a group; all of them, if none is named."""
    if group is None and not is_initialized():
        raise AssertionError("Process group cannot be None")
    if group is None or group is _GroupMeta.WORLD:
        _GroupMeta.WORLD = None


def new_group(ranks: list[int] | None = None, timeout: timedelta | None = None, backend: str | None = None,
              pg_options=None, use_local_synchronization: bool = False, group_desc: str | None = None, device_id=None,
              sort_ranks: bool = True) -> ProcessGroup | int:
    """A group of some processes: of this one, or none of this one's."""
    world = default_group()
    ranks = [0] if ranks is None else ranks
    if any(rank != 0 for rank in ranks):
        raise ValueError("the new group's rank should be within the world_size set by init_process_group")
    return ProcessGroup(Backend(backend) if backend else world.backend) if ranks else GroupMember.NON_GROUP_MEMBER


def get_rank(group: ProcessGroup | None = None) -> int:
    """This process's number in a group."""
    return (group or default_group()).rank()


def get_world_size(group: ProcessGroup | None = None) -> int:
    """How many processes a group has."""
    return (group or default_group()).size()


def get_backend(group: ProcessGroup | None = None) -> Backend:
    """The name of a group's way to others."""
    return (group or default_group()).backend


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """The numbers of a group's processes."""
    return [(group or default_group()).rank()]


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The number of a process among all, by that in a group."""
    if group_rank != 0:
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return 0


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The number of a process in a group, by that among all."""
    if global_rank != 0:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return 0


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """This process's number on its machine."""
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is not None:
        return int(fallback_rank)
    raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow "
                       "`get_node_local_rank` to work, assuming you are not running in a multi-device context and want "
                       "the code to run locally instead.")


def is_backend_available(backend: str) -> bool:
    """False: none leads to another process."""
    return False

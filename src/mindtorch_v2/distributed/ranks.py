"""Numbers of processes: in a group, among all, on their machine; and what groups say of themselves."""

from __future__ import annotations

import os

from .process_group import Backend, ProcessGroup, _GroupMeta, default_group, is_member

_NOT_MEMBER = -1


def get_rank(group: ProcessGroup | None = None) -> int:
    """This process's number in a group; -1 outside of it."""
    return (group or default_group()).rank() if is_member(group) else _NOT_MEMBER


def get_world_size(group: ProcessGroup | None = None) -> int:
    """How many processes a group has; -1 outside of it."""
    return (group or default_group()).size() if is_member(group) else _NOT_MEMBER


def get_backend(group: ProcessGroup | None = None) -> Backend:
    """The name of a group's way to others."""
    if not is_member(group):
        raise ValueError("Invalid process group specified")
    return (group or default_group()).backend


def get_backend_config(group: ProcessGroup | None = None) -> str:
    """The way to others of each kind of device."""
    backend = get_backend(group)
    return str(backend) if ":" in backend else f"cpu:{backend},cuda:{backend}"


def get_default_backend_for_device(device) -> str:
    """The way to other processes of tensors on a device."""
    kind = str(device).partition(":")[0]
    if kind != "cpu":
        raise ValueError(f"Default backend not registered for device : {device}")
    return Backend.GLOO


def get_pg_count() -> int:
    """How many groups were made."""
    return _GroupMeta.count


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """The numbers of a group's processes."""
    return list(_ranks_of(group))


def _ranks_of(group: ProcessGroup | int | None) -> list[int]:
    """The same for what new_group() gives outsiders, too: those of the last group that was closed to this process."""
    return (group or default_group()).ranks if is_member(group) else _GroupMeta.last_foreign_ranks


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """The number of a process among all, by that in a group."""
    if group is _GroupMeta.WORLD:
        return group_rank
    ranks = _ranks_of(group)
    if not 0 <= group_rank < len(ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return ranks[group_rank]


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """The number of a process in a group, by that among all."""
    if group is _GroupMeta.WORLD:
        return global_rank
    ranks = _ranks_of(group)
    if global_rank not in ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return ranks.index(global_rank)


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
    """Whether a way leads to other processes: gloo's does."""
    return backend.lower() == Backend.GLOO

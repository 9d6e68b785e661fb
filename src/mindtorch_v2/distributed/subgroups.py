"""Many groups at once."""

from __future__ import annotations

from datetime import timedelta

from .process_group import ProcessGroup, is_member, new_group
from .ranks import get_process_group_ranks, get_world_size


def new_subgroups(group_size: int | None = None, group: ProcessGroup | None = None, timeout: timedelta | None = None,
                  backend: str | None = None, pg_options=None, group_desc: str | None = None,
                  ) -> tuple[ProcessGroup | int, list[ProcessGroup | int]]:
    """Groups of neighbouring processes of one size: this process's, and all of them."""
    ranks, size = get_process_group_ranks(group), get_world_size(group)
    if group_size is None:
        raise ValueError("Default group size only takes effect when CUDA is available. If your subgroup using a "
                         "backend that does not depend on CUDA, please pass in 'group_size' correctly.")
    if group_size <= 0:
        raise ValueError(f"The arg 'group_size' ({group_size}) must be positive")
    if size < group_size:
        raise ValueError(f"The arg 'group_size' ({group_size}) must not exceed the world size ({size})")
    if size % group_size:
        raise ValueError(f"The world size ({size}) must be divisible by '{group_size=}'")
    return new_subgroups_by_enumeration([ranks[start:start + group_size] for start in range(0, size, group_size)],
                                        timeout, backend, pg_options, group_desc)


def new_subgroups_by_enumeration(ranks_per_subgroup_list: list[list[int]], timeout: timedelta | None = None,
                                 backend: str | None = None, pg_options=None, group_desc: str | None = None,
                                 ) -> tuple[ProcessGroup | int | None, list[ProcessGroup | int]]:
    """Groups of these processes: this process's, and all of them."""
    if not ranks_per_subgroup_list:
        raise ValueError("The arg 'ranks_per_subgroup_list' cannot be empty")
    groups = [new_group(ranks, timeout, backend, pg_options, group_desc=group_desc)
              for ranks in ranks_per_subgroup_list]
    return next((group for group in groups if is_member(group)), None), groups

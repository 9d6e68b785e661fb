"""What the processes of a group do together with objects that can be pickled; one process gets copies of its own."""

from __future__ import annotations

import pickle
from typing import Any

from .process_group import ProcessGroup, default_group


def _sent(obj: Any) -> Any:
    """What arrives: a copy, made by pickling."""
    return pickle.loads(pickle.dumps(obj))


def all_gather_object(object_list: list, obj: Any, group: ProcessGroup | None = None) -> None:
    """The objects of all processes, put into a list."""
    group or default_group()
    object_list[0] = _sent(obj)


def gather_object(obj: Any, object_gather_list: list | None = None, dst: int | None = None,
                  group: ProcessGroup | None = None, group_dst: int | None = None) -> None:
    """The objects of all processes, put into the list of one."""
    group or default_group()
    if object_gather_list is None:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    object_gather_list[0] = _sent(obj)


def broadcast_object_list(object_list: list, src: int | None = None, group: ProcessGroup | None = None, device=None,
                          group_src: int | None = None) -> None:
    """The objects of one process, in the place of those of each."""
    group or default_group()
    if (src or group_src or 0) != 0:
        raise ValueError(f"there is no process {src or group_src} in a group of one")
    object_list[:] = [_sent(obj) for obj in object_list]


def scatter_object_list(scatter_object_output_list: list, scatter_object_input_list: list | None = None,
                        src: int | None = None, group: ProcessGroup | None = None,
                        group_src: int | None = None) -> None:
    """The objects of one process's list, one for each process."""
    group or default_group()
    if not scatter_object_output_list:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    scatter_object_output_list[0] = _sent(scatter_object_input_list[0])

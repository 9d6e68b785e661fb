"""What the processes of a group do together with objects that can be pickled; each gets copies of its own.

As in torch, whoever is in the group is trusted: unpickling can run code.
"""

from __future__ import annotations

import pickle
from typing import Any

from .arguments import chosen, first_unless_named, root_of
from .point_to_point import _peer
from .process_group import ProcessGroup

_OBJECTS = (1 << 62)  # tags of objects that are sent, apart from those of tensors


def all_gather_object(object_list: list, obj: Any, group: ProcessGroup | None = None) -> None:
    """The objects of all processes, put into a list."""
    group = chosen(group, "all_gather_object")
    if group is None:
        return
    data, everyone = pickle.dumps(obj), range(group.size())
    came = group.swap(group.next_tag(), dict.fromkeys(everyone, data), everyone)
    for peer in everyone:
        object_list[peer] = pickle.loads(came[peer])


def gather_object(obj: Any, object_gather_list: list | None = None, dst: int | None = None,
                  group: ProcessGroup | None = None, group_dst: int | None = None) -> None:
    """The objects of all processes, put into the list of one."""
    group = chosen(group, "gather_object")
    if group is None:
        return
    root = root_of("gather", group, first_unless_named(dst, group_dst), group_dst)
    if group.rank() == root and not object_gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    if group.rank() != root and object_gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
    came = group.swap(group.next_tag(), {root: pickle.dumps(obj)}, range(group.size()) if group.rank() == root else ())
    for peer, data in came.items():
        object_gather_list[peer] = pickle.loads(data)


def broadcast_object_list(object_list: list, src: int | None = None, group: ProcessGroup | None = None, device=None,
                          group_src: int | None = None) -> None:
    """The objects of one process, in the place of those of each."""
    group = chosen(group, "broadcast_object_list")
    if group is None:
        return
    root = root_of("broadcast", group, src, group_src)
    outgoing = dict.fromkeys(range(group.size()), pickle.dumps(object_list)) if group.rank() == root else {}
    object_list[:] = pickle.loads(group.swap(group.next_tag(), outgoing, [root])[root])


def scatter_object_list(scatter_object_output_list: list, scatter_object_input_list: list | None = None,
                        src: int | None = None, group: ProcessGroup | None = None,
                        group_src: int | None = None) -> None:
    """The objects of one process's list, one for each process."""
    group = chosen(group, "scatter_object_list")
    if group is None:
        return
    if not scatter_object_output_list:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root, outgoing = root_of("broadcast", group, first_unless_named(src, group_src), group_src), {}
    if group.rank() == root:
        if scatter_object_input_list is None:
            raise ValueError("source rank must provide non-None scatter_object_input_list")
        outgoing = {peer: pickle.dumps(scatter_object_input_list[peer]) for peer in range(group.size())}
    scatter_object_output_list[0] = pickle.loads(group.swap(group.next_tag(), outgoing, [root])[root])


def send_object_list(object_list: list, dst: int | None = None, group: ProcessGroup | None = None, device=None,
                     group_dst: int | None = None, use_batch: bool = False) -> None:
    """Send objects to a process."""
    group = chosen(group, "send_object_list")
    if group is not None:
        group.send(_peer("destination", group, dst, group_dst), _OBJECTS, pickle.dumps(object_list))


def recv_object_list(object_list: list, src: int | None = None, group: ProcessGroup | None = None, device=None,
                     group_src: int | None = None, use_batch: bool = False) -> int:
    """Take objects of a process, or of any; whose they were, or -1 outside of the group."""
    group = chosen(group, "recv_object_list")
    if group is None:
        return -1
    if src is None and group_src is None:
        peers = [peer for peer in group.ranks if peer != group.links.rank]
    else:
        peers = [group.ranks[_peer("source", group, src, group_src)]]
    peer, data = group.links.receive(peers, group.channel(_OBJECTS), group.timeout)
    object_list[:] = pickle.loads(data)
    return peer

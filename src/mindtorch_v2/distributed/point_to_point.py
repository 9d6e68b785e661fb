"""What one process sends to another."""

from __future__ import annotations

from collections.abc import Callable

from ..core.tensor import Tensor
from .collectives import check, chosen
from .parts import array_of, bytes_of, from_bytes, write
from .process_group import ProcessGroup, default_group
from .ranks import get_global_rank, get_group_rank
from .work import Receiving, Work

_SELF = "Invalid {0} rank: {0} rank should not be the same as the rank of the current process."


def _peer(kind: str, group: ProcessGroup, rank: int | None, group_rank: int | None) -> int:
    """The number in the group of the process that is meant, which must be another one."""
    if group_rank is None:
        if rank is None:
            raise ValueError(f"Must specify {'dst' if kind == 'destination' else 'src'} or group_"
                             f"{'dst' if kind == 'destination' else 'src'}")
        if rank == default_group().rank():
            raise ValueError(_SELF.format(kind))
        return get_group_rank(group, rank)
    if group_rank == group.rank():
        raise ValueError(_SELF.format(kind))
    get_global_rank(group, group_rank)
    return group_rank


def isend(tensor: Tensor, dst: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
          group_dst: int | None = None) -> Work | None:
    """Send a tensor to a process; it has been handed on when this returns."""
    check(tensor=tensor)
    group = chosen(group, "isend")
    if group is None:
        return None
    group.send(_peer("destination", group, dst, group_dst), tag, bytes_of(array_of(tensor)))
    return Work([tensor])


def send(tensor: Tensor, dst: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
         group_dst: int | None = None) -> None:
    """Send a tensor to a process."""
    isend(tensor, dst, group, tag, group_dst)


def irecv(tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
          group_src: int | None = None) -> Work | None:
    """Have a tensor of a process, or of any, put in the place of one; it is there after wait()."""
    check(tensor=tensor)
    group = chosen(group, "irecv")
    if group is None:
        return None
    if src is None and group_src is None:
        peers = [peer for peer in group.ranks if peer != group.links.rank]
    else:
        peers = [group.ranks[_peer("source", group, src, group_src)]]
    channel = group.channel(tag)

    def take() -> int:
        peer, data = group.links.receive(peers, channel, group.timeout)
        write(tensor, from_bytes(data, array_of(tensor), "recv", peer))
        return peer
    return Receiving([tensor], lambda: any(group.links.has(peer, channel) for peer in peers), take)


def recv(tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
         group_src: int | None = None) -> int:
    """Take a tensor of a process, or of any; whose it was, or -1 outside of the group."""
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work.source_rank()


class P2POp:
    """One of several things that batch_isend_irecv() is to do."""

    def __init__(self, op: Callable, tensor: Tensor, peer: int | None = None, group: ProcessGroup | None = None,
                 tag: int = 0, group_peer: int | None = None) -> None:
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                             "``torch.distributed.irecv``.")
        check(tensor=tensor)
        self.op, self.tensor, self.group, self.tag = op, tensor, group or default_group(), tag
        self.group_peer = _peer("destination" if op is isend else "source", self.group, peer, group_peer)
        self.peer = self.group.ranks[self.group_peer]


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Work]:
    """Send and receive several tensors."""
    if not p2p_op_list or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    return [planned.op(planned.tensor, planned.peer, planned.group, planned.tag) for planned in p2p_op_list]

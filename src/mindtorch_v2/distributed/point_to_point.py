"""What one process sends to another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from ..core.tensor import Tensor
from .arguments import check, chosen, number_in
from .parts import array_of, bytes_of, from_bytes, write
from .process_group import ProcessGroup, check_timeout, default_group
from .ranks import get_global_rank
from .work import Receiving, Work

_SELF = "Invalid {0} rank: {0} rank should not be the same as the rank of the current process."


def _peer(kind: str, group: ProcessGroup, rank: int | None, group_rank: int | None) -> int:
    """The number in the group of the process that is meant, which must be another one."""
    number = number_in(group, rank, group_rank)
    if number == group.rank():
        raise ValueError(_SELF.format(kind))
    if not 0 <= number < group.size():
        raise ValueError(f"Group rank {number} is not part of group {group}")
    return number


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

    def take(timeout: timedelta | None) -> int:
        check_timeout(timeout)
        peer, data = group.links.receive(peers, channel, timeout or group.timeout)
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
        self.group_peer = number_in(self.group, peer, group_peer)
        self.peer = get_global_rank(self.group, self.group_peer)

    def __repr__(self) -> str:
        here = self.group.rank()
        source, destination = (here, self.group_peer) if self.op is isend else (self.group_peer, here)
        return (f"P2POp({self.op.__name__} pg={self.group.group_name}, group_src={source}, group_dst={destination},  "
                f"{self.tensor.shape}, {self.tensor.dtype})")


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Work]:
    """Send and receive several tensors."""
    if not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise ValueError("Invalid ``p2p_op_list``. Each op is expected to to be of type ``torch.distributed.P2POp``.")
    if not p2p_op_list:
        raise IndexError("list index out of range")
    return [planned.op(planned.tensor, planned.peer, planned.group, planned.tag) for planned in p2p_op_list]

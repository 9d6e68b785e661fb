"""What the processes of a group do together with tensors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.tensor import Tensor
from ..record import rows
from ..record.layout import FUNCTION_SCOPE
from ..record.names import names
from .arguments import check, check_one_type, check_parts, chosen, first_unless_named, root_of
from .parts import array_of, bytes_of, check_reduction, chunks, from_bytes, reduced, supports_complex, write
from .process_group import ProcessGroup
from .reduce_op import ReduceOp
from .work import Work


def run(group: ProcessGroup, names_of: tuple[str, str], function: Callable[[int], object], written: list[Tensor],
        async_op: bool) -> Work | None:
    """Have the group's thread carry a collective out: in rows of torch's names, and waited for unless told not to."""
    op_name, loop_name = names_of
    row = rows.open_range(names.number(f"c10d::{op_name}"), FUNCTION_SCOPE) if rows.is_listening() else -1
    try:
        if any(tensor.is_meta for tensor in written):  # without numbers, nothing has to travel
            work = Work(written)
        else:
            tag = group.next_tag()
            work = Work(written, group.worker.submit(f"gloo:{loop_name}", lambda: function(tag)))
    finally:
        if row >= 0:
            rows.close_range(row)
    if async_op:
        return work
    work.wait()
    return None


def _gathered(group: ProcessGroup, tag: int, name: str, mine: np.ndarray) -> list[np.ndarray]:
    """The numbers of all processes, sent by each to each."""
    rank = group.rank()
    others = [peer for peer in range(group.size()) if peer != rank]
    came = group.swap(tag, dict.fromkeys(others, bytes_of(mine)), others)
    return [mine if peer == rank else from_bytes(came[peer], mine, name, peer) for peer in range(group.size())]


def _reduced_part(group: ProcessGroup, tag: int, name: str, op: ReduceOp, parts: list[np.ndarray]) -> np.ndarray:
    """Every process sends each its part of the numbers; what this one makes of its own."""
    rank = group.rank()
    others = [peer for peer in range(group.size()) if peer != rank]
    came = group.swap(tag, {peer: bytes_of(parts[peer]) for peer in others}, others)
    return reduced(op, [parts[rank] if peer == rank else from_bytes(came[peer], parts[rank], name, peer)
                        for peer in range(group.size())])


def _all_reduced(group: ProcessGroup, tag: int, op: ReduceOp, numbers: np.ndarray) -> np.ndarray:
    """Each process reduces a part and sends it to all: every process gets the same bits."""
    parts = chunks(numbers, group.size())
    mine = _reduced_part(group, tag, "all_reduce", op, parts)
    rank = group.rank()
    others = [peer for peer in range(group.size()) if peer != rank]
    came = group.swap(tag, dict.fromkeys(others, bytes_of(mine)), others)
    return np.concatenate([mine if peer == rank else from_bytes(came[peer], parts[peer], "all_reduce", peer)
                           for peer in range(group.size())])


def all_reduce(tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """The sum, or another reduction, of the tensors of all processes, in the place of each."""
    check(tensor=tensor)
    group = chosen(group, "all_reduce")
    if group is None:
        return None
    if tensor.is_complex() and not supports_complex(op):
        raise ValueError(f"all_reduce does not support {op} on complex tensors")
    check_reduction("all_reduce", tensor, op)
    if tensor.is_sparse:
        from .sparse_reduction import all_reduce_sparse
        return all_reduce_sparse(tensor, op, group, async_op)

    def work(tag: int) -> None:
        write(tensor, _all_reduced(group, tag, op, array_of(tensor)))
    return run(group, ("allreduce_", "all_reduce"), work, [tensor], async_op)


def broadcast(tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, async_op: bool = False,
              group_src: int | None = None) -> Work | None:
    """The tensor of one process, in the place of that of each."""
    check(tensor=tensor)
    group = chosen(group, "broadcast")
    if group is None:
        return None
    root = root_of("broadcast", group, src, group_src)

    def work(tag: int) -> None:
        if group.rank() == root:
            data = bytes_of(array_of(tensor))
            group.swap(tag, {peer: data for peer in range(group.size()) if peer != root}, ())
        else:
            write(tensor, from_bytes(group.receive(root, tag), array_of(tensor), "broadcast", root))
    return run(group, ("broadcast_", "broadcast"), work, [tensor], async_op)


def reduce(tensor: Tensor, dst: int | None = None, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
           async_op: bool = False, group_dst: int | None = None) -> Work | None:
    """The same as all_reduce() for one process only."""
    check(tensor=tensor)
    group = chosen(group, "reduce")
    if group is None:
        return None
    root = root_of("reduce", group, dst, group_dst)
    check_reduction("reduce", tensor, op)

    def work(tag: int) -> None:
        mine = array_of(tensor)
        if group.rank() != root:
            group.send(root, tag, bytes_of(mine))
        else:
            parts = [mine if peer == root else from_bytes(group.receive(peer, tag), mine, "reduce", peer)
                     for peer in range(group.size())]
            write(tensor, reduced(op, parts))
    return run(group, ("reduce_", "reduce"), work, [tensor], async_op)


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """The tensors of all processes, copied into a list."""
    check(tensor_list=tensor_list, tensor=tensor)
    group = chosen(group, "all_gather")
    if group is None:
        return None
    check_one_type(*tensor_list, tensor)
    check_parts("allgather", "output", tensor_list, tensor, group.size())

    def work(tag: int) -> None:
        for out, numbers in zip(tensor_list, _gathered(group, tag, "all_gather", array_of(tensor)), strict=True):
            write(out, numbers)
    return run(group, ("allgather_", "all_gather"), work, tensor_list, async_op)


def gather(tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int | None = None,
           group: ProcessGroup | None = None, async_op: bool = False, group_dst: int | None = None) -> Work | None:
    """The tensors of all processes, copied into the list of one."""
    check(tensor=tensor)
    group = chosen(group, "gather")
    if group is None:
        return None
    root = root_of("gather", group, first_unless_named(dst, group_dst), group_dst)
    if group.rank() == root:
        if not gather_list:
            raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
        check(gather_list=gather_list)
        check_one_type(tensor, *gather_list)
        check_parts("gather", "output", gather_list, tensor, group.size())
    elif gather_list:
        raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")

    def work(tag: int) -> None:
        mine = array_of(tensor)
        if group.rank() != root:
            group.send(root, tag, bytes_of(mine))
            return
        for peer, out in enumerate(gather_list):
            write(out, mine if peer == root else from_bytes(group.receive(peer, tag), mine, "gather", peer))
    return run(group, ("gather_", "gather"), work, gather_list or [], async_op)


def scatter(tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int | None = None,
            group: ProcessGroup | None = None, async_op: bool = False, group_src: int | None = None) -> Work | None:
    """The tensors of one process's list, one for each process."""
    check(tensor=tensor)
    group = chosen(group, "scatter")
    if group is None:
        return None
    root = root_of("scatter", group, first_unless_named(src, group_src), group_src)
    if group.rank() == root:
        if not scatter_list:
            raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
        check(scatter_list=scatter_list)
        check_one_type(tensor, *scatter_list)
        check_parts("scatter", "input", scatter_list, tensor, group.size())
    elif scatter_list:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")

    def work(tag: int) -> None:
        if group.rank() != root:
            write(tensor, from_bytes(group.receive(root, tag), array_of(tensor), "scatter", root))
            return
        for peer, part in enumerate(scatter_list):
            if peer == root:
                write(tensor, array_of(part))
            else:
                group.send(peer, tag, bytes_of(array_of(part)))
    return run(group, ("scatter_", "scatter"), work, [tensor], async_op)


def reduce_scatter(output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM,
                   group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The reductions of the tensors at each place of all lists, one for each process."""
    check(output=output, input_list=input_list)
    group = chosen(group, "reduce_scatter")
    if group is None:
        return None
    if len(input_list) != group.size():
        raise RuntimeError("invalid input tensor list size, must be world size")
    check_one_type(output, *input_list)
    check_parts("reduce_scatter", "input", input_list, output, group.size())
    check_reduction("reduce_scatter", output, op)

    def work(tag: int) -> None:
        write(output, _reduced_part(group, tag, "reduce_scatter", op, [array_of(part) for part in input_list]))
    return run(group, ("reduce_scatter_", "reduce_scatter"), work, [output], async_op)

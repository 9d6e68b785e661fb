"""What the processes of a group do together with tensors; for one process that is to copy, or nothing."""

from __future__ import annotations

from typing import NoReturn

from ..autograd.grad_mode import no_grad
from ..core.tensor import Tensor
from ..futures import Future
from .process_group import ProcessGroup, default_group
from .reduce_op import ReduceOp


class Work:
    """What a call with ``async_op=True`` returns; it has been done by then."""

    def __init__(self, result: list[Tensor]) -> None:
        self._result = result

    def wait(self, timeout=None) -> bool:
        """True: nothing is left to wait for."""
        return True

    is_completed = is_success = wait

    def result(self) -> list[Tensor]:
        """The tensors that were written."""
        return self._result

    def get_future(self) -> Future:
        """The same as a future."""
        future = Future()
        future.set_result(self._result)
        return future

    def exception(self) -> None:
        """None: it did not fail."""


def _done(written: list[Tensor], async_op: bool) -> Work | None:
    return Work(written) if async_op else None


def _check(group: ProcessGroup | None, **tensors) -> None:
    """An error without a group, or for what is no tensor or no list of tensors."""
    group or default_group()
    for name, value in tensors.items():
        is_list = name.endswith("_list")
        if not (isinstance(value, list) and all(isinstance(t, Tensor) for t in value) if is_list
                else isinstance(value, Tensor)):
            kind = "List[torch.Tensor]" if is_list else "torch.Tensor"
            raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type {kind}\n             but "
                            f"got {type(value)} instead.")


def _root(name: str, rank: int | None, group_rank: int | None) -> None:
    root = rank if rank is not None else group_rank or 0
    if root != 0:
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid root rank: {root}")


def _copy(name: str, into: list[Tensor], source: list[Tensor]) -> list[Tensor]:
    """Copy the one tensor of a list, whose length and shape must fit."""
    if len(into) != 1:
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid output tensor list at index 0 (expected length 1, got "
                           f"{len(into)})")
    if into[0].shape != source[0].shape:
        expected, got = (f"({', '.join(map(str, t.shape))})" for t in (source[0], into[0]))
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid tensor size at index 0 (expected {expected}, got {got})")
    with no_grad():
        into[0].copy_(source[0])
    return into


def all_reduce(tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """The sum, or another reduction, of the tensors of all processes, in the place of each."""
    _check(group, tensor=tensor)
    return _done([tensor], async_op)


def broadcast(tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, async_op: bool = False,
              group_src: int | None = None) -> Work | None:
    """The tensor of one process, in the place of that of each."""
    _check(group, tensor=tensor)
    _root("broadcast", src, group_src)
    return _done([tensor], async_op)


def reduce(tensor: Tensor, dst: int | None = None, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
           async_op: bool = False, group_dst: int | None = None) -> Work | None:
    """The same as all_reduce() for one process only."""
    _check(group, tensor=tensor)
    _root("reduce", dst, group_dst)
    return _done([tensor], async_op)


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """The tensors of all processes, copied into a list."""
    _check(group, tensor_list=tensor_list, tensor=tensor)
    return _done(_copy("allgather", tensor_list, [tensor]), async_op)


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None,
                           async_op: bool = False) -> Work | None:
    """The tensors of all processes, one behind the other in one tensor."""
    _check(group, output_tensor=output_tensor, input_tensor=input_tensor)
    if output_tensor.numel() != input_tensor.numel():
        _copy("allgather", [output_tensor], [input_tensor])
    return _done(_copy("allgather", [output_tensor], [input_tensor.reshape(output_tensor.shape)]), async_op)


def gather(tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int | None = None,
           group: ProcessGroup | None = None, async_op: bool = False, group_dst: int | None = None) -> Work | None:
    """The tensors of all processes, copied into the list of one."""
    _check(group, tensor=tensor)
    _root("gather", dst, group_dst)
    if not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    return _done(_copy("gather", gather_list, [tensor]), async_op)


def scatter(tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int | None = None,
            group: ProcessGroup | None = None, async_op: bool = False, group_src: int | None = None) -> Work | None:
    """The tensors of one process's list, one for each process."""
    _check(group, tensor=tensor)
    _root("scatter", src, group_src)
    if not scatter_list:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    return _done(_copy("scatter", [tensor], scatter_list), async_op)


def reduce_scatter(output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM,
                   group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The reductions of the tensors at each place of all lists, one for each process."""
    _check(group, output=output, input_list=input_list)
    return _done(_copy("reduce_scatter", [output], input_list), async_op)


def reduce_scatter_tensor(output: Tensor, input: Tensor, op: ReduceOp = ReduceOp.SUM,
                          group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The same for parts of one tensor."""
    _check(group, output=output, input=input)
    return _done(_copy("reduce_scatter", [output], [input.reshape(output.shape)]), async_op)


def all_to_all(output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """A tensor from each process for each process."""
    _check(group, output_tensor_list=output_tensor_list, input_tensor_list=input_tensor_list)
    return _done(_copy("alltoall", output_tensor_list, input_tensor_list), async_op)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes=None, input_split_sizes=None,
                      group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The same for parts of one tensor."""
    _check(group, output=output, input=input)
    return _done(_copy("alltoall_base", [output], [input]), async_op)


def barrier(group: ProcessGroup | None = None, async_op: bool = False, device_ids=None, timeout=None) -> Work | None:
    """Wait until every process is here."""
    _check(group)
    return _done([], async_op)


def monitored_barrier(group: ProcessGroup | None = None, timeout=None, wait_all_ranks: bool = False) -> None:
    """The same, which would name processes that are missing."""
    _check(group)


def send(tensor: Tensor, dst: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
         group_dst: int | None = None) -> NoReturn:
    """Refused: there is no other process."""
    _check(group, tensor=tensor)
    raise ValueError("Invalid destination rank: destination rank should not be the same as the rank of the current "
                     "process.")


def recv(tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
         group_src: int | None = None) -> NoReturn:
    """Refused: there is no other process."""
    _check(group, tensor=tensor)
    raise ValueError("Invalid source rank: source rank should not be the same as the rank of the current process.")


isend, irecv = send, recv

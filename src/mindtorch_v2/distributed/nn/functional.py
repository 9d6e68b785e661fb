"""Collectives that return new tensors with their history; of one process each returns what it was given."""

from __future__ import annotations

from ...core.tensor import Tensor
from ..process_group import ProcessGroup, default_group
from ..reduce_op import ReduceOp


def _one_of(tensors, group: ProcessGroup | None) -> Tensor:
    """A copy, with history, of this process's only tensor; an error without a group."""
    group or default_group()
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if len(tensors) != 1:
        raise RuntimeError(f"a group of one process takes one tensor, not {len(tensors)}")
    return tensors[0].clone()


def broadcast(tensor: Tensor, src: int, group: ProcessGroup | None = None) -> Tensor:
    """The tensor of one process, for each."""
    return _one_of(tensor, group)


def gather(tensor: Tensor, dst: int = 0, group: ProcessGroup | None = None) -> tuple[Tensor, ...]:
    """The tensors of all processes, for one."""
    return (_one_of(tensor, group),)


def scatter(tensors: list[Tensor], src: int = 0, group: ProcessGroup | None = None) -> Tensor:
    """The tensors of one process, one for each."""
    return _one_of(tensors, group)


def reduce(tensor: Tensor, dst: int, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None) -> Tensor:
    """The sum, or another reduction, of the tensors of all processes, for one."""
    return _one_of(tensor, group)


def reduce_scatter(output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM,
                   group: ProcessGroup | None = None) -> Tensor:
    """The reductions of the tensors at each place of all lists, one for each process."""
    return _one_of(input_list, group)


def all_gather(tensor: Tensor, group: ProcessGroup | None = None) -> tuple[Tensor, ...]:
    """The tensors of all processes, for each."""
    return (_one_of(tensor, group),)


def all_to_all(output_tensor_list: list[Tensor], input_tensor_list: list[Tensor],
               group: ProcessGroup | None = None) -> tuple[Tensor, ...]:
    """A tensor from each process for each process."""
    return (_one_of(input_tensor_list, group),)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: list[int] | None = None,
                      input_split_sizes: list[int] | None = None, group: ProcessGroup | None = None) -> Tensor:
    """The same for parts of one tensor."""
    return _one_of(input, group)


def all_reduce(tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None) -> Tensor:
    """The same as reduce() for all."""
    return _one_of(tensor, group)

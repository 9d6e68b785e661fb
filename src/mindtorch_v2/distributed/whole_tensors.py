"""Collectives on one tensor that holds the parts of all processes, and from each process to each."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..core.device import device
from ..core.dtype import DType
from ..core.tensor import Tensor
from .arguments import c_name, check, check_one_type, check_parts, chosen
from .collectives import _gathered, _reduced_part, run
from .parts import array_of, bytes_of, check_reduction, chunks, from_bytes, write
from .process_group import ProcessGroup
from .reduce_op import ReduceOp
from .work import Work


def all_gather_single(output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None,
                      async_op: bool = False) -> Work | None:
    """The tensors of all processes, one behind the other in one tensor."""
    check(output_tensor=output_tensor, input_tensor=input_tensor)
    group = chosen(group, "all_gather_single")
    if group is None:
        return None
    check_parts("allgather", "output", _parts_of(output_tensor, group.size()), input_tensor, group.size())

    def work(tag: int) -> None:
        write(output_tensor, np.concatenate(_gathered(group, tag, "all_gather", array_of(input_tensor))))
    return run(group, ("_allgather_base_", "all_gather"), work, [output_tensor], async_op)


def reduce_scatter_single(output: Tensor, input: Tensor, op: ReduceOp = ReduceOp.SUM,
                          group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The reductions of each process's part of all tensors."""
    check(output=output, input=input)
    group = chosen(group, "reduce_scatter_single")
    if group is None:
        return None
    if output.dtype != input.dtype:
        raise RuntimeError("Check failed: outputTensors[i].dtype() == inputTensors[i].dtype() "
                           f"({c_name(output.dtype)} vs. {c_name(input.dtype)}). ")
    rows, all_rows = ((tensor.shape or (1,))[0] for tensor in (output, input))
    if rows * group.size() != all_rows or output.numel() * group.size() != input.numel():
        raise RuntimeError("Check failed: outputShape[0] * worldSize == inputShape[0] "
                           f"({rows * group.size()} vs. {all_rows}). ")
    check_reduction("reduce_scatter", output, op)

    def work(tag: int) -> None:
        write(output, _reduced_part(group, tag, "reduce_scatter", op, chunks(array_of(input), group.size())))
    return run(group, ("_reduce_scatter_base_", "reduce_scatter"), work, [output], async_op)


class _Part(NamedTuple):
    """What would be a view of a part of a tensor."""

    shape: tuple[int, ...]
    dtype: DType
    device: device


def _parts_of(tensor: Tensor, count: int) -> list[_Part]:
    """What tensor.chunk(count) gives, without the rows of its ops."""
    rows, *others = tensor.shape or (1,)
    most = max(-(-rows // count), 1)
    sizes = [min(most, rows - start) for start in range(0, rows, most)] or [0] * count
    return [_Part((size, *others), tensor.dtype, tensor.device) for size in sizes]


def _renamed(function: Callable, old_name: str) -> Callable:
    """A function under its older name, which warns."""
    @functools.wraps(function)
    def older(*args, **options) -> Work | None:
        warnings.warn(f"`torch.distributed.{old_name}` is deprecated. Please use `torch.distributed."
                      f"{function.__name__}` instead.", FutureWarning, stacklevel=2)
        return function(*args, **options)
    older.__name__ = older.__qualname__ = old_name
    return older


all_gather_into_tensor = _renamed(all_gather_single, "all_gather_into_tensor")
reduce_scatter_tensor = _renamed(reduce_scatter_single, "reduce_scatter_tensor")


def _exchange(group: ProcessGroup, tag: int, outgoing: list[np.ndarray],
              expected: list[np.ndarray]) -> list[np.ndarray]:
    """A part from each process for each process."""
    rank = group.rank()
    others = [peer for peer in range(group.size()) if peer != rank]
    came = group.swap(tag, {peer: bytes_of(outgoing[peer]) for peer in others}, others)
    return [outgoing[rank] if peer == rank else from_bytes(came[peer], expected[peer], "all_to_all", peer)
            for peer in range(group.size())]


def all_to_all(output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: ProcessGroup | None = None,
               async_op: bool = False) -> Work | None:
    """A tensor from each process for each process."""
    check(output_tensor_list=output_tensor_list, input_tensor_list=input_tensor_list)
    group = chosen(group, "all_to_all")
    if group is None:
        return None
    check_one_type(*output_tensor_list, *input_tensor_list)
    for kind, tensors in (("output", output_tensor_list), ("input", input_tensor_list)):
        if len(tensors) != group.size():
            raise RuntimeError(f"ProcessGroupGloo::alltoall: {kind} tensor list size {len(tensors)} does not match "
                               f"world size {group.size()}")

    def work(tag: int) -> None:
        parts = _exchange(group, tag, [array_of(t) for t in input_tensor_list],
                          [array_of(t) for t in output_tensor_list])
        for out, numbers in zip(output_tensor_list, parts, strict=True):
            write(out, numbers)
    return run(group, ("alltoall_", "all_to_all"), work, output_tensor_list, async_op)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: ProcessGroup | None = None,
                      async_op: bool = False) -> Work | None:
    """The same for parts of one tensor, along its first dimension."""
    check(output=output, input=input)
    group = chosen(group, "all_to_all_single")
    if group is None:
        return None
    check_one_type(output, input)
    cuts = [_cuts(tensor, sizes, group.size()) for tensor, sizes in ((output, output_split_sizes),
                                                                     (input, input_split_sizes))]

    def work(tag: int) -> None:
        expected, outgoing = (np.split(array_of(tensor), at) for tensor, at in zip((output, input), cuts, strict=True))
        write(output, np.concatenate(_exchange(group, tag, outgoing, expected)))
    return run(group, ("alltoall_base_", "all_to_all"), work, [output], async_op)


def _cuts(tensor: Tensor, sizes: Sequence[int] | None, count: int) -> list[int]:
    """Where the numbers of a tensor are divided."""
    rows = tensor.shape[0] if tensor.dim() else 1
    if not sizes:
        if rows % count:
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")
        sizes = [rows // count] * count
    elif len(sizes) != count:
        raise RuntimeError("Number of tensor splits not equal to group size")
    elif sum(sizes) != rows:
        raise RuntimeError("Split sizes doesn't match total dim 0 size")
    per_row = tensor.numel() // rows if rows else 0
    return [int(end) * per_row for end in np.cumsum(sizes)[:-1]]

"""Collectives on several tensors of one type at once."""

from __future__ import annotations

import warnings

import numpy as np

from ..core.tensor import Tensor
from .arguments import check_one_type, chosen
from .collectives import _all_reduced, _gathered, run
from .parts import array_of, check_reduction, supports_complex, write
from .process_group import ProcessGroup
from .reduce_op import ReduceOp
from .work import Work


def _warn(name: str) -> None:
    warnings.warn(f"`torch.distributed.{name}` will be deprecated. If you must use it, please revisit our "
                  "documentation later at https://pytorch.org/docs/main/distributed.html#collective-functions",
                  FutureWarning, stacklevel=3)


def _joined(tensors: list[Tensor]) -> np.ndarray:
    """The numbers of all tensors, in a row."""
    return np.concatenate([array_of(tensor) for tensor in tensors])


def _write_each(tensors: list[Tensor], numbers: np.ndarray) -> None:
    """The same back into the tensors."""
    ends = np.cumsum([tensor.numel() for tensor in tensors])[:-1]
    for tensor, part in zip(tensors, np.split(numbers, ends), strict=True):
        write(tensor, part)


def all_reduce_coalesced(tensors: list[Tensor] | Tensor, op: ReduceOp = ReduceOp.SUM,
                         group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The reductions of each tensor of a list, in their place."""
    _warn("all_reduce_coalesced")
    tensors = [tensors] if isinstance(tensors, Tensor) else tensors
    _check_list("tensor", tensors)
    group = chosen(group, "all_reduce_coalesced")
    if group is None:
        return None
    if any(tensor.is_complex() for tensor in tensors) and not supports_complex(op):
        raise ValueError(f"all_reduce does not support {op} on complex tensors")
    check_reduction("all_reduce", tensors[0], op)

    def work(tag: int) -> None:
        _write_each(tensors, _all_reduced(group, tag, op, _joined(tensors)))
    return run(group, ("allreduce_coalesced_", "all_reduce"), work, tensors, async_op)


def all_gather_coalesced(output_tensor_lists: list[list[Tensor]], input_tensor_list: list[Tensor],
                         group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The lists of all processes, one after the other in a list."""
    _warn("all_gather_coalesced")
    group = chosen(group, "all_gather_coalesced")
    if group is None:
        return None
    _check_list("tensor", input_tensor_list)
    if not isinstance(output_tensor_lists, list):
        raise TypeError("Invalid function argument: output_tensor_lists should be a list")
    for outputs in output_tensor_lists:
        _check_list("output_tensor_lists", outputs)
    everything = [tensor for outputs in output_tensor_lists for tensor in outputs]
    check_one_type(*everything, *input_tensor_list)
    shapes = [tensor.shape for tensor in input_tensor_list]
    if len(output_tensor_lists) != group.size() or any([t.shape for t in outputs] != shapes
                                                       for outputs in output_tensor_lists):
        raise ValueError(f"output_tensor_lists holds a list like input_tensor_list for each of {group.size()} "
                         f"processes: tensors of {[list(shape) for shape in shapes]}")

    def work(tag: int) -> None:
        came = _gathered(group, tag, "all_gather", _joined(input_tensor_list))
        for outputs, numbers in zip(output_tensor_lists, came, strict=True):
            _write_each(outputs, numbers)
    return run(group, ("allgather_coalesced_", "all_gather"), work, everything, async_op)


def _check_list(name: str, tensors: list[Tensor]) -> None:
    """An error for what is no list of tensors of one type, or has none."""
    if not isinstance(tensors, list) or not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]\n"
                        f"             but got {type(tensors)} instead.")
    if not tensors:
        raise ValueError("at least one tensor is wanted, got an empty list")
    check_one_type(*tensors)

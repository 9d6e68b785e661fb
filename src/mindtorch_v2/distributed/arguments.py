"""What calls to other processes are given, tensors and whom they mean, and what torch says of mistakes in them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ..core.dtype import C_NAMES, DType
from ..core.tensor import Tensor
from .process_group import ProcessGroup, default_group, is_member
from .ranks import get_group_rank

_OPTIONS = ("TensorOptions(dtype={}, device={}, layout=Strided, requires_grad=false (default), pinned_memory=false "
            "(default), memory_format=(nullopt))")


def chosen(group: ProcessGroup | None, name: str) -> ProcessGroup | None:
    """The group that is meant; None, with a warning, if this process is not in it."""
    if is_member(group):
        return group or default_group()
    warnings.warn(f"Running {name} on global rank {default_group().rank()} which does not belong to the given group.",
                  stacklevel=3)
    return None


def check(**tensors) -> None:
    """An error for what is no tensor or no list of tensors."""
    for name, value in tensors.items():
        is_list = name.endswith(("_list", "tensors"))
        if not (isinstance(value, list) and all(isinstance(t, Tensor) for t in value) if is_list
                else isinstance(value, Tensor)):
            kind = "List[torch.Tensor]" if is_list else "torch.Tensor"
            raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type {kind}\n             but "
                            f"got {type(value)} instead.")


def check_one_type(*tensors: Tensor) -> None:
    """An error for tensors of different types, whose bytes would be taken for each other's."""
    for tensor in tensors:
        if tensor.dtype != tensors[0].dtype:
            raise ValueError("Invalid usage of tensors with different dtypes"
                             f"Found {tensors[0].dtype} and  {tensor.dtype}")


def number_in(group: ProcessGroup, rank: int | None, group_rank: int | None) -> int:
    """The number in a group of the process that a call names, by its number among all or by that in the group."""
    if rank is not None and group_rank is not None:
        raise ValueError("Can't specify both group_rank and global_rank")
    if rank is None and group_rank is None:
        raise ValueError("Must specify global_rank or group_rank")
    for given in (rank, group_rank):
        if given is not None and not hasattr(given, "__index__"):
            raise TypeError(f"a rank is an int, got {given!r}")
    return get_group_rank(group, rank) if group_rank is None else group_rank


def root_of(name: str, group: ProcessGroup, rank: int | None, group_rank: int | None) -> int:
    """The same for the process that sends to all or gets from all."""
    root = number_in(group, rank, group_rank)
    if not 0 <= root < group.size():
        raise RuntimeError(f"ProcessGroupGloo::{name}: invalid root rank: {root}")
    return root


def first_unless_named(rank: int | None, group_rank: int | None) -> int | None:
    """The first of all processes, if a call names none."""
    return 0 if rank is None and group_rank is None else rank


def check_parts(name: str, kind: str, tensors: Sequence, like: Tensor, count: int) -> None:
    """A tensor of one type and shape for each process."""
    complaint = f"ProcessGroupGloo::{name}: invalid"
    if len(tensors) != count:
        raise RuntimeError(f"{complaint} {kind} tensor list at index 0 (expected length {count}, got {len(tensors)})")
    for place, tensor in enumerate(tensors):
        if tensor.dtype != like.dtype:
            expected, got = (_OPTIONS.format(c_name(t.dtype), t.device) for t in (like, tensor))
            raise RuntimeError(f"{complaint} tensor type at index {place} (expected {expected}, got {got})")
        if tensor.shape != like.shape:
            expected, got = (f"({', '.join(map(str, t.shape))})" for t in (like, tensor))
            raise RuntimeError(f"{complaint} tensor size at index {place} (expected {expected}, got {got})")


def c_name(dtype: DType) -> str:
    """A type in the words of C++."""
    return C_NAMES.get(dtype.name, dtype.name)

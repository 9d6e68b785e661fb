"""Many items into one batch."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ....api.install import FUNCTIONS
from ....api.typed_storage import TypedStorage
from ....core import dtype as dtypes
from ....core.sparse import is_sparse
from ....core.tensor import Tensor
from ....ops.python.construct import as_tensor, tensor

default_collate_err_msg_format = ("default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
                                  "found {}")
_TEXT_KINDS = "SaUO"  # NumPy's strings, bytes and objects are no numbers
np_str_obj_array_pattern = re.compile(f"[{_TEXT_KINDS}]")  # torch's name for the same


def default_convert(data: Any) -> Any:
    """Arrays as tensors, wherever they lie; all else as it is."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.bool_, np.number)):
        return data if isinstance(data, np.ndarray) and data.dtype.kind in _TEXT_KINDS else as_tensor(data)
    if isinstance(data, Mapping):
        return mapping_like(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(item) for item in data))
    if isinstance(data, tuple):
        return [default_convert(item) for item in data]  # as torch always did
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return sequence_like(data, [default_convert(item) for item in data])
    return data


def collate(batch: list, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None) -> Any:
    """A batch by the function for its items' type; dicts, tuples and lists are kept and collated within."""
    first = batch[0]
    kind = type(first)
    if collate_fn_map is not None:
        function = collate_fn_map.get(kind) or next(
            (function for types, function in collate_fn_map.items() if isinstance(first, types)), None)
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        return mapping_like(first, {key: collate([item[key] for item in batch], collate_fn_map=collate_fn_map)
                                    for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(collate(samples, collate_fn_map=collate_fn_map) for samples in zip(*batch)))
    if isinstance(first, Sequence):
        if not all(len(item) == len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        collated = [collate(samples, collate_fn_map=collate_fn_map) for samples in zip(*batch)]
        return collated if isinstance(first, tuple) else sequence_like(first, collated)
    raise TypeError(default_collate_err_msg_format.format(kind))


def mapping_like(like: Mapping, values: dict) -> Any:
    """The same kind of mapping with new values, a plain dict where it cannot be made."""
    try:
        if isinstance(like, MutableMapping):
            mapping = copy.copy(like)
            mapping.update(values)
            return mapping
        return type(like)(values)
    except TypeError:
        return values


def sequence_like(like: Sequence, items: list) -> Any:
    """The same kind of sequence with new items, a plain list where it cannot be made (such as a range)."""
    try:
        if isinstance(like, MutableSequence):
            sequence = copy.copy(like)
            for i, item in enumerate(items):
                sequence[i] = item
            return sequence
        return type(like)(items)
    except TypeError:
        return items


def collate_tensor_fn(batch: list[Tensor], *, collate_fn_map: dict | None = None) -> Tensor:
    """One tensor of all; in a worker, right in the memory that it shares with its loader."""
    from . import worker  # which reads the pipes, which collate
    if batch[0].is_nested:
        raise RuntimeError("Batches of nested tensors are not currently supported by the default collate_fn; please "
                           "provide a custom collate_fn to handle them appropriately.")
    if any(isinstance(item, Tensor) and is_sparse(item) for item in batch):
        raise RuntimeError("Batches of sparse tensors are not currently supported by the default collate_fn; please "
                           "provide a custom collate_fn to handle them appropriately.")
    out = None
    if worker.get_worker_info() is not None and batch[0].is_cpu and type(batch[0]) is Tensor:
        first = batch[0]
        shared = TypedStorage._new_shared(sum(math.prod(item.shape) for item in batch), dtype=first.dtype)
        out = FUNCTIONS["empty"]((0,), dtype=first.dtype).set_(shared).resize_(len(batch), *first.shape)
    return FUNCTIONS["stack"](batch, 0) if out is None else FUNCTIONS["stack"](batch, 0, out=out)


def collate_numpy_array_fn(batch: list[np.ndarray], *, collate_fn_map: dict | None = None) -> Tensor:
    """One tensor of all arrays."""
    if batch[0].dtype.kind in _TEXT_KINDS:
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([as_tensor(item) for item in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: list, *, collate_fn_map: dict | None = None) -> Tensor:
    return as_tensor(batch)


def collate_float_fn(batch: list[float], *, collate_fn_map: dict | None = None) -> Tensor:
    return tensor(batch, dtype=dtypes.float64)


def collate_int_fn(batch: list[int], *, collate_fn_map: dict | None = None) -> Tensor:
    return tensor(batch)


def collate_str_fn(batch: list, *, collate_fn_map: dict | None = None) -> list:
    return batch


# What becomes of items, by their type: programs add their own.
default_collate_fn_map: dict[type | tuple[type, ...], Callable] = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: list) -> Any:
    """Stack tensors, arrays and numbers; keep dicts, tuples and lists and collate within."""
    return collate(batch, collate_fn_map=default_collate_fn_map)

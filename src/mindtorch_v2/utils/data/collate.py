"""Many items into one batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ...api.install import FUNCTIONS
from ...core import dtype as dtypes
from ...core.tensor import Tensor
from ...ops.python.construct import as_tensor, tensor

_COMPLAINT = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
_TEXT_KINDS = "SaUO"  # NumPy's strings, bytes and objects are no numbers


def default_collate(batch: list) -> Any:
    """Stack tensors, arrays and numbers; keep dicts, tuples and lists and collate within."""
    first = batch[0]
    kind = type(first)
    if isinstance(first, Tensor):
        return FUNCTIONS["stack"](batch, 0)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in _TEXT_KINDS:
            raise TypeError(_COMPLAINT.format(first.dtype))
        return default_collate([as_tensor(item) for item in batch])
    if isinstance(first, (np.bool_, np.number)):
        return as_tensor(batch)
    if isinstance(first, float):
        return tensor(batch, dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _mapping({key: default_collate([item[key] for item in batch]) for key in first}, first)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(default_collate(samples) for samples in zip(*batch)))
    if isinstance(first, Sequence):
        return _sequence(batch, first)
    raise TypeError(_COMPLAINT.format(kind))


def _sequence(batch: list, first: Sequence) -> Any:
    if not all(len(item) == len(first) for item in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    collated = [default_collate(samples) for samples in zip(*batch)]
    if isinstance(first, (tuple, list)) and type(first) in (tuple, list):
        return collated
    return _rebuilt(first, collated)


def default_convert(data: Any) -> Any:
    """Arrays as tensors, wherever they lie; all else as it is."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.bool_, np.number)):
        return data if isinstance(data, np.ndarray) and data.dtype.kind in _TEXT_KINDS else as_tensor(data)
    if isinstance(data, Mapping):
        return _mapping({key: default_convert(value) for key, value in data.items()}, data)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(item) for item in data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        converted = [default_convert(item) for item in data]
        return converted if type(data) in (tuple, list) else _rebuilt(data, converted)
    return data


def _mapping(items: dict, like: Mapping) -> Any:
    """The same kind of mapping with new values, a plain dict where it cannot be made."""
    if type(like) is dict:
        return items
    try:
        if isinstance(like, MutableMapping):
            copied = copy.copy(like)
            copied.update(items)
            return copied
        return type(like)(items)
    except TypeError:
        return items


def _rebuilt(like: Sequence, items: list) -> Any:
    """The same kind of sequence with new items, a plain list where it cannot be made (such as a range)."""
    try:
        if isinstance(like, MutableSequence):
            copied = copy.copy(like)
            for i, item in enumerate(items):
                copied[i] = item
            return copied
        return type(like)(items)
    except TypeError:
        return items

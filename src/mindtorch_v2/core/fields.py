"""Write the fields of a tensor that are read-only to users, because compiled code trusts them."""

from __future__ import annotations

import numpy as np

from . import modes, strided
from .tensor import Tensor

IS_COMPILED = not __file__.endswith(".py")


def set_array(tensor, array):
    """Show a tensor's storage by another geometry."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"a tensor shows a NumPy array, not {type(array).__name__}")
    tensor._mt_array = array


def show_as(tensor, other):
    """Show a tensor's storage by the geometry of another tensor on it."""
    if tensor._mt_storage is not other._mt_storage:
        raise TypeError("tensors on different storages cannot have one geometry")
    tensor._mt_array = other._mt_array


def set_data(tensor, storage, array, dtype):
    """Show another storage, in another geometry and type."""
    if storage is None or dtype is None:
        raise TypeError("a tensor has a storage and a dtype")
    set_array(tensor, array)
    tensor._mt_storage = storage
    tensor.dtype = dtype
    if dtype.rare:
        modes.note_rare_type()


def node_of(tensor):
    """The node that a tensor is noted to come from; ``grad_fn`` brings a view up to date with its base first."""
    return tensor.grad_fn if IS_COMPILED else vars(tensor).get("grad_fn")


def set_history(tensor, grad_fn, output_nr, requires_grad):
    """Say where a tensor comes from: the node, which of its results, and whether a gradient goes there."""
    tensor.grad_fn = grad_fn
    tensor.output_nr = output_nr
    tensor._mt_requires = requires_grad


if IS_COMPILED:  # where fields do not stand among users' attributes, these can be replaced, as fastai does
    strided.add_attribute(Tensor, "__dict__", property(vars(Tensor)["__dict__"].__get__, strided.set_attributes))

"""torch._functorch.vmap: the parts of vmap by their torch names; libraries of batched containers replace some."""

import sys
import types
from importlib import import_module

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..core.tensor import Tensor
from ..dispatch.batch_mapping import add_batch_dim as _add_batch_dim
from ..dispatch.batch_mapping import remove_batch_dim as _remove_batch_dim
from ..func.batch_arguments import (
    _create_batched_inputs,
    _get_name,
    _maybe_remove_batch_dim,
    _process_batched_inputs,
    _unwrap_batched,
    _validate_and_get_batch_size,
)
from ..func.vmap import vmap, vmap_increment_nesting
from ..utils._pytree import TreeSpec, _broadcast_to_and_flatten, tree_flatten, tree_map_, tree_unflatten

__all__ = ["Tensor", "TreeSpec", "_add_batch_dim", "_broadcast_to_and_flatten", "_create_batched_inputs", "_get_name",
           "_maybe_remove_batch_dim", "_process_batched_inputs", "_remove_batch_dim", "_unwrap_batched",
           "_validate_and_get_batch_size", "tree_flatten", "tree_map_", "tree_unflatten", "vmap",
           "vmap_increment_nesting"]

_REPLACEABLE = ("_create_batched_inputs", "_process_batched_inputs", "_unwrap_batched")


class _Parts(types.ModuleType):
    """What a program puts in the place of a part, vmap uses."""

    def __setattr__(self, name: str, value) -> None:
        super().__setattr__(name, value)
        if name in _REPLACEABLE:
            setattr(import_module("..func.vmap", __package__), name, value)


sys.modules[__name__].__class__ = _Parts
_answer_for_missing(__name__)

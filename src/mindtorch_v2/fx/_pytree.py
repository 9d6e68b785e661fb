"""torch.fx._pytree: containers taken apart as a spec says, without a look at what else is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..utils._pytree import TreeSpec, tree_flatten

FlattenFuncSpec = Callable[[Any, TreeSpec], list]
SUPPORTED_NODES: dict[type, FlattenFuncSpec] = {}
SUPPORTED_NODES_EXACT_MATCH: dict[type, Callable[[Any, TreeSpec], bool] | None] = {}


def register_pytree_flatten_spec(cls: type, flatten_fn_spec: FlattenFuncSpec,
                                 flatten_fn_exact_match_spec: Callable[[Any, TreeSpec], bool] | None = None) -> None:
    """Say how objects of a class are taken apart."""
    SUPPORTED_NODES[cls] = flatten_fn_spec
    SUPPORTED_NODES_EXACT_MATCH[cls] = flatten_fn_exact_match_spec


def tree_flatten_spec(pytree: Any, spec: TreeSpec) -> list[Any]:
    """The leaves of containers that are made as a spec says."""
    if spec.is_leaf():
        return [pytree]
    if spec.type not in SUPPORTED_NODES:
        raise RuntimeError(f"{type(pytree)} does not have a flatten_fn_spec associated with it. Please register one "
                           "with torch.fx._pytree.register_pytree_flatten_spec.  If you have serialized your model, "
                           "make sure that any custom pytrees have been registered before loading it.")
    children = SUPPORTED_NODES[spec.type](pytree, spec)
    return [leaf for child, part in zip(children, spec.children()) for leaf in tree_flatten_spec(child, part)]


def _dict_flatten_spec(pytree: dict, spec: TreeSpec) -> list:
    return [pytree[key] for key in spec.context]


def _list_flatten_spec(pytree: Any, spec: TreeSpec) -> list:
    return [pytree[i] for i in range(spec.num_children)]


def _dict_flatten_spec_exact_match(pytree: dict, spec: TreeSpec) -> bool:
    return list(pytree) == list(spec.context)


def _list_flatten_spec_exact_match(pytree: Any, spec: TreeSpec) -> bool:
    return len(pytree) == spec.num_children


_tuple_flatten_spec, _tuple_flatten_spec_exact_match = _list_flatten_spec, _list_flatten_spec_exact_match
for _cls in (list, tuple):
    register_pytree_flatten_spec(_cls, _list_flatten_spec, _list_flatten_spec_exact_match)
register_pytree_flatten_spec(dict, _dict_flatten_spec, _dict_flatten_spec_exact_match)

__all__ = ["register_pytree_flatten_spec", "tree_flatten", "tree_flatten_spec"]

"""torch.utils._pytree: nested containers as a list of leaves and a description of the rest."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from ._pytree_keys import GetAttrKey, KeyPath, MappingKey, SequenceKey, key_get, keystr  # noqa: F401  torch's address
from ._pytree_kinds import (  # noqa: F401
    is_namedtuple,
    is_namedtuple_class,
    is_namedtuple_instance,
    is_structseq,
    is_structseq_class,
    is_structseq_instance,
)
from ._pytree_registry import (  # noqa: F401
    CONSTANT_NODES,
    SUPPORTED_NODES,
    ConstantNode,
    NodeDef,
    _defaultdict_flatten,
    _defaultdict_flatten_with_keys,
    _defaultdict_unflatten,
    _deque_flatten,
    _deque_flatten_with_keys,
    _deque_unflatten,
    _deregister_pytree_node,
    _dict_flatten,
    _dict_flatten_with_keys,
    _dict_unflatten,
    _get_node_type,
    _list_flatten,
    _list_flatten_with_keys,
    _list_unflatten,
    _namedtuple_flatten,
    _namedtuple_flatten_with_keys,
    _namedtuple_unflatten,
    _ordereddict_flatten,
    _ordereddict_flatten_with_keys,
    _ordereddict_unflatten,
    _register_namedtuple,
    _register_pytree_node,
    _tuple_flatten,
    _tuple_flatten_with_keys,
    _tuple_unflatten,
    is_constant_class,
    register_constant,
    register_dataclass,
    register_pytree_node,
)
from ._treespec import LEAF, LeafSpec, TreeSpec  # noqa: F401
from ._treespec_text import (  # noqa: F401  torch's address
    NO_SERIALIZED_TYPE_NAME_FOUND,
    SERIALIZED_TYPE_TO_PYTHON_TYPE,
    SUPPORTED_SERIALIZED_TYPES,
    EnumEncoder,
    enum_object_hook,
    treespec_dumps,
    treespec_loads,
)

__all__ = """PyTree Context FlattenFn UnflattenFn DumpableContext ToDumpableContextFn FromDumpableContextFn PyTreeSpec
    TreeSpec LeafSpec keystr key_get register_pytree_node tree_is_leaf tree_flatten tree_flatten_with_path
    tree_unflatten tree_iter tree_leaves tree_leaves_with_path tree_structure tree_map tree_map_with_path tree_map_
    tree_map_only tree_map_only_ tree_all tree_any tree_all_only tree_any_only treespec_dumps treespec_loads
    treespec_pprint is_namedtuple is_namedtuple_class is_namedtuple_instance is_structseq is_structseq_class
    is_structseq_instance""".split()

PyTree = Context = DumpableContext = Any
PyTreeSpec, _LEAF_SPEC, _is_namedtuple_instance = TreeSpec, LEAF, is_namedtuple_instance
FlattenFn = Callable[[PyTree], tuple[list[Any], Context]]
UnflattenFn = Callable[[Iterable[Any], Context], PyTree]
ToDumpableContextFn, FromDumpableContextFn = Callable[[Context], DumpableContext], Callable[[DumpableContext], Context]


def _node(tree: PyTree, is_leaf: Callable | None) -> NodeDef | None:
    """How to take a tree apart; None if it is a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None
    return SUPPORTED_NODES.get(_get_node_type(tree))


def _flatten(tree: PyTree, leaves: list, is_leaf: Callable | None) -> TreeSpec:
    node = _node(tree, is_leaf)
    if node is None:
        leaves.append(tree)
        return LEAF
    children, context = node.flatten_fn(tree)
    return TreeSpec(node.type, context, [_flatten(child, leaves, is_leaf) for child in children], node)


def tree_flatten(tree: PyTree, is_leaf: Callable | None = None) -> tuple[list, TreeSpec]:
    """The leaves of a tree, and what is left without them."""
    leaves: list = []
    return leaves, _flatten(tree, leaves, is_leaf)


def tree_unflatten(leaves: Iterable, treespec: TreeSpec) -> PyTree:
    """A tree of the given structure around these leaves."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    return treespec.unflatten(leaves)


def tree_iter(tree: PyTree, is_leaf: Callable | None = None) -> Iterable:
    """The leaves, one after the other."""
    node = _node(tree, is_leaf)
    if node is None:
        yield tree
    else:
        for child in node.flatten_fn(tree)[0]:
            yield from tree_iter(child, is_leaf)


def tree_leaves(tree: PyTree, is_leaf: Callable | None = None) -> list:
    """The leaves of a tree."""
    return list(tree_iter(tree, is_leaf))


def arg_tree_leaves(*args, **kwargs) -> list:
    """The leaves of the arguments of a call."""
    return [*tree_iter(args), *tree_iter(kwargs)]


def tree_structure(tree: PyTree, is_leaf: Callable | None = None) -> TreeSpec:
    """A tree without its leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_is_leaf(tree: PyTree, is_leaf: Callable | None = None) -> bool:
    """Whether something is no container."""
    return _node(tree, is_leaf) is None


_is_leaf = tree_is_leaf


def tree_map(func: Callable, tree: PyTree, *rests: PyTree, is_leaf: Callable | None = None) -> PyTree:
    """A tree of what a function makes of each leaf, or of the leaves of several trees of one structure."""
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *[spec.flatten_up_to(rest) for rest in rests]))


def tree_map_(func: Callable, tree: PyTree, *rests: PyTree, is_leaf: Callable | None = None) -> PyTree:
    """Call a function with each leaf and hand the tree back as it was."""
    leaves, spec = tree_flatten(tree, is_leaf)
    deque(map(func, leaves, *[spec.flatten_up_to(rest) for rest in rests]), maxlen=0)
    return tree


def map_only(type_or_types_or_pred, /) -> Callable:
    """A decorator for functions that are to leave all but some kinds of leaves alone."""
    chosen = type_or_types_or_pred
    if not isinstance(chosen, (type, tuple, types.UnionType)):
        if not callable(chosen):
            raise TypeError("Argument must be a type, a tuple of types, or a callable.")
        test = chosen
    else:
        def test(leaf):
            return isinstance(leaf, chosen)

    def decorate(func: Callable) -> Callable:
        @functools.wraps(func)
        def only(leaf):
            return func(leaf) if test(leaf) else leaf
        return only

    return decorate


def tree_map_only(type_or_types_or_pred, /, func: Callable, tree: PyTree, is_leaf: Callable | None = None) -> PyTree:
    """tree_map() for leaves of some types; the others stay as they are."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func: Callable, tree: PyTree, is_leaf: Callable | None = None) -> PyTree:
    """tree_map_() for leaves of some types."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_any(pred: Callable, tree: PyTree, is_leaf: Callable | None = None) -> bool:
    """Whether the test holds for any leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def tree_all(pred: Callable, tree: PyTree, is_leaf: Callable | None = None) -> bool:
    """Whether the test holds for every leaf."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any_only(type_or_types, /, pred: Callable, tree: PyTree, is_leaf: Callable | None = None) -> bool:
    """Whether the test holds for any leaf of some types."""
    return any(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_all_only(type_or_types, /, pred: Callable, tree: PyTree, is_leaf: Callable | None = None) -> bool:
    """Whether the test holds for every leaf of some types."""
    return all(pred(leaf) for leaf in tree_iter(tree, is_leaf) if isinstance(leaf, type_or_types))


def tree_leaves_with_path(tree: PyTree, is_leaf: Callable | None = None) -> list[tuple[KeyPath, Any]]:
    """The leaves, each with the keys that lead to it."""
    return list(_walk((), tree, is_leaf))


def _walk(path: KeyPath, tree: PyTree, is_leaf: Callable | None):
    node = _node(tree, is_leaf)
    if node is None:
        yield path, tree
        return
    if node.flatten_with_keys_fn is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {type(tree)}. Please pass a "
                         "flatten_with_keys_fn argument to register_pytree_node.")
    for key, child in node.flatten_with_keys_fn(tree)[0]:
        yield from _walk((*path, key), child, is_leaf)


def tree_flatten_with_path(tree: PyTree, is_leaf: Callable | None = None) -> tuple[list[tuple[KeyPath, Any]], TreeSpec]:
    """tree_flatten() with the keys that lead to each leaf."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func: Callable, tree: PyTree, *rests: PyTree, is_leaf: Callable | None = None) -> PyTree:
    """tree_map() whose function also gets the keys that lead to the leaf."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    paths, leaves = [path for path, _ in pairs], [leaf for _, leaf in pairs]
    return spec.unflatten(map(func, paths, leaves, *[spec.flatten_up_to(rest) for rest in rests]))


def _broadcast_to_and_flatten(tree: PyTree, treespec: TreeSpec, is_leaf: Callable | None = None) -> list | None:
    """The leaves of a tree, each repeated for all leaves it stands for; None if the structures do not agree."""
    node = _node(tree, is_leaf)
    if node is None:
        return [tree] * treespec.num_leaves
    if treespec.is_leaf() or treespec.type is not node.type:
        return None
    children, context = node.flatten_fn(tree)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    leaves: list = []
    for child, spec in zip(children, treespec.children()):
        part = _broadcast_to_and_flatten(child, spec, is_leaf)
        if part is None:
            return None
        leaves += part
    return leaves


def treespec_leaf() -> TreeSpec:
    """The structure of a leaf."""
    return LEAF


def treespec_tuple(iterable: Iterable[TreeSpec] = (), /) -> TreeSpec:
    """The structure of a tuple of such parts."""
    return TreeSpec(tuple, None, list(iterable), SUPPORTED_NODES[tuple])


def treespec_dict(mapping=(), /, **kwargs: TreeSpec) -> TreeSpec:
    """The structure of a dict of such parts."""
    parts = dict(mapping, **kwargs)
    return TreeSpec(dict, list(parts), list(parts.values()), SUPPORTED_NODES[dict])


class _Asterisk(str):
    """What stands for a leaf."""

    def __repr__(self) -> str:
        return "*"


def treespec_pprint(treespec: TreeSpec) -> str:
    """A tree of a structure as text, with stars for leaves."""
    return repr(tree_unflatten([_Asterisk("*")] * treespec.num_leaves, treespec))

"""torch.utils._pytree: nested containers as a list of leaves and a description of the rest."""

from __future__ import annotations

import functools
import types
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..core.size import Size
from ..opdef.results import is_named
from ._pytree_keys import GetAttrKey, KeyPath, MappingKey, SequenceKey, key_get, keystr  # noqa: F401  torch's address
from ._treespec import LEAF, LeafSpec, TreeSpec  # noqa: F401

PyTree = Context = Any


class NodeDef(NamedTuple):
    """How a kind of container is taken apart and put together."""

    type: type
    flatten_fn: Callable  # container -> (children, context)
    unflatten_fn: Callable  # (children, context) -> container
    flatten_with_keys_fn: Callable | None = None
    name: str | None = None  # what treespec_dumps() calls the type


SUPPORTED_NODES: dict[type, NodeDef] = {}


def register_pytree_node(cls: type, flatten_fn: Callable, unflatten_fn: Callable, *,
                         serialized_type_name: str | None = None, to_dumpable_context: Callable | None = None,
                         from_dumpable_context: Callable | None = None,
                         flatten_with_keys_fn: Callable | None = None) -> None:
    """Make a class known as a container."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _register_pytree_node(cls, flatten_fn, unflatten_fn, serialized_type_name=serialized_type_name,
                          flatten_with_keys_fn=flatten_with_keys_fn)


def _register_pytree_node(cls: type, flatten_fn: Callable, unflatten_fn: Callable, to_str_fn=None,
                          maybe_from_str_fn=None, *, serialized_type_name: str | None = None,
                          to_dumpable_context=None, from_dumpable_context=None,
                          flatten_with_keys_fn: Callable | None = None) -> None:
    """The same without a complaint; torch's old name."""
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn, serialized_type_name)


def register_dataclass(cls: type, *, field_names: list[str] | None = None, drop_field_names: list[str] | None = None,
                       serialized_type_name: str | None = None) -> None:
    """Make a dataclass known as a container of its fields; fields that are None are left out."""
    import dataclasses
    dropped = set(drop_field_names or ())
    names = field_names or [f.name for f in dataclasses.fields(cls) if f.init and f.name not in dropped]

    def flatten(obj):
        full = [n for n in names if getattr(obj, n) is not None]
        return [getattr(obj, n) for n in full], [full, [n for n in names if n not in full]]

    def unflatten(children, context):
        full, empty = context
        return cls(**dict(zip(full, children)), **dict.fromkeys(empty))

    def with_keys(obj):
        children, context = flatten(obj)
        return [(GetAttrKey(n), c) for n, c in zip(context[0], children)], context

    register_pytree_node(cls, flatten, unflatten, serialized_type_name=serialized_type_name,
                         flatten_with_keys_fn=with_keys)


def register_constant(cls: type) -> None:
    """Make instances of a class part of the structure: they have no leaves."""
    register_pytree_node(cls, lambda obj: ([], obj), lambda children, context: context)


def _with_index(items) -> tuple[list, None]:
    return [(SequenceKey(i), item) for i, item in enumerate(items)], None


def _with_names(items: Mapping) -> tuple[list, list]:
    return [(MappingKey(k), v) for k, v in items.items()], list(items)


_list_flatten_with_keys, _dict_flatten_with_keys = _with_index, _with_names


def _list_flatten(items: list) -> tuple[list, None]:
    return list(items), None


def _list_unflatten(items: Iterable, context: None) -> list:
    return list(items)


def _dict_flatten(items: dict) -> tuple[list, list]:
    return list(items.values()), list(items)


def _dict_unflatten(values: Iterable, keys: list) -> dict:
    return dict(zip(keys, values))


# (container, taken apart, put together, taken apart with keys)
for _row in (
    (list, _list_flatten, _list_unflatten, _with_index),
    (tuple, lambda c: (list(c), None), lambda c, _: tuple(c), _with_index),
    (Size, lambda c: (list(c), None), lambda c, _: tuple(c), _with_index),
    (dict, _dict_flatten, _dict_unflatten, _with_names),
    (OrderedDict, lambda c: (list(c.values()), list(c)), lambda c, keys: OrderedDict(zip(keys, c)), _with_names),
    (defaultdict, lambda c: (list(c.values()), [c.default_factory, list(c)]),
     lambda c, context: defaultdict(context[0], zip(context[1], c)), _with_names),
    (deque, lambda c: (list(c), c.maxlen), lambda c, maxlen: deque(c, maxlen), _with_index),
):
    SUPPORTED_NODES[_row[0]] = NodeDef(*_row, name=f"{_row[0].__module__}.{_row[0].__qualname__}")

_NAMEDTUPLE = NodeDef(tuple, lambda c: (list(c), type(c)), lambda c, cls: cls(*c),
                      lambda c: ([(GetAttrKey(n), v) for n, v in zip(c._fields, c)], type(c)), "collections.namedtuple")


def is_namedtuple(obj) -> bool:
    """Whether an object, or a class, is a named tuple."""
    cls = obj if isinstance(obj, type) else type(obj)
    return issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


_is_namedtuple_instance = is_namedtuple_instance = is_namedtuple


def is_structseq(obj) -> bool:
    """Whether an object, or a class, is one of torch.return_types, which are named tuples here."""
    return is_named(obj if isinstance(obj, type) else type(obj))


is_structseq_instance = is_structseq


def _get_node_type(tree: PyTree) -> type:
    """The class by which a tree is looked up."""
    node = SUPPORTED_NODES.get(type(tree))
    return namedtuple if node is None and is_namedtuple(type(tree)) and not is_structseq(tree) else type(tree)


def _node(tree: PyTree, is_leaf: Callable | None) -> NodeDef | None:
    """How to take a tree apart; None if it is a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None
    node_type = SUPPORTED_NODES.get(type(tree))
    return _NAMEDTUPLE if node_type is None and is_namedtuple(type(tree)) else node_type


def _flatten(tree: PyTree, leaves: list, is_leaf: Callable | None) -> TreeSpec:
    node = _node(tree, is_leaf)
    if node is None:
        leaves.append(tree)
        return LEAF
    children, context = node.flatten_fn(tree)
    return TreeSpec(type(tree), context, [_flatten(child, leaves, is_leaf) for child in children], node)


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
    if treespec.is_leaf() or treespec.type is not type(tree):
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

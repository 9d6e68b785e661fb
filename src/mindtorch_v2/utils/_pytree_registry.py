"""The kinds of containers that trees are made of, and how each is taken apart and put together."""

from __future__ import annotations

import dataclasses
import warnings
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..core.size import Size
from ._pytree_keys import GetAttrKey, MappingKey, SequenceKey
from ._pytree_kinds import is_namedtuple_class, is_structseq_class
from ._treespec_text import CONTEXTS, SERIALIZED_TYPE_TO_PYTHON_TYPE, SUPPORTED_SERIALIZED_TYPES, register_text


class NodeDef(NamedTuple):
    """How a kind of container is taken apart and put together."""

    type: type
    flatten_fn: Callable  # container -> (children, context)
    unflatten_fn: Callable  # (children, context) -> container
    flatten_with_keys_fn: Callable | None = None


SUPPORTED_NODES: dict[type, NodeDef] = {}


def register_pytree_node(cls: type, flatten_fn: Callable, unflatten_fn: Callable, *,
                         serialized_type_name: str | None = None, to_dumpable_context: Callable | None = None,
                         from_dumpable_context: Callable | None = None,
                         flatten_with_keys_fn: Callable | None = None) -> None:
    """Make a class known as a container."""
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _register(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn, serialized_type_name, to_dumpable_context,
              from_dumpable_context)


def _register(cls: type, flatten_fn: Callable, unflatten_fn: Callable, flatten_with_keys_fn: Callable | None,
              *text) -> None:
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)
    register_text(cls, *text)


def _register_pytree_node(cls: type, flatten_fn: Callable, unflatten_fn: Callable, to_str_fn=None,
                          maybe_from_str_fn=None, *, serialized_type_name: str | None = None,
                          to_dumpable_context=None, from_dumpable_context=None,
                          flatten_with_keys_fn: Callable | None = None) -> None:
    """The same without a complaint about a class that is known; torch's old name."""
    warnings.warn("`torch.utils._pytree._register_pytree_node` is deprecated. Please use "
                  "`torch.utils._pytree.register_pytree_node` instead.", FutureWarning, stacklevel=2)
    if to_str_fn is not None or maybe_from_str_fn is not None:
        warnings.warn("`to_str_fn` and `maybe_from_str_fn` is deprecated. Please use `to_dumpable_context` and "
                      "`from_dumpable_context` instead.", FutureWarning, stacklevel=2)
    if cls in SUPPORTED_NODES:
        warnings.warn(f"{cls} is already registered as pytree node. Overwriting the previous registration.",
                      stacklevel=2)
    _register(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn, serialized_type_name, to_dumpable_context,
              from_dumpable_context)


def _register_namedtuple(cls: type, *, serialized_type_name: str) -> None:
    """Give a class of named tuples, which are containers anyway, a name by which they are written."""
    node = SUPPORTED_NODES[namedtuple]
    _register(cls, node.flatten_fn, node.unflatten_fn, node.flatten_with_keys_fn, serialized_type_name,
              *CONTEXTS[namedtuple])


def _deregister_pytree_node(cls: type) -> None:
    """Forget a class."""
    del SUPPORTED_NODES[cls]
    del SERIALIZED_TYPE_TO_PYTHON_TYPE[SUPPORTED_SERIALIZED_TYPES.pop(cls).serialized_type_name]
    CONSTANT_NODES.discard(cls)


def register_dataclass(cls: type, *, field_names: list[str] | None = None, drop_field_names: list[str] | None = None,
                       serialized_type_name: str | None = None) -> None:
    """Make a dataclass, or a class that is called with its fields, known as a container; None is left out."""
    names = _fields_of(cls, field_names, set(drop_field_names or ()))

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


def _fields_of(cls: type, named: list[str] | None, dropped: set[str]) -> list[str]:
    """The fields that are children: those that were named, which must be all, or all but those that are dropped."""
    if not dataclasses.is_dataclass(cls):
        if named is None:
            raise ValueError("field_names must be specified with a list of all fields used to initialize "
                             f"{cls}, as it is not a dataclass.")
        return named
    fields = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in dropped]
    if named is None or set(named) == set(fields):
        return named or fields
    text = "field_names does not include all dataclass fields.\n"
    if missing := set(fields) - set(named):
        text += (f"Missing fields in `field_names`: {missing}. If you want to include these fields in the pytree, "
                 "please add them to `field_names`, otherwise please add them to `drop_field_names`.\n")
    if unexpected := set(named) - set(fields):
        text += (f"Unexpected fields in `field_names`: {unexpected}. Please remove these fields, or add them to "
                 "`drop_field_names`.\n")
    raise ValueError(text)


@dataclasses.dataclass(frozen=True)
class ConstantNode:
    """A value that is part of a structure."""

    value: Any


CONSTANT_NODES: set[type] = set()


def register_constant(cls: type) -> None:
    """Make instances of a class part of the structure: they have no leaves."""
    for name in ("__eq__", "__hash__"):
        if getattr(cls, name) in (getattr(object, name) if name == "__eq__" else None, None):
            raise TypeError(f"register_constant(cls) expects `cls` to have a non-default `{name}` implementation.")

    def flatten(obj):
        return [], ConstantNode(obj)

    register_pytree_node(cls, flatten, lambda _, context: context.value, flatten_with_keys_fn=flatten)
    CONSTANT_NODES.add(cls)


def is_constant_class(cls: type) -> bool:
    """Whether a class was registered as constant."""
    return isinstance(cls, type) and cls in CONSTANT_NODES


def _with_index(items) -> tuple[list, None]:
    return [(SequenceKey(i), item) for i, item in enumerate(items)], None


def _with_names(items: Mapping) -> tuple[list, list]:
    return [(MappingKey(k), v) for k, v in items.items()], list(items)


_list_flatten_with_keys = _tuple_flatten_with_keys = _with_index
_dict_flatten_with_keys = _ordereddict_flatten_with_keys = _with_names


def _list_flatten(items: list) -> tuple[list, None]:
    return list(items), None


def _list_unflatten(items: Iterable, context: None) -> list:
    return list(items)


def _dict_flatten(items: dict) -> tuple[list, list]:
    return list(items.values()), list(items)


def _dict_unflatten(values: Iterable, keys: list) -> dict:
    return dict(zip(keys, values))


def _tuple_flatten(items: tuple) -> tuple[list, None]:
    return list(items), None


def _tuple_unflatten(items: Iterable, context: None) -> tuple:
    return tuple(items)


def _ordereddict_flatten(items: OrderedDict) -> tuple[list, list]:
    return list(items.values()), list(items)


def _ordereddict_unflatten(values: Iterable, keys: list) -> OrderedDict:
    return OrderedDict(zip(keys, values))


def _defaultdict_flatten(items: defaultdict) -> tuple[list, list]:
    return list(items.values()), [items.default_factory, list(items)]


def _defaultdict_unflatten(values: Iterable, context: list) -> defaultdict:
    factory, keys = context
    return defaultdict(factory, zip(keys, values))


def _defaultdict_flatten_with_keys(items: defaultdict) -> tuple[list, list]:
    children, context = _defaultdict_flatten(items)
    return [(MappingKey(k), v) for k, v in zip(context[1], children)], context


def _deque_flatten(items: deque) -> tuple[list, int | None]:
    return list(items), items.maxlen


def _deque_unflatten(items: Iterable, maxlen: int | None) -> deque:
    return deque(items, maxlen)


def _deque_flatten_with_keys(items: deque) -> tuple[list, int | None]:
    return _with_index(items)[0], items.maxlen


def _namedtuple_flatten(items: tuple) -> tuple[list, type]:
    return list(items), type(items)


def _namedtuple_unflatten(items: Iterable, cls: type) -> tuple:
    return cls(*items)


def _namedtuple_flatten_with_keys(items: tuple) -> tuple[list, type]:
    return [(GetAttrKey(n), v) for n, v in zip(items._fields, items)], type(items)


# (container, taken apart, put together, taken apart with keys)
for _row in (
    (list, _list_flatten, _list_unflatten, _with_index),
    (tuple, _tuple_flatten, _tuple_unflatten, _with_index),
    (Size, _tuple_flatten, _tuple_unflatten, _with_index),
    (dict, _dict_flatten, _dict_unflatten, _with_names),
    (OrderedDict, _ordereddict_flatten, _ordereddict_unflatten, _with_names),
    (defaultdict, _defaultdict_flatten, _defaultdict_unflatten, _defaultdict_flatten_with_keys),
    (deque, _deque_flatten, _deque_unflatten, _deque_flatten_with_keys),
    (namedtuple, _namedtuple_flatten, _namedtuple_unflatten, _namedtuple_flatten_with_keys),
):
    _register(*_row, f"{_row[0].__module__}.{_row[0].__qualname__}", *CONTEXTS.get(_row[0], ()))


def _get_node_type(tree) -> type:
    """The class by which a tree is looked up: one for all named tuples, but for torch's own results."""
    cls = type(tree)
    if not is_namedtuple_class(cls):
        return cls
    if not is_structseq_class(cls):
        return namedtuple
    if cls not in SUPPORTED_NODES:
        _register(cls, lambda c: (list(c), None), lambda c, _: cls(*c),
                  lambda c: ([(GetAttrKey(n), v) for n, v in zip(c._fields, c)], None), None)
    return cls

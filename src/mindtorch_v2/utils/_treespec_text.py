"""Structures of trees as text, and back."""

from __future__ import annotations

import functools
import importlib
import json
from collections import defaultdict, namedtuple
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from ._treespec import LEAF, TreeSpec

DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL = 1
NO_SERIALIZED_TYPE_NAME_FOUND = "NO_SERIALIZED_TYPE_NAME_FOUND"


class _SerializeNodeDef(NamedTuple):
    """How a kind of container is written down."""

    typ: type
    serialized_type_name: str
    to_dumpable_context: Callable | None  # what a container needs beside its children, as JSON can hold it
    from_dumpable_context: Callable | None


SUPPORTED_SERIALIZED_TYPES: dict[type, _SerializeNodeDef] = {}
SERIALIZED_TYPE_TO_PYTHON_TYPE: dict[str, type] = {}


def register_text(cls: type, name: str | None, to_dumpable_context: Callable | None = None,
                  from_dumpable_context: Callable | None = None) -> None:
    """Say how structures of a class are written."""
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered.")
    name = NO_SERIALIZED_TYPE_NAME_FOUND if name is None else name
    SUPPORTED_SERIALIZED_TYPES[cls] = _SerializeNodeDef(cls, name, to_dumpable_context, from_dumpable_context)
    SERIALIZED_TYPE_TO_PYTHON_TYPE[name] = cls


class EnumEncoder(json.JSONEncoder):
    """JSON in which a member of an enum is a class and a name."""

    def default(self, obj: object) -> Any:
        if isinstance(obj, Enum):
            cls = type(obj)
            return {"__enum__": True, "fqn": f"{cls.__module__}:{cls.__qualname__}", "name": obj.name}
        return super().default(obj)


def enum_object_hook(obj: dict[str, Any]) -> Enum | dict[str, Any]:
    """The member that EnumEncoder wrote down; any other dict as it is."""
    if "__enum__" not in obj:
        return obj
    module, _, path = obj["fqn"].partition(":")
    return functools.reduce(getattr, path.split("."), importlib.import_module(module))[obj["name"]]


def treespec_dumps(treespec: TreeSpec, protocol: int | None = None) -> str:
    """A structure as text."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    protocol = DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL if protocol is None else protocol
    _check_protocol(protocol)
    return json.dumps((protocol, _written(treespec)), cls=EnumEncoder)


@functools.lru_cache
def treespec_loads(serialized: str) -> TreeSpec:
    """The structure that a text describes."""
    protocol, written = json.loads(serialized)
    _check_protocol(protocol)
    return _read(written)


def _check_protocol(protocol: int) -> None:
    if protocol != DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: "
                         f"{[DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL]}")


def _written(treespec: TreeSpec) -> dict[str, Any]:
    if treespec.is_leaf():
        return {"type": None, "context": None, "children_spec": []}
    if treespec.type not in SUPPORTED_SERIALIZED_TYPES:
        raise NotImplementedError(f"Serializing {treespec.type} in pytree is not registered.")
    kind = SUPPORTED_SERIALIZED_TYPES[treespec.type]
    if kind.serialized_type_name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(f"No registered serialization name for {treespec.type} found. Please update your "
                                  "_register_pytree_node call with a `serialized_type_name` kwarg.")
    if kind.to_dumpable_context is not None:
        context = kind.to_dumpable_context(treespec.context)
    else:
        try:
            context = json.dumps(treespec.context, cls=EnumEncoder)
        except TypeError as error:
            raise TypeError("Unable to serialize context. Please make the context json dump-able, or register a "
                            "custom serializer using _register_pytree_node.") from error
    return {"type": kind.serialized_type_name, "context": context,
            "children_spec": [_written(child) for child in treespec.children()]}


def _read(written: dict[str, Any]) -> TreeSpec:
    if written["type"] is None and written["context"] is None and not written["children_spec"]:
        return LEAF
    if written["type"] not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(f"Deserializing {written['type']} in pytree is not registered.")
    cls = SERIALIZED_TYPE_TO_PYTHON_TYPE[written["type"]]
    kind = SUPPORTED_SERIALIZED_TYPES[cls]
    if kind.from_dumpable_context is not None:
        context = kind.from_dumpable_context(written["context"])
    else:
        try:
            context = json.loads(written["context"], object_hook=enum_object_hook)
        except TypeError as error:
            raise TypeError("Unable to deserialize context. Please make the context json load-able, or register a "
                            "custom serializer using _register_pytree_node.") from error
    return TreeSpec(cls, context, [_read(child) for child in written["children_spec"]])


def _namedtuple_serialize(cls: type) -> str:
    """The name that a class of named tuples was given."""
    kind = SUPPORTED_SERIALIZED_TYPES.get(cls)
    if kind is None:
        raise NotImplementedError(f"Can't serialize TreeSpec of namedtuple class {cls} because we didn't register a "
                                  "serializated_type_name. Please register using `_register_namedtuple`.")
    if kind.serialized_type_name == NO_SERIALIZED_TYPE_NAME_FOUND:
        raise NotImplementedError(f"Can't serialize TreeSpec of namedtuple class {cls} because we couldn't find a "
                                  "serializated_type_name. Please register using `_register_namedtuple`.")
    return kind.serialized_type_name


def _namedtuple_deserialize(name: str) -> type:
    if name not in SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise NotImplementedError(f"Can't deserialize TreeSpec of namedtuple class {name} because we couldn't find a "
                                  "serializated name.")
    return SERIALIZED_TYPE_TO_PYTHON_TYPE[name]


def _defaultdict_serialize(context: list) -> dict[str, Any]:
    factory, keys = context
    return {"default_factory_module": factory.__module__, "default_factory_name": factory.__qualname__,
            "dict_context": keys}


def _defaultdict_deserialize(written: dict[str, Any]) -> list:
    module = importlib.import_module(written["default_factory_module"])
    return [getattr(module, written["default_factory_name"]), written["dict_context"]]


# Kinds whose contexts JSON cannot hold as they are.
CONTEXTS = {namedtuple: (_namedtuple_serialize, _namedtuple_deserialize),
            defaultdict: (_defaultdict_serialize, _defaultdict_deserialize)}

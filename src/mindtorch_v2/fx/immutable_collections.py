"""Lists and dicts that nobody changes: the arguments of nodes, which know who uses them."""

from __future__ import annotations

from typing import Any, NoReturn

from ..utils._pytree_registry import (
    _dict_flatten,
    _dict_flatten_with_keys,
    _dict_unflatten,
    _list_flatten,
    _list_flatten_with_keys,
    _list_unflatten,
    register_pytree_node,
)

__all__ = ["immutable_dict", "immutable_list"]

_HELP = ("If you are attempting to modify the kwargs or args of a torch.fx.Node object,\n"
         "instead create a new copy of it and assign the copy to the node:\n\n"
         "    new_args = ...  # copy and mutate args\n"
         "    node.args = new_args")


def _no_mutation(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise TypeError(f"{type(self).__name__!r} object does not support mutation. {_HELP}")


class immutable_list(list):  # noqa: N801  torch's name
    """A list that stays as it is."""

    __delitem__ = __iadd__ = __imul__ = __setitem__ = _no_mutation
    append = clear = extend = insert = pop = remove = reverse = sort = _no_mutation

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple:
        return type(self), (tuple(self),)


class immutable_dict(dict):  # noqa: N801  torch's name
    """A dict that stays as it is."""

    __delitem__ = __ior__ = __setitem__ = _no_mutation
    clear = pop = popitem = setdefault = update = _no_mutation

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple:
        return type(self), (tuple(self.items()),)


for _kind, _flatten, _unflatten, _with_keys in (
        (immutable_list, _list_flatten, _list_unflatten, _list_flatten_with_keys),
        (immutable_dict, _dict_flatten, _dict_unflatten, _dict_flatten_with_keys)):
    register_pytree_node(_kind, _flatten,
                         lambda children, context, kind=_kind, unflatten=_unflatten: kind(unflatten(children, context)),
                         serialized_type_name=f"torch.fx.immutable_collections.{_kind.__name__}",
                         flatten_with_keys_fn=_with_keys)

"""torch.utils.weak: references that keep nothing alive, and dicts whose keys are objects by identity."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping

from ..core.tensor import Tensor

__all__ = ["TensorWeakRef", "WeakIdKeyDictionary", "WeakIdRef", "WeakTensorKeyDictionary"]


class WeakIdRef(weakref.ref):
    """A weak reference that is equal to another of the same object, whatever the object thinks of equality."""

    __slots__ = ("_id",)

    def __init__(self, key, callback=None) -> None:
        self._id = id(key)
        super().__init__(key, callback)

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other) -> bool:
        mine, theirs = self(), other()
        return mine is theirs if mine is not None and theirs is not None else self is other


class WeakIdKeyDictionary(MutableMapping):
    """A dict whose keys are objects by identity; an entry goes with its key."""

    def __init__(self, dict=None, ref_type: type = WeakIdRef) -> None:  # noqa: A002  torch's name
        self.data: dict = {}
        self.ref_type = ref_type
        if dict is not None:
            self.update(dict)

    def _forget(self, reference) -> None:
        self.data.pop(reference, None)

    def __getitem__(self, key):
        return self.data[self.ref_type(key)]

    def __setitem__(self, key, value) -> None:
        self.data[self.ref_type(key, self._forget)] = value

    def __delitem__(self, key) -> None:
        del self.data[self.ref_type(key)]

    def __contains__(self, key) -> bool:
        try:
            return self.ref_type(key) in self.data
        except TypeError:  # of a kind that has no weak references
            return False

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator:
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def keyrefs(self) -> list:
        """The weak references to the keys."""
        return list(self.data)

    def copy(self) -> WeakIdKeyDictionary:
        """A dict of the same entries."""
        return type(self)(self)

    __copy__ = copy

    def __deepcopy__(self, memo) -> WeakIdKeyDictionary:
        from copy import deepcopy
        return type(self)({key: deepcopy(value, memo) for key, value in self.items()})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor; called, it gives the tensor or None."""

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Tensor | None:
        return self.ref()

"""A list whose items are made when they are read, and that turns into an ordinary list when it is written to."""

from __future__ import annotations


class LazyList(list):
    """A real list in behaviour. ``_source`` makes the items until the first change; then they are stored."""

    _source = None

    @classmethod
    def over(cls, source, **options):
        """A list of ``source.event(i)`` for all ``i`` below ``len(source)``."""
        lazy = cls(**options)
        lazy._source = source
        return lazy

    def _store(self) -> None:
        """Keep the items here, as a list does."""
        if self._source is not None:
            items = list(self)
            self._source = None
            list.extend(self, items)

    def __len__(self):
        return list.__len__(self) if self._source is None else len(self._source)

    def __iter__(self):
        if self._source is None:
            return list.__iter__(self)
        return map(self._source.event, range(len(self._source)))

    def __getitem__(self, at):
        if self._source is None:
            return list.__getitem__(self, at)
        if isinstance(at, slice):
            return [self._source.event(i) for i in range(len(self._source))[at]]
        try:
            return self._source.event(range(len(self._source))[at])
        except IndexError:
            raise IndexError("list index out of range") from None

    def __reversed__(self):
        return iter(self[::-1])

    def __contains__(self, item):
        return any(item is other or item == other for other in self)

    def __add__(self, other):
        return list(self) + other

    def __radd__(self, other):
        return other + list(self)

    def __mul__(self, times):
        return list(self) * times

    __rmul__ = __mul__

    def __eq__(self, other):
        return list(self) == (list(other) if isinstance(other, LazyList) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __repr__(self):
        return repr(list(self))

    def __reduce__(self):
        return LazyList._restored, (type(self), *self._pickled())

    def _pickled(self) -> tuple:
        """What items are made from or, where they were stored, the items; and everything else."""
        others = {name: value for name, value in vars(self).items() if name != "_source"}
        return self._source, list(self) if self._source is None else None, others

    @staticmethod
    def _restored(kind: type, source, items: list | None, others: dict) -> LazyList:
        restored = kind.over(source) if items is None else kind(items)
        vars(restored).update(others)
        return restored

    def copy(self):
        """A plain list of the items, as list.copy of a subclass gives."""
        return list(self)


def _after_storing(name: str):
    plain = getattr(list, name)

    def method(self, *args, **kwargs):
        self._store()
        return plain(self, *args, **kwargs)

    method.__name__, method.__doc__ = name, plain.__doc__
    return method


def _of_items(name: str):
    plain = getattr(list, name)

    def method(self, *args):
        return plain(list(self), *args)

    method.__name__, method.__doc__ = name, plain.__doc__
    return method


for _name in ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "__setitem__", "__delitem__",
              "__iadd__", "__imul__"):
    setattr(LazyList, _name, _after_storing(_name))
for _name in ("index", "count", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(LazyList, _name, _of_items(_name))

"""What every datapipe is: a dataset that others can be chained to by name."""

from __future__ import annotations

import functools
from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ..dataset import Dataset, IterableDataset
from .watched_iter import watch

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Chainable:
    """Finds functions that were registered by name: ``pipe.map(f)``."""

    functions: dict[str, Callable] = {}

    def __getattr__(self, name: str):
        if name in type(self).functions:
            bound = functools.partial(type(self).functions[name], self)
            functools.update_wrapper(bound, type(self).functions[name], assigned=("__doc__",))
            return bound
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}")

    @classmethod
    def register_function(cls, function_name: str, function: Callable) -> None:
        """Make a function of a pipe callable on pipes by a name."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name: str, cls_to_register: type,
                                      enable_df_api_tracing: bool = False) -> None:
        """Make a class of pipes callable on pipes by a name."""
        if function_name in cls.functions:
            raise Exception(f"Unable to add DataPipe function name {function_name} as it is already taken")  # noqa: TRY002

        def construct(source, *args, **kwargs):
            return cls_to_register(source, *args, **kwargs)
        construct.__doc__ = cls_to_register.__doc__
        cls.functions[function_name] = construct

    def __repr__(self) -> str:
        return type(self).__qualname__

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *type(self).functions]


class _IterDataPipeMeta(ABCMeta):
    """Has every ``__iter__`` of a class recorded, and its older iterators refused."""

    def __new__(cls, name: str, bases: tuple, namespace: dict, **options):
        if "__iter__" in namespace:
            namespace["__iter__"] = watch(namespace["__iter__"])
        return super().__new__(cls, name, bases, namespace, **options)


class IterDataPipe(_Chainable, IterableDataset[T_co], metaclass=_IterDataPipeMeta):
    """A stream of items; subclasses give ``__iter__``. Only its latest iterator is valid."""

    functions: dict[str, Callable] = {}
    _iterations = 0  # how often it was iterated: which iterator is the latest

    def __iter__(self) -> Iterator[T_co]:
        return self

    def reset(self) -> None:
        """Called whenever a new pass over the stream begins."""


class MapDataPipe(_Chainable, Dataset[T_co]):
    """Items by key; subclasses give ``__getitem__`` and usually ``__len__``."""

    functions: dict[str, Callable] = {}


class DFIterDataPipe(IterDataPipe):
    """A stream of data frames."""


class DataChunk(list[T]):
    """A batch, as a list that remembers it is one."""

    def __init__(self, items: Iterable[T]):
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent: str = "") -> str:
        return indent + "[" + ", ".join(str(item) for item in iter(self)) + "]"

    def __iter__(self) -> Iterator[T]:
        yield from super().__iter__()

    def raw_iterator(self) -> Iterator[T]:
        yield from self.items


class _IterDataPipeSerializationWrapper(IterDataPipe):
    """What a DataLoader holds a stream of pipes in."""

    def __init__(self, datapipe: IterDataPipe):
        self._datapipe = datapipe

    def __iter__(self):
        yield from self._datapipe

    def __len__(self) -> int:
        return len(self._datapipe)


class _MapDataPipeSerializationWrapper(MapDataPipe):
    """The same for pipes with keys."""

    def __init__(self, datapipe: MapDataPipe):
        self._datapipe = datapipe

    def __getitem__(self, index):
        return self._datapipe[index]

    def __len__(self) -> int:
        return len(self._datapipe)


class functional_datapipe:  # noqa: N801  torch's name
    """A decorator that makes a class of pipes callable by a name: ``@functional_datapipe("double")``."""

    def __init__(self, name: str, enable_df_api_tracing: bool = False):
        self.name = name
        self.enable_df_api_tracing = enable_df_api_tracing

    def __call__(self, cls: type) -> type:
        if not isinstance(cls, type) or not issubclass(cls, (IterDataPipe, MapDataPipe)):
            raise TypeError("`functional_datapipe` can only decorate IterDataPipe or MapDataPipe")
        base = IterDataPipe if issubclass(cls, IterDataPipe) else MapDataPipe
        base.register_datapipe_as_function(self.name, cls, self.enable_df_api_tracing)
        return cls


__all__ = ["DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe", "functional_datapipe"]

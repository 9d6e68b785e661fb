"""Pipes that call a function with every item."""

from __future__ import annotations

from collections.abc import Callable

from ..._utils.collate import default_collate
from ..callables import from_columns, warn_local
from ..datapipe import IterDataPipe, functional_datapipe


@functional_datapipe("map")
class MapperIterDataPipe(IterDataPipe):
    """What a function makes of each item, or of some of its columns."""

    def __init__(self, datapipe: IterDataPipe, fn: Callable, input_col=None, output_col=None):
        super().__init__()
        warn_local(fn)
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) > 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            output_col = output_col[0]
        self.datapipe = datapipe
        self.fn = fn
        self.input_col = input_col
        self.output_col = output_col

    def __iter__(self):
        for item in self.datapipe:
            yield self._applied(item)

    def _applied(self, item):
        result = from_columns(self.fn, item, self.input_col)
        if self.input_col is None:
            return result
        row = item.copy() if isinstance(item, dict) else list(item)
        if self.output_col is None:
            if isinstance(self.input_col, (list, tuple)):
                first, *others = self.input_col
                row[first] = result
                for column in sorted(others, reverse=True):
                    del row[column]
            else:
                row[self.input_col] = result
        elif self.output_col == -1:
            row.append(result)
        else:
            row[self.output_col] = result
        return tuple(row) if isinstance(item, tuple) else row

    def __len__(self) -> int:
        return _length(self, self.datapipe)


def _length(pipe, source) -> int:
    if hasattr(type(source), "__len__"):
        return len(source)
    raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe):
    """Batches of items as batches of tensors."""

    def __init__(self, datapipe: IterDataPipe, conversion: Callable | dict | None = default_collate,
                 collate_fn: Callable | None = None):
        chosen = collate_fn if collate_fn is not None else conversion
        if not callable(chosen):
            raise TypeError("a collation by columns of data frames does not exist here; give a function as collate_fn")
        super().__init__(datapipe, fn=chosen)

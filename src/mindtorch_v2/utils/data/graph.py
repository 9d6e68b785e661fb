"""torch.utils.data.graph: which pipes a pipe reads from."""

from __future__ import annotations

import warnings

from .datapipes.datapipe import IterDataPipe, MapDataPipe


def traverse_dps(datapipe) -> dict:
    """``{id: (pipe, the same for all it reads from)}``."""
    return {id(datapipe): (datapipe, {key: value for source in sources(datapipe)
                                      for key, value in traverse_dps(source).items()})}


def traverse(datapipe, only_datapipe: bool | None = None) -> dict:
    """torch's older name for traverse_dps()."""
    warnings.warn("`traverse` function and only_datapipe argument will be removed after 1.13. Please use "
                  "`traverse_dps` instead.", FutureWarning, stacklevel=2)
    return traverse_dps(datapipe)


def sources(value, inside: bool = True):
    """The pipes that an object holds, in its containers too."""
    for item in vars(value).values() if inside else value:
        if isinstance(item, (IterDataPipe, MapDataPipe)):
            yield item
        elif isinstance(item, (list, tuple)):
            yield from sources(item, inside=False)
        elif isinstance(item, dict):
            yield from sources(item.values(), inside=False)


def every(datapipe) -> list:
    """A pipe and all that it reads from, each once."""
    pipes: dict = {}

    def visit(graph: dict) -> None:
        for key, (pipe, below) in graph.items():
            pipes.setdefault(key, pipe)
            visit(below)

    visit(traverse_dps(datapipe))
    return list(pipes.values())

"""A pass as an object: it changes a module with a graph and says whether it did."""

from __future__ import annotations

import abc
from typing import NamedTuple

from ....nn.modules.module import Module
from ...graph_module import GraphModule

__all__ = ["PassBase", "PassResult"]


class PassResult(NamedTuple):
    """What a pass made, and whether that is something else."""

    graph_module: Module
    modified: bool


class PassBase(abc.ABC):
    """Programs write ``call``, and what must hold before and after it."""

    def __call__(self, graph_module: GraphModule) -> PassResult | None:
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module: GraphModule) -> PassResult | None:
        """The pass itself."""

    def requires(self, graph_module: GraphModule) -> None:  # noqa: B027  may stay empty
        """What must hold before."""

    def ensures(self, graph_module: GraphModule) -> None:  # noqa: B027  may stay empty
        """What must hold after."""

"""What a recording remembers of modules and optimizers: names and addresses of their tensors, never the tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .calls import Frame


class TensorFacts(NamedTuple):
    """One tensor as it was: identity, where its data lay, geometry."""

    tensor: int
    storage: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str


class ModuleFacts(NamedTuple):
    """A module as it was when first called: its parameters, each with its gradient if it had one, and the function
    that calls it."""

    self_ptr: int
    cls_ptr: int
    cls_name: str
    parameters: list[tuple[str, TensorFacts, TensorFacts | None]]
    called: Frame


class OptimizerFacts(NamedTuple):
    """An optimizer at a step: its parameters, each with its gradient and its state."""

    self_ptr: int
    cls_ptr: int
    cls_name: str
    parameters: list[tuple[TensorFacts, TensorFacts | None, dict[str, TensorFacts]]]


@dataclass
class Objects:
    """Modules by the number of their name, optimizers by the handle of the row of their step."""

    modules: dict[int, ModuleFacts | None] = field(default_factory=dict)  # None: it refused to tell
    optimizers: dict[int, OptimizerFacts] = field(default_factory=dict)
    modules_on_disk: Callable[[], dict[int, ModuleFacts | None]] = dict

    def known_modules(self) -> dict[int, ModuleFacts]:
        """All modules of which something is known."""
        return {n: facts for n, facts in (self.modules_on_disk() | self.modules).items() if facts is not None}

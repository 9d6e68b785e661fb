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
    on_disk: Callable[[], Objects] | None = None

    def known_modules(self) -> dict[int, ModuleFacts]:
        """All modules of which something is known."""
        modules = self.modules if self.on_disk is None else self.on_disk().modules | self.modules
        return {n: facts for n, facts in modules.items() if facts is not None}

    def known_optimizers(self) -> dict[int, OptimizerFacts]:
        """All steps of optimizers of which something is known."""
        return self.optimizers if self.on_disk is None else _as_one(self.on_disk().optimizers | self.optimizers)


def _as_one(steps: dict[int, OptimizerFacts]) -> dict[int, OptimizerFacts]:
    """The same facts as one object, those of steps on disk and in memory: they were seen once, at the first of them."""
    known: dict[int, list[OptimizerFacts]] = {}
    one: dict[int, OptimizerFacts] = {}
    for facts in {id(facts): facts for facts in steps.values()}.values():
        alike = known.setdefault(facts.self_ptr, [])
        one[id(facts)] = next((other for other in alike if other == facts), facts)
        alike.append(facts)
    return {row: one[id(facts)] for row, facts in steps.items()}

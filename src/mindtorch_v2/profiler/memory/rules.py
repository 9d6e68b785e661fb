"""What memory is used for: torch's rules, what is certain first; each builds on those before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import passes
from .edges import Edges
from .given import Keys
from .keys import Category
from .steps import Steps
from .telling import Told

NO_CATEGORY = 0
LEARNED = (Category.GRADIENT.value, Category.PARAMETER.value)


@dataclass(frozen=True)
class Categories:
    """The categories of all values, and of tensors of which all of their values have it."""

    of_value: np.ndarray
    of_tensor: np.ndarray


def categories(steps: Steps, edges: Edges, keys: Keys, told: Told) -> Categories:
    """Rule after rule."""
    rules = Rules(steps, edges, keys)
    rules.tell(told.gradients, Category.GRADIENT)
    rules.set_temporaries()
    rules.tell(told.parameters, Category.PARAMETER)
    dependent = rules.dependent_on_gradients()
    rules.set_inputs(dependent)
    rules.set_parameters_by_flow(dependent)
    rules.set_activations()
    rules.tell(told.states, Category.OPTIMIZER_STATE)
    rules.set_autograd_detail()
    return Categories(rules.of_value, rules.of_tensor)


class Rules:
    """Categories as far as they are known by now, and the rules that find more."""

    def __init__(self, steps: Steps, edges: Edges, keys: Keys):
        self._steps, self._edges, self._keys = steps, edges, keys
        self._written = edges.written()
        self._flow = edges.first, edges.read(), self._written
        self._edge_tensor = keys.tensor[edges.key]
        self._key_of_value = np.repeat(np.arange(len(keys), dtype=np.int32), edges.last_version + 1)
        self.of_tensor = np.zeros(int(keys.tensor.max(initial=-1)) + 1, np.int8)
        self.of_value = np.zeros(edges.base[-1], np.int8)

    def set_activations(self) -> None:
        """What is made going forward from inputs and other activations."""
        passes.spread_activations(*self._flow, self._steps.in_backward, self.of_value)

    def set_autograd_detail(self) -> None:
        """What is made going back and has no better name."""
        passes.spread_autograd_detail(*self._flow, self._steps.in_backward, self.of_value)

    def _marks(self) -> np.ndarray:
        """A mark per value, not yet set."""
        return np.zeros(len(self.of_value), np.int8)

    def _tensor_of_value(self) -> np.ndarray:
        return self._keys.tensor[self._key_of_value]

    def tell(self, keys: list[int], category: Category) -> None:
        """All values of the tensors of these keys have the category, whatever was known."""
        self._set_tensors(self._keys.tensor[np.array(keys, np.int64)], category)

    def _set_tensors(self, tensors: np.ndarray, category: Category) -> None:
        if len(tensors):
            chosen = np.zeros(len(self.of_tensor), bool)
            chosen[tensors] = True
            self.of_tensor[chosen] = category.value
            self.of_value[chosen[self._tensor_of_value()]] = category.value

    def set_temporaries(self) -> None:
        """What a step makes and drops is temporary."""
        edges = self._edges
        is_temporary = np.zeros(len(self._keys), bool)
        is_temporary[edges.key[edges.is_made & edges.is_dropped]] = True
        self.of_value[is_temporary[self._key_of_value] & (self.of_value == NO_CATEGORY)] = Category.TEMPORARY.value

    def dependent_on_gradients(self) -> np.ndarray:
        """Tensors that ever held something computed from a gradient or parameter: all but what came in from outside.

        In the first step parameters do not depend on a gradient yet, so a tensor counts as a whole.
        """
        learned = np.isin(self.of_tensor, LEARNED)
        depends = learned.astype(np.int8)
        waiting = np.arange(len(self._steps), dtype=np.int32)
        n_waiting, before = len(waiting), len(waiting) + 1
        while n_waiting < before:
            before = n_waiting
            n_waiting = passes.spread(waiting, before, *self._flow, self._edge_tensor, depends)
        # A learned tensor counts as dependent only if something was written to it.
        done = np.ones(len(self._steps), bool)
        done[waiting[:n_waiting]] = False
        written = (self._written >= 0) & done[self._edges.step]
        dependent = np.zeros(len(depends), bool)
        dependent[self._edge_tensor[written]] = True
        return dependent

    def set_inputs(self, dependent: np.ndarray) -> None:
        """What takes part in making gradients, was not made going back, and depends on no gradient."""
        taking_part = self._marks()
        passes.reach_learned(*self._flow, self.of_value, taking_part)
        made_going_back = (self._steps.in_backward[self._edges.step] > 0) & (self._written >= 0)
        taking_part[self._written[made_going_back]] = 0
        is_input = (taking_part > 0) & (self.of_value == NO_CATEGORY) & ~dependent[self._tensor_of_value()]
        self.of_value[is_input] = Category.INPUT.value

    def set_parameters_by_flow(self, dependent: np.ndarray) -> None:
        """Without modules and optimizers to ask: used going forward, needed for a gradient, updated from a gradient."""
        needed, met = self._marks(), self._marks()
        passes.reach_gradients(*self._flow, self.of_value, needed)
        forward = (self.of_value == Category.INPUT.value).astype(np.int8)
        passes.follow_inputs(*self._flow, self._steps.in_backward, self.of_value, forward, met)
        tensors = self._tensor_of_value()[(needed & met) > 0]
        self._set_tensors(tensors[dependent[tensors]], Category.PARAMETER)

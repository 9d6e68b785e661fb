"""MemoryProfile: every tensor's category, worked out from how it is made and used, and what happened to it when."""

from __future__ import annotations

from ..kineto.kinds import _EventType
from ..table.cached_property import cached_property
from .categories import CategoryDict
from .data_flow import DataFlowGraph
from .keys import Action, Category, Key, TensorKey
from .op_tree import (
    OpTree,
    SizeMap,
    extract_gradients,
    extract_optimizer_state,
    extract_parameters,
)

LEARNED = frozenset({Category.GRADIENT, Category.PARAMETER})


class MemoryProfile:
    """Categories of all memory in a result. A value is a tensor at a version: ``(key, version)``."""

    def __init__(self, result):
        self._op_tree = OpTree(result)
        self._data_flow_graph = DataFlowGraph(self._op_tree)
        self._size_map = SizeMap(self._op_tree)
        self._categories = CategoryDict()
        self._steps = [Step(node) for node in self._data_flow_graph.flow_nodes]
        # What is certain comes first; each rule builds on those before it.
        self._set_gradients_and_temporaries()
        self._set_parameters_using_python_tracer()
        self._set_inputs()
        self._set_parameters_using_data_flow()
        self._set_activations()
        self._set_optimizer_state()
        self._set_autograd_detail()

    def _is_gradient(self, *args, **kwargs) -> bool:
        return self._categories.get(*args, **kwargs) is Category.GRADIENT

    def _category_snapshot(self) -> dict[tuple[TensorKey, int], Category | None]:
        """Every value and its category as known by now."""
        values = {*self._values, *((key, 0) for key in self._categories.named())}
        return {value: self._categories.get(*value) for value in sorted(values)}

    @cached_property
    def _values(self) -> list[tuple[TensorKey, int]]:
        """All values that ever were, in order of keys and versions."""
        found = {value for step in self._steps for value in (*step.reads, *step.writes)}
        found.update((key, 0) for step in self._steps for key in step.temporaries)
        return sorted(found)

    def _set_gradients_and_temporaries(self) -> None:
        """Gradients are seen on parameters and where they are accumulated; what an op makes and drops is temporary."""
        for event in self._op_tree.telling:
            for _, grad in extract_gradients(event):
                self._categories.set_by_id(grad, Category.GRADIENT)
        for step in self._steps:
            for key in step.temporaries:
                self._categories.set_by_key(key, Category.TEMPORARY)

    def _set_parameters_using_python_tracer(self) -> None:
        for event in self._op_tree.telling:
            for key in extract_parameters(event):
                self._categories.set_by_id(key, Category.PARAMETER)

    def _any_version_depends_on_gradient(self) -> set[int]:
        """Tensors that ever held something computed from a gradient or parameter: all but what came in from outside.

        In the first step parameters do not depend on a gradient yet, so a tensor counts as a whole.
        """
        found: set[int] = set()
        before = -1
        while len(found) > before:
            before = len(found)
            for step in self._steps:
                if any(value[0].id in found or self._categories.get(*value) in LEARNED for value in step.reads):
                    found.update(key.id for key, _ in step.writes)
        return found

    def _set_inputs(self) -> None:
        """What takes part in making gradients, was not made going back, and depends on no gradient."""
        taking_part = self._reaching(LEARNED)
        for step in self._steps:
            if step.in_backward:
                taking_part.difference_update(step.writes)
        dependent = self._any_version_depends_on_gradient()
        for key, version in taking_part:
            if key.id not in dependent:
                self._categories.setdefault_by_version(key, version, Category.INPUT)

    def _reaching(self, wanted: frozenset[Category]) -> set[tuple[TensorKey, int]]:
        """Values of all steps that touch one of the wanted categories, or a value of such a step further on."""
        found: set[tuple[TensorKey, int]] = set()
        for step in reversed(self._steps):
            touched = step.reads + step.writes
            if not found.isdisjoint(touched) or any(self._categories.get(*value) in wanted for value in touched):
                found.update(touched)
        return found

    def _set_parameters_using_data_flow(self) -> None:
        """Without modules and optimizers to ask: used going forward, needed for a gradient, updated from a gradient."""
        needed: set[tuple[TensorKey, int]] = set()
        for step in reversed(self._steps):
            if any(value in needed or self._is_gradient(*value) for value in step.writes):
                needed.update(step.reads)
        ids = {key.id for key, _ in self._used_going_forward() & needed} & self._any_version_depends_on_gradient()
        for key, _ in self._values:
            if key.id in ids:
                self._categories.set_by_id(key, Category.PARAMETER)

    def _used_going_forward(self) -> set[tuple[TensorKey, int]]:
        """What meets the inputs, or what came of them, without being either."""
        forward = {value for value in self._values if self._categories.get(*value) is Category.INPUT}
        met: set[tuple[TensorKey, int]] = set()
        for step in self._steps:
            if step.in_backward or forward.isdisjoint(step.reads) or any(
                    self._is_gradient(*value) for value in step.reads + step.writes):
                continue
            forward.update(step.writes)
            met.update(value for value in step.reads if value not in forward)
        return met

    def _set_activations(self) -> None:
        """What is made going forward from inputs and other activations, with nothing else than parameters."""
        start = {Category.INPUT, Category.ACTIVATION}
        allowed = start | {Category.PARAMETER, Category.TEMPORARY}
        for step in self._steps:
            read = {self._categories.get(*value) for value in step.reads}
            if read & start and read <= allowed and not step.in_backward:
                for value in step.writes:
                    self._categories.setdefault_by_version(*value, Category.ACTIVATION)

    def _set_optimizer_state(self) -> None:
        for event in self._op_tree.telling:
            for key in extract_optimizer_state(event):
                self._categories.set_by_id(key, Category.OPTIMIZER_STATE)

    def _set_autograd_detail(self) -> None:
        """What is made going back and has no better name."""
        for step in self._steps:
            if step.in_backward:
                for key, version in step.writes:
                    if version == 0 or self._categories.get(key, version - 1) in (None, Category.AUTOGRAD_DETAIL):
                        self._categories.setdefault_by_version(key, version, Category.AUTOGRAD_DETAIL)

    @property
    def timeline(self) -> tuple[tuple[int, Action, tuple[Key, int], int], ...]:
        """(time, what happened, to which version of what, bytes), by time; -1 for what was there before."""
        found: list[tuple[int, Action, tuple[Key, int], int]] = []
        last_version = dict(self._values)  # sorted: the last version of a key wins
        allocated = set()
        for event in self._op_tree.relevant:
            if event.tag is not _EventType.Allocation:
                continue
            size = event.extra_fields.alloc_size
            key = TensorKey.from_allocation(event.extra_fields)
            action = Action.CREATE if size > 0 else Action.DESTROY
            if key is None:
                value = (Key(event.extra_fields.device), 0)
            else:
                value = (key, 0 if size > 0 else last_version.get(key, 0))
                if size > 0:
                    allocated.add(key)
            found.append((event.start_time_ns, action, value, abs(size)))
        found += [(-1, Action.PREEXISTING, (key, 0), self._size_map[key]) for key in last_version
                  if key not in allocated]
        for node in self._data_flow_graph.flow_nodes:
            found += [(node.start_time, Action.INCREMENT_VERSION, (key, version), self._size_map[key])
                      for key, (mutated, version) in node.inputs.items() if mutated]
        return tuple(sorted(found, key=lambda entry: (entry[0], entry[1].value)))


class Step:
    """A node of the data flow: the values it reads and writes, each once."""

    __slots__ = ("in_backward", "reads", "temporaries", "writes")

    def __init__(self, node):
        self.reads = tuple((key, version) for key, (_, version) in node.inputs.items())
        self.writes = tuple(node.outputs.items())
        self.temporaries = node.intermediates
        self.in_backward = node.in_backward

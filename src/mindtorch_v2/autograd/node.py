"""Nodes of the backward graph: what an op remembers, and how its derivative is called."""

from __future__ import annotations

import weakref

from ..core import modes
from ..core.tensor import Tensor
from ..opdef.derivative import Derivative, Formula
from ..record import rows
from . import hooks

FREED = ("Trying to backward through the graph a second time (or directly access saved tensors after they have already "
         "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
         "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
         "saved tensors after calling backward.")
LAST = 1 << 62  # leaves are served as soon as their gradient is complete


class Node:
    """One step back: gradients of an op's results in, gradients of its inputs out."""

    def __init__(self):
        self.next_nodes = []
        self.next_numbers = []
        self.outputs = []
        self.sequence = LAST
        self.thread = 0
        self.pre_hooks = None
        self.post_hooks = None
        self.tensor_hooks = None
        self.retained = None
        self._metadata = None
        self.released = False
        self.wants_undefined = False  # called even if no gradient arrives
        self.name_id = self.evaluate_name_id = -1

    @property
    def next_functions(self):
        return tuple(zip(self.next_nodes, self.next_numbers))

    @property
    def metadata(self):
        """A dict for the user's notes."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @property
    def _sequence_nr(self):
        return self.sequence

    def name(self):
        return type(self).__name__

    def __repr__(self):
        return f"<{self.name()} object at {id(self):#x}>"

    def register_hook(self, hook):
        return hooks.register_node_hook(self, hook)

    def register_prehook(self, hook):
        return hooks.register_node_prehook(self, hook)

    def apply(self, grads):
        raise NotImplementedError

    def release(self):
        """Let go of what was saved for the way back."""

    def number(self):
        """Take the next sequence number of this thread."""
        state = modes.current()
        self.sequence = state.sequence
        state.sequence += 1
        self.thread = rows.thread_index()

    def connect(self, tensor):
        """Add the edge that leads to a tensor's own history; None where no gradient is wanted."""
        if tensor is None:
            self.next_nodes.append(None)
            self.next_numbers.append(0)
        elif tensor.grad_fn is not None:
            self.next_nodes.append(tensor.grad_fn)
            self.next_numbers.append(tensor.output_nr)
        else:
            self.next_nodes.append(accumulator_of(tensor) if tensor.requires else None)
            self.next_numbers.append(0)

    def adopt(self, tensor, number):
        """Make a tensor this node's result."""
        tensor.grad_fn = self
        tensor.output_nr = number
        tensor.requires = True
        self.outputs.append((tensor.array.shape, tensor.dtype))


class Accumulate(Node):
    """Adds what arrives to a leaf's ``.grad``; engine.py says how."""

    def __init__(self, variable):
        Node.__init__(self)
        self.variable = variable
        self.post_accumulate = None
        self.outputs.append((variable.array.shape, variable.dtype))

    def name(self):
        return "torch::autograd::AccumulateGrad"


def accumulator_of(tensor):
    """The one node that collects a leaf's gradient; it lives as long as a graph needs it."""
    known = tensor.accumulator
    if known is not None:
        found = known()
        if found is not None:
            return found
    made = make_accumulator(tensor)
    tensor.accumulator = weakref.ref(made)
    return made


make_accumulator = Accumulate


class OpNode(Node):
    """The way back through one op of the table."""

    def __init__(self, derivative):
        Node.__init__(self)
        self.derivative = derivative
        self.name_id = derivative.node_name_id
        self.evaluate_name_id = derivative.evaluate_name_id
        self.args = None
        self.versions = None
        self.spans = None  # how many tensors each list parameter holds
        self.results = None

    def name(self):
        return self.derivative.node

    def save(self, args, n_params):
        """Keep the parameters the formulas ask for, each tensor with the version it has now."""
        wanted = self.derivative.saved_params
        kept = [None] * n_params
        versions = [0] * n_params
        for i in wanted:
            value = args[i]
            kept[i] = value
            if isinstance(value, Tensor):
                tensor: Tensor = value
                versions[i] = 0 if tensor.version is None else tensor.version.count
        self.args = kept
        self.versions = versions

    def save_result(self, number, result):
        """Keep a result without its history, which would lead back here."""
        if self.results is None:
            self.results = {}
        tensor: Tensor = result
        alias = tensor.share(tensor.array)
        self.results[number] = (alias, alias.version.count)

    def saved(self, i):
        value = self.args[i]
        if isinstance(value, Tensor):
            tensor: Tensor = value
            version = 0 if tensor.version is None else tensor.version.count
            if version != self.versions[i]:
                raise RuntimeError(_overwritten(tensor, version, self.versions[i], tensor.grad_fn, tensor.output_nr))
        return value

    def saved_result(self, number):
        alias, version = self.results[number]
        if alias.version.count != version:
            raise RuntimeError(_overwritten(alias, alias.version.count, version, self, number))
        if not modes.current().grad:
            return alias
        again = alias.share(alias.array)
        again.grad_fn, again.output_nr, again.requires = self, number, True
        return again

    def apply(self, grads):
        if self.released:
            raise RuntimeError(FREED)
        derivative = self.derivative
        if derivative.joint:
            formula = derivative.formulas[0]
            found = list(formula.function(*self.collect(formula.sources, grads)))
            return found if self.spans is None else _flatten(found)
        found = []
        at = 0
        for i, formula in enumerate(derivative.formulas):
            span = 1 if self.spans is None else self.spans[i]
            if span == 1 and self.next_nodes[at] is None or (span != 1 and not any(self.next_nodes[at:at + span])):
                found.extend([None] * span)
            else:
                value = formula.function(*self.collect(formula.sources, grads))
                if span == 1 and not isinstance(value, (list, tuple)):
                    found.append(value)
                else:
                    found.extend(value)
            at += span
        return found

    def collect(self, sources, grads):
        """The arguments of a formula, from where its declaration says they come."""
        values = []
        for source in sources:
            if source >= 0:
                values.append(self.saved(source))
            elif source == -1:
                values.append(grads[0])
            elif source == -2:
                values.append(grads)
            elif source == -3:
                values.append(self.needs())
            else:
                values.append(self.saved_result(-10 - source))
        return values

    def needs(self):
        """For each differentiable parameter, whether anybody wants its gradient."""
        wanted = [node is not None for node in self.next_nodes]
        if self.spans is None:
            return wanted
        grouped, at = [], 0
        for span in self.spans:
            grouped.append(any(wanted[at:at + span]))
            at += span
        return grouped

    def release(self):
        self.released = True
        self.args = self.results = None


def _flatten(values):
    flat = []
    for value in values:
        if isinstance(value, (list, tuple)):
            flat.extend(value)
        else:
            flat.append(value)
    return flat


def _overwritten(tensor, version, expected, node, number) -> str:
    origin = "" if node is None else f", which is output {number} of {node.name()},"
    return ("one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[torch.{tensor.dtype.short}Tensor {list(tensor.array.shape)}]{origin} is at version {version}; expected "
            f"version {expected} instead. Hint: enable anomaly detection to find the operation that failed to compute "
            "its gradient, with torch.autograd.set_detect_anomaly(True).")

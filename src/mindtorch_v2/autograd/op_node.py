"""The node of an op: what it saves, and how its derivative is called."""

from __future__ import annotations

import weakref

from ..core import matrix_layout, modes
from ..core.dtype import COMPLEX
from ..core.fields import set_history
from ..core.slots import Work
from ..core.tensor import Tensor, offset_of, place_of, shape_of, share_storage
from ..opdef.derivative import COLUMN_MAJOR, DEVICE, DTYPE, FACT, GEOMETRY, GRAD, GRADS, NEEDS, RESULT0
from . import node as nodes
from .node import DETACHED, FREED, INFERENCE, Node, overwritten, overwritten_input

WRITTEN = -1  # minus the number of a result: where a result that was written into a view has its history


class OpNode(Node):
    """The node of one op of the table."""

    def name(self):
        return self.derivative.node

    def apply(self, grads, edges):
        if self.released:
            raise RuntimeError(FREED)
        if modes.overrides or modes.devices:
            return self.apply_inside(grads, edges)
        return self.derived(grads, edges)

    def apply_inside(self, grads, edges):
        """The same where some ``__torch_function__`` is about, which is not asked about derivatives, or a device.

        What formulas make out of nothing is made where the gradients are.
        """
        state = modes.current()
        inside, device = state.inside, state.device
        state.inside = True
        if modes.devices:
            state.device = device_of(grads)
        try:
            return self.derived(grads, edges)
        finally:
            state = modes.current()
            state.inside, state.device = inside, device

    def derived(self, grads, edges):
        if not self.packed:
            return self.gradients(grads, edges)
        before = self.unpacked
        self.unpacked = {}  # several formulas may ask for a value: its hook is called once
        try:
            unpack_all(self)
            return self.gradients(grads, edges)
        finally:
            self.unpacked = before

    def gradients(self, grads, edges):
        """What the formulas say."""
        derivative = self.derivative
        if derivative.joint:
            results = list(self.work_out(derivative.formulas[0], grads, edges))
            return results if self.spans is None else _flatten(results)
        if self.spans is not None:
            return self.apply_to_lists(grads, edges)
        results = [None] * len(edges)
        for at in derivative.order:
            if edges[at] is not None:
                results[at] = self.work_out(derivative.formulas[at], grads, edges)
        return results

    def apply_to_lists(self, grads, edges):
        """The same where a parameter is a list of tensors, each with an edge of its own."""
        results = []
        at = 0
        for i, formula in enumerate(self.derivative.formulas):
            span = self.spans[i]
            if not _any_wanted(edges, at, span):
                results.extend([None] * span)
            else:
                value = self.work_out(formula, grads, edges)
                if isinstance(value, (list, tuple)):
                    results.extend(value)
                else:
                    results.append(value)
            at += span
        return results

    def work_out(self, formula, grads, edges):
        """Call a formula with what its declaration asks for; most ask for little, which needs no list."""
        sources = formula.sources
        n = len(sources)
        if n == 1:
            return formula.function(self.value(sources[0], grads, edges))
        first, second = self.value(sources[0], grads, edges), self.value(sources[1], grads, edges)
        if n == 2:
            return formula.function(first, second)
        third = self.value(sources[2], grads, edges)
        if n == 3:
            return formula.function(first, second, third)
        return formula.function(first, second, third, *[self.value(source, grads, edges) for source in sources[3:]])

    def value(self, source, grads, edges):
        """An argument of a formula, from where its declaration says it comes."""
        if source == GRAD:
            return grads[0]
        if source >= FACT:
            return self.facts[source]
        if source >= 0:
            return self.for_formula(saved(self, source), grads)
        if source == GRADS:
            return grads
        if source == NEEDS:
            return self.needs(edges)
        return self.for_formula(saved_result(self, RESULT0 - source), grads)

    def for_formula(self, value, grads):
        """What was saved, as formulas for real numbers take it: complex gradients go back through its conjugate."""
        return conjugate(value) if self.derivative.conjugates and _is_complex(grads) else value

    def __getattr__(self, name):
        """``_saved_<name>``: what the formulas find under a name; ``_raw_saved_<name>``: the tensor as it is kept."""
        source = self.derivative.source(name.removeprefix("_raw")[7:]) if "_saved_" in name[:11] else None
        if source is not None and name.startswith("_raw"):
            from .saved_tensor import of_node
            return of_node(self, source, name)
        if source is None:
            from .saved_names import geometry
            known = geometry(self, name[7:]) if name.startswith("_saved_") else None
            if known is None:
                raise AttributeError(f"'{self.name()}' object has no attribute '{name}'")
            return known
        if self.released:
            raise RuntimeError(FREED)
        if source < 0:
            return saved_result(self, RESULT0 - source) if self.results is not None else None
        if source >= FACT:
            return None if self.facts is None else self.facts.get(source)
        value = None if self.args is None else saved(self, source)
        return tuple(value) if isinstance(value, list) else value

    def __dir__(self):
        from .saved_names import names
        return [*super().__dir__(), *names(self.derivative)]

    def needs(self, edges):
        """For each differentiable parameter, whether anybody wants its gradient."""
        wanted = [node is not None for node in edges]
        if self.spans is None:
            return wanted
        grouped, at = [], 0
        for span in self.spans:
            grouped.append(True in wanted[at:at + span])
            at += span
        return grouped

    def release(self):
        """Without tensors among them, what was saved is small and lets the graph be walked again, as in torch."""
        if self.results is not None or _holds_tensors(self.args) or (self.packed and _holds_packed(self.args)):
            self.released = True
            self.args = self.results = self.facts = None


for _name in ("derivative", "args", "versions", "spans", "results", "facts", "packed", "unpacked"):
    if not hasattr(OpNode, _name):
        setattr(OpNode, _name, None)


def op_node(derivative):
    """A node for a call that has just been made, ready to be connected."""
    node = OpNode.__new__(OpNode)
    node.next_nodes = []
    node.outputs = ()
    node.derivative = derivative
    node.is_named = True
    node.name_id = derivative.node_name_id
    node.evaluate_name_id = derivative.evaluate_name_id
    return node


def device_of(grads):
    """The number of the device that gradients are on."""
    for grad in grads:
        if grad is not None:
            return grad._mt_storage.device
    return 0


def save(node, args, wanted):
    """Keep the parameters the formulas ask for, each tensor with the version it has now."""
    if not wanted:
        return
    kept = [None] * len(args)
    versions = None  # almost nothing saved was ever written to
    for i in wanted:
        if i >= FACT:
            save_fact(node, args, i)
            continue
        value = args[i]
        kept[i] = value
        if isinstance(value, Tensor):
            tensor: Tensor = value
            if tensor._mt_inference:
                raise RuntimeError(INFERENCE)
            if tensor._mt_version is not None and tensor._mt_version.count:
                if versions is None:
                    versions = [0] * len(args)
                versions[i] = tensor._mt_version.count
    if nodes.traces.pack is not None:
        for i in node.derivative.by_name:
            kept[i] = packed(kept[i])
        node.packed = True
    node.args = kept
    node.versions = versions


def packed(value):
    """A saved value as hooks want it kept."""
    if isinstance(value, Tensor):
        return nodes.traces.pack(value)
    return [packed(item) for item in value] if isinstance(value, (list, tuple)) else value


def unpacked(value):
    """A saved value as it was before hooks packed it away."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    return value.unpack() if hasattr(value, "unpack") else value


def save_fact(node, args, source):
    """Keep a tensor's shape, type, geometry (shape, strides, offset) or how a matrix lies, without the tensor."""
    value = args[source % FACT]
    if node.facts is None:
        node.facts = {}
    if isinstance(value, (list, tuple)):
        node.facts[source] = [fact(item, source) for item in value]
    else:
        node.facts[source] = fact(value, source)


def fact(tensor, source):
    if tensor is None:
        return None
    if source >= COLUMN_MAJOR:
        return matrix_layout.is_column_major(tensor)
    if source < DTYPE:
        return shape_of(tensor)
    if source < GEOMETRY:
        return tensor.dtype
    return (shape_of(tensor), tensor.stride(), offset_of(tensor)) if source < DEVICE else place_of(tensor)


def save_result(node, at, result):
    """Keep a result without its history, which would lead back to the node."""
    if node.results is None:
        node.results = {}
    if nodes.traces.pack is not None:
        kept = nodes.traces.pack(result, True)
        if kept is not result:
            node.results[at] = (kept, -1)
            node.packed = True
            return
    alias = share_storage(result, result._mt_array) if modes.overrides == 0 else Work.kept(result)
    node.results[at] = (alias, alias._mt_version.count)
    if result.grad_fn is not node and result._mt_base is not None and result.grad_fn is not None:
        node.results[WRITTEN - at] = weakref.ref(result.grad_fn), result.output_nr


def saved(node, i):
    """A parameter as it was when the op ran, or torch's complaint that it was overwritten."""
    value = node.args[i]
    if isinstance(value, Tensor):
        tensor: Tensor = value
        version = 0 if tensor._mt_version is None else tensor._mt_version.count
        expected = 0 if node.versions is None else node.versions[i]
        if version != expected:
            raise RuntimeError(overwritten_input(tensor, version, expected))
        if nodes.traces.detached and not tensor._mt_requires and _had_history(node, i):
            raise RuntimeError(DETACHED)
        return value
    return unpacked_once(node, i, value) if node.packed else value


def _had_history(node, i):
    """Whether a saved parameter came from a node when the op ran."""
    params = node.derivative.params
    return node.spans is None and i in params and isinstance(node.next_nodes[params.index(i)], Node)


def unpack_all(node):
    """Have hooks bring back everything that the node saved, whichever gradients are wanted, as torch does."""
    if node.args is not None:
        for i in node.derivative.by_name:
            if node.args[i] is not None and not isinstance(node.args[i], Tensor):
                unpacked_once(node, i, node.args[i])
    if node.results is not None:
        for at in node.derivative.saved_results:
            kept, version = node.results[at]
            if version < 0:
                unpacked_once(node, -1 - at, kept)


def unpacked_once(node, source, value):
    """A saved value as it was before hooks packed it away, the same for all formulas of an evaluation."""
    if node.unpacked is None:
        return unpacked(value)
    if source not in node.unpacked:
        node.unpacked[source] = unpacked(value)
    return node.unpacked[source]


def saved_result(node, at):
    """A result as it was when the op ran; its history leads to the node, should somebody differentiate again."""
    kept, version = node.results[at]
    if version < 0:
        alias = Work.kept(unpacked_once(node, -1 - at, kept))  # without the history it may have
        version = alias._mt_version.count
    else:
        alias = kept
    if alias._mt_version.count != version:
        raise RuntimeError(overwritten(alias, alias._mt_version.count, version, node, at))
    again = alias if modes.overrides == 0 else Work.kept(alias)
    again._mt_tangents = alias._mt_tangents  # what a class or a mode makes has none of its own
    if not modes.current().grad or at >= len(node.outputs) or node.outputs[at] is None:
        return again
    if again is alias:
        again = share_storage(alias, alias._mt_array)
        again._mt_tangents = alias._mt_tangents
    rebased = node.results.get(WRITTEN - at)
    if rebased is not None and rebased[0]() is not None:
        set_history(again, rebased[0](), rebased[1], True)
    else:
        set_history(again, node, at, True)
    return again


def _is_complex(grads):
    for grad in grads:
        if grad is not None:
            return grad.dtype.category == COMPLEX
    return False


def conjugate(value):
    """What was saved, conjugated; what is not complex stays as it is."""
    if isinstance(value, Tensor):
        tensor: Tensor = value
        return Work.conj(value) if tensor.dtype.category == COMPLEX else value
    if isinstance(value, (list, tuple)):
        return type(value)([conjugate(item) for item in value])
    return value.conjugate() if type(value) is complex else value


def _any_wanted(nodes, at, span):
    for i in range(at, at + span):
        if nodes[i] is not None:
            return True
    return False


def _holds_tensors(args):
    """Whether a tensor, or a list of them, is among what was saved."""
    if args is not None:
        for value in args:
            if isinstance(value, Tensor) or (isinstance(value, (list, tuple)) and _holds_tensors(list(value))):
                return True
    return False


def _holds_packed(args):
    """The same for what hooks packed away."""
    if args is not None:
        for value in args:
            if hasattr(value, "unpack") or (isinstance(value, (list, tuple)) and _holds_packed(list(value))):
                return True
    return False


def _flatten(values):
    flat = []
    for value in values:
        if isinstance(value, (list, tuple)):
            flat.extend(value)
        else:
            flat.append(value)
    return flat

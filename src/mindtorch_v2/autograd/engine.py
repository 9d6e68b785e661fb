"""The backward pass: every node once, latest first, as soon as all its gradients have arrived."""

from __future__ import annotations

from heapq import heappop, heappush

from ..core import describe, memory_overlap, modes, strided
from ..core.device import contiguous_format
from ..core.pending import Pending
from ..core.slots import Work
from ..core.tensor import Tensor
from ..record import rows
from ..record.layout import INPUTS, TENSORS
from ..record.names import names
from . import node as nodes
from .hook_results import checked, replaced
from .layout_policy import _is_grad_layout_enforcement_enabled
from .node import Accumulate, Node, number_at, resolve


class Arrivals:
    """What a node waits for: how many gradients are still missing, and those that have come."""

    def __init__(self):
        self.missing = 0
        self.grads = None


class GraphTask:
    """One backward pass: what each node still waits for, and which are ready."""

    def __init__(self, keep_graph, create_graph):
        self.keep_graph = keep_graph
        self.create_graph = create_graph
        self.waiting = {}
        self.needed = None
        self.captures = None
        self.captured = {}
        self.ready = []
        self.pushed = 0
        self.watch = None  # looks at every node's gradients when anomaly detection is on
        self.callbacks = []
        self.current = None  # the node it is at

    def count_dependencies(self, roots):
        """How many gradients each reachable node waits for; no recursion, graphs may be deep."""
        waiting = self.waiting
        stack = []
        for node in roots:
            if node not in waiting:
                waiting[node] = Arrivals()
                stack.append(node)
        while stack:
            node = stack.pop()
            for edge in node.next_nodes:
                following = resolve(edge)
                if following is not None:
                    arrivals = waiting.get(following)
                    if arrivals is None:
                        arrivals = waiting[following] = Arrivals()
                        stack.append(following)
                    arrivals.missing += 1

    def wanted_edges(self, node):
        """A node's edges, without those that lead to nothing that was asked for."""
        kept = []
        for edge in node.next_nodes:
            following = resolve(edge)
            wanted = following in self.needed or (self.captures is not None and following in self.captures)
            kept.append(edge if wanted else None)
        return kept

    def push(self, node):
        self.pushed += 1
        heappush(self.ready, (-node.sequence, self.pushed, node))


def deliver(node, arrivals, number, grad):
    """Add a gradient to those that have come for a node."""
    if grad is None:
        return
    grads = arrivals.grads
    if grads is None:
        grads = arrivals.grads = no_grads(node)
    before = grads[number]
    if before is None:
        grads[number] = grad
        return
    grads[number] = None
    if modes.kinds and (adds_its_own_way(before) or adds_its_own_way(grad)):
        grads[number] = Work.add_kinds(before, grad)
    elif not modes.current().grad and strided.references(before) == 1 and owns_memory(before):
        grads[number] = Work.add_(before, grad)  # nobody else looks at the first of the two
    else:
        grads[number] = Work.add(before, grad)


def no_grads(node):
    """A place for the gradient of each of a node's results."""
    return [None] * max(1, len(node.outputs))


def adds_its_own_way(t):
    """Whether a tensor is more than strided memory: conjugates and negatives to be carried out are no more."""
    return t._mt_kind is not None and not isinstance(t._mt_kind, Pending)


def owns_memory(t):
    """Whether a tensor has its memory to itself and without gaps; a view shares it with its base."""
    storage = t._mt_storage
    return type(t) is Tensor and t._mt_base is None and t._mt_tangents is None and strided.references(storage) == 2 \
        and strided.nbytes(t._mt_array) == storage.nbytes and memory_overlap.is_dense(t)


class GraphRoot(Node):
    """Where a walk from several tensors begins."""

    def __init__(self, roots, grads):
        Node.__init__(self)
        self.wants_undefined = True
        self.grads = grads
        for node, number in roots:
            nodes.lead(self, node, number)
        nodes.number(self)

    def name(self):
        return "torch::autograd::GraphRoot"

    def apply(self, grads, edges):
        return list(self.grads)


def run(task, roots, grads):
    """Carry gradients from the roots to wherever they lead."""
    if len(roots) > 1:
        root = GraphRoot(roots, grads)
        roots, grads = [(root, 0)], []
        if task.needed is not None:
            task.needed.add(root)
    task.count_dependencies([root for root, _ in roots])
    if roots and not grads:
        task.waiting[roots[0][0]].grads = []  # nothing goes into the common root
    for (root, number), grad in zip(roots, grads):
        deliver(root, task.waiting[root], number, grad)
    for root, _ in roots:  # one, if several were given: their common root
        if task.waiting[root].missing == 0:
            task.push(root)
    before = modes.set_grad(task.create_graph)
    below = modes.set_below(False)
    try:
        while task.ready:
            evaluate(task, heappop(task.ready)[2])
    finally:
        modes.set_grad(before)
        modes.set_below(below)
        task.waiting.clear()
        task.ready.clear()
    for callback in task.callbacks:  # one may add another
        callback()


def evaluate(task, node):
    """One node: its row, its hooks, its derivative, and its gradients handed on."""
    wanted = rows.listening()
    if wanted == 0:
        step(task, node, 0)
        return
    if not node.is_named:
        node.evaluate_name_id = names.number("autograd::engine::evaluate_function: " + node.name())
    sequence = -1 if node.sequence == nodes.LAST else node.sequence
    row = rows.open_row(node.evaluate_name_id, 0, sequence, -1, node.thread)
    try:
        step(task, node, wanted)
    finally:
        rows.close_row(row)


def step(task, node, wanted):
    """Take a node's gradients, show them to those who watch its tensors, and go through it if it is needed."""
    task.current = node
    arrivals = task.waiting.pop(node)
    grads = arrivals.grads
    if grads is None:
        grads = no_grads(node)
    if node.tensor_hooks is not None or node.retained is not None:
        call_tensor_hooks(node, grads)
    if task.captures is not None and node in task.captures:
        for number in task.captures[node]:
            task.captured[node, number] = grads[number]
    if task.needed is not None and node not in task.needed:
        return
    edges = node.next_nodes
    if task.needed is not None:
        edges = task.wanted_edges(node)  # so that no formula works for nobody
    arrivals.grads = grads
    grads = None
    go_through(task, node, arrivals, edges, wanted)


def go_through(task, node, arrivals, edges, wanted):
    """A node's hooks and derivative, and its gradients handed on.

    What arrived goes before what was saved, as in torch.
    """
    grads = arrivals.grads
    arrivals.grads = None
    if node.pre_hooks is not None:
        for hook in list(node.pre_hooks.values()):
            changed = hook(tuple(grads))
            if changed is not None:
                grads = replaced(changed, grads, hook)
        changed = None  # a gradient that only this function holds can be taken over
    given = tuple(grads) if node.post_hooks is not None else None
    arrived = len(grads)
    results = applied(node, grads, edges, wanted, task.watch)
    grads = None
    if not task.keep_graph:
        node.release()
    if node.post_hooks is not None:
        if given is None:
            given = (None,) * arrived  # the hook was set while the node ran: what came is gone
        for hook in list(node.post_hooks.values()):
            changed = hook(tuple(results), given)
            if changed is not None:
                results = replaced(changed, results, hook)
    hand_on(task, node, edges, results)


def applied(node, grads, edges, wanted, watch):
    """A node's derivative under its own row, then each gradient in the shape of what it belongs to."""
    if wanted == 0:
        results = called(node, grads, edges)
    else:
        sequence = -1 if node.sequence == nodes.LAST else node.sequence
        if not node.is_named:
            node.name_id = names.number(node.name())
        if wanted & (INPUTS | TENSORS):
            row = describe.open_row(node.name_id, 1, sequence, grads, wanted, node.thread)
        else:
            row = rows.open_row(node.name_id, 1, sequence, -1, node.thread)
        try:
            results = called(node, grads, edges)
        finally:
            rows.close_row(row)
    if results is None:
        return []
    if watch is not None:
        watch(node, results)
    fit(node, edges, results)
    return results


def called(node, grads, edges):
    """A node's gradients, or None if nothing arrived that it could carry on."""
    if node.wants_undefined or has_any(grads):
        return node.apply(grads, edges)
    return None


def has_any(grads):
    """Whether any gradient has arrived."""
    for grad in grads:
        if grad is not None:
            return True
    return False


def fit(node, edges, results):
    """Undo broadcasts and casts: a gradient has the shape and type of what it is the gradient of."""
    if len(results) != len(edges):
        if len(results) < len(edges) or has_any(results[len(edges):]):
            raise RuntimeError(f"Function {node.name()} returned an incorrect number of gradients (expected "
                               f"{len(edges)}, got {len(results)})")
        del results[len(edges):]
    for i in range(len(results)):
        grad = results[i]
        if grad is None:
            continue
        following = resolve(edges[i])
        if following is None:
            results[i] = None
            continue
        shape, dtype = following.outputs[number_at(node, i)]
        if not strided.has_shape(grad._mt_array, shape):
            if not _reducible(grad._mt_array.shape, shape):
                raise RuntimeError(f"Function {node.name()} returned an invalid gradient at index {i} - got "
                                   f"{list(grad._mt_array.shape)} but expected shape compatible with {list(shape)}")
            grad = None  # so that what is added up can be freed on the way
            results[i] = grad = Work.sum_to(results[i], shape)
        if grad.dtype is not dtype and dtype is not None:  # a leaf may take any type
            grad = None
            results[i] = Work.cast(results[i], dtype)


def _reducible(have, want):
    lead = len(have) - len(want)
    if lead < 0:
        return False
    for i in range(len(want)):
        if want[i] != have[i + lead] and want[i] != 1:
            return False
    return True


def hand_on(task, node, edges, results):
    """Deliver gradients to the next nodes; a node whose last one arrived becomes ready."""
    for i in range(len(edges)):
        following = resolve(edges[i])
        if following is None:
            continue
        grad = None
        if results:
            grad = results[i]
            results[i] = None
        arrivals = task.waiting[following]
        deliver(following, arrivals, number_at(node, i), grad)
        grad = None
        arrivals.missing -= 1
        if arrivals.missing == 0:
            task.push(following)


def call_tensor_hooks(node, grads):
    """The user's hooks on the tensors that came from this node, then those whose gradient is to be kept."""
    if node.tensor_hooks is not None:
        for number, hooks in list(node.tensor_hooks.items()):
            for hook in list(hooks.values()):
                changed = hook(grads[number])  # None, where nothing arrived
                if changed is not None:
                    grads[number] = checked(changed, grads[number], hook)
    if node.retained is not None:
        for number, kept in list(node.retained.items()):
            tensor = kept()
            if tensor is not None and grads[number] is not None:
                if tensor._mt_grad is None:
                    tensor._mt_grad = Work.clone(grads[number], memory_format=contiguous_format)
                else:
                    tensor._mt_grad = Work.add(tensor._mt_grad, grads[number])


class AccumulateGrad(Accumulate):
    """Adds what arrives to a leaf's ``.grad``: takes it over where it can, copies where it must, else adds."""

    def __init__(self, variable):
        Accumulate.__init__(self, variable)
        self.is_named = True
        self.name_id, self.evaluate_name_id = _ACCUMULATE

    def apply(self, grads, edges):
        grad = grads[0]
        if grad is None:
            return None
        grads[0] = None  # let go of here, so that it is freed under this node's row
        variable: Tensor = self.leaf()
        before = variable._mt_grad
        if modes.kinds and (adds_its_own_way(grad) or before is not None and adds_its_own_way(before)):
            variable._mt_grad = Work.accumulate_kind(before, grad, strided.references(grad) == 1)
        elif before is None:
            owners = 1 if self.post_hooks is None else 2  # what a hook is shown is kept for it
            if strided.references(grad) == owners and not modes.current().grad \
                    and (_lies_as_wanted(grad, variable) or not _is_grad_layout_enforcement_enabled()):
                variable._mt_grad = Work.detach(grad)
            else:
                variable._mt_grad = Work.clone_for(grad, variable)
        elif modes.current().grad:
            variable._mt_grad = Work.add(before, grad)
        else:
            Work.add_(before, grad)
        if self.post_accumulate is not None:
            for hook in list(self.post_accumulate.values()):
                if hook(variable) is not None:
                    raise RuntimeError("Tensor post accumulate grad hooks should return None.")
        return None


_ACCUMULATE = (names.declare("torch::autograd::AccumulateGrad"),
               names.declare("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad"))
nodes.make_accumulator = AccumulateGrad


def _lies_as_wanted(grad, variable):
    """Whether a gradient lies in memory as its variable does, or, where elements of that share memory, row by row."""
    if not memory_overlap.is_dense(variable):
        return strided.is_contiguous(grad._mt_array)
    if strided.is_contiguous(grad._mt_array) and strided.is_contiguous(variable._mt_array):
        return True
    have, want = strided.strides(grad._mt_array), strided.strides(variable._mt_array)
    for i in range(len(have)):
        if have[i] != want[i] and grad._mt_array.shape[i] != 1:
            return False
    return True

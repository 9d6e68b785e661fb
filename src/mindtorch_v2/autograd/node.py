"""Nodes of the backward graph and their edges; op_node.py has those of ops."""

from __future__ import annotations

import weakref

from ..core import modes
from ..core.device import CPU
from ..core.fields import node_of
from ..core.tensor import Tensor, shape_of
from ..record import rows
from . import hooks

FREED = ("Trying to backward through the graph a second time (or directly access saved tensors after they have already "
         "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
         "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
         "saved tensors after calling backward.")
INFERENCE = ("Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
             "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and "
             "use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.")
DETACHED = ("Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
            "please use out-of-place `.detach()` instead")
LAST = 1 << 62  # leaves are served as soon as their gradient is complete


class Node:
    """One step back: gradients of an op's results in, gradients of its inputs out."""

    def __init__(self):
        self.next_nodes = []
        self.outputs = ()
        self.sequence = LAST

    @property
    def next_functions(self):
        from .node_classes import named
        return tuple([(named(resolve(following)), number_at(self, i)) for i, following in enumerate(self.next_nodes)])

    @property
    def metadata(self):
        """A dict for the user's notes."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @property
    def requires_grad(self):
        """Whether it leads anywhere."""
        return any([following is not None for following in self.next_nodes])

    @property
    def _input_metadata(self):
        """Shape and type of each gradient that arrives here."""
        return tuple([None if known is None else InputMetadata(*known) for known in self.outputs])

    def _sequence_nr(self):
        return self.sequence

    def _set_sequence_nr(self, sequence):
        self.sequence = sequence

    def __call__(self, *grads):
        """Go through this node alone: the gradients of its inputs, or the one there is."""
        expected = max(1, len(self.outputs))
        if len(grads) != expected:
            raise TypeError(f"expected {expected} arguments, got {len(grads)} instead")
        if not self.wants_undefined and not any([grad is not None for grad in grads]):
            return None
        results = self.apply(list(grads), self.next_nodes)
        if results is None:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def name(self):
        return type(self).__name__

    def op_name(self):
        """The name of what was called, which torch gives in its complaints: ``Exp`` for ``ExpBackward0``."""
        name = self.name()
        variant = name[len(name.rstrip("0123456789")):]
        called = name.removesuffix(variant).removesuffix("Backward") if variant else name.removesuffix("Backward")
        return called if variant == "0" else called + variant

    def __repr__(self):
        return f"<{self.name().rpartition(':')[2]} object at {id(self):#x}>"

    def register_hook(self, hook):
        return hooks.register_node_hook(self, hook)

    def _register_hook_dict(self, tensor):
        """Call the hooks that a tensor has in ``_backward_hooks`` with its gradient."""
        hooks.register_hook_dict(self, tensor)

    def register_prehook(self, hook):
        return hooks.register_node_prehook(self, hook)

    def apply(self, grads, edges):
        """The gradients of the inputs; ``edges`` are the node's own, without those nobody asks for in this pass."""
        raise NotImplementedError

    def release(self):
        """Let go of what was saved for backward."""


class InputMetadata:
    """What is known of a gradient before it arrives."""

    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape, dtype):
        self.shape = list(shape)
        self.dtype = dtype
        self.device = CPU


# The defaults of the uncompiled class; compiled fields start as None, False and 0 by themselves.
_FIELDS = {"next_nodes": None, "next_numbers": None, "outputs": None, "sequence": 0, "thread": 0, "pre_hooks": None,
           "post_hooks": None, "tensor_hooks": None, "retained": None, "_metadata": None, "released": False,
           "wants_undefined": False, "is_named": False, "name_id": 0, "evaluate_name_id": 0}

for _name, _value in _FIELDS.items():
    if not hasattr(Node, _name):
        setattr(Node, _name, _value)


class Traces:
    """Who watches nodes being made: anomaly detection, which notes the Python stack, hooks on what is saved, and
    what notes how views are made.
    """

    def __init__(self):
        self.remember = None
        self.pack = None
        self.views = None
        self.detached = False  # whether a tensor with a history was ever detached in place


traces = Traces()


def pack_with(pack):
    """Have every tensor that is saved shown to a function, which says what to keep; with None, stop that."""
    traces.pack = pack


def watch_views(watch):
    """Have every new view shown to a function, with the op and the arguments that made it."""
    traces.views = watch


def note_detached():
    """Say that a tensor with a history was detached in place: what is saved may be such a tensor."""
    traces.detached = True


def remember_with(remember):
    """Have every new node shown to a function, or, with None, stop that."""
    traces.remember = remember


def number(node):
    """Give a node the next sequence number of this thread."""
    if traces.remember is not None:
        traces.remember(node)
    state = modes.current()
    node.sequence = state.sequence
    state.sequence += 1
    node.thread = rows.thread_index()


def connect(node, tensor):
    """Add the edge that leads to a tensor's own history; says whether a gradient is wanted there.

    A leaf has no history: the edge holds the leaf itself, and its accumulator is made when somebody goes back.
    """
    following = None
    at = 0
    if tensor is not None:
        if tensor.grad_fn is not None:
            following = tensor.grad_fn
            at = tensor.output_nr
        elif tensor._mt_requires:
            following = tensor
    lead(node, following, at)
    return following is not None


def lead(node, following, at):
    """Add an edge; almost all lead to a node's first output, so the numbers are kept only where they differ."""
    if at != 0:
        if node.next_numbers is None:
            node.next_numbers = {}
        node.next_numbers[len(node.next_nodes)] = at
    node.next_nodes.append(following)


def resolve(following):
    """The node an edge leads to."""
    if isinstance(following, Tensor):
        return accumulator_of(following)
    return following


def number_at(node, i):
    """Which output of the next node edge ``i`` leads to."""
    return 0 if node.next_numbers is None else node.next_numbers.get(i, 0)


def adopt(node, tensor, at):
    """Make a tensor the node's result."""
    tensor.grad_fn = node
    tensor.output_nr = at
    tensor._mt_requires = True
    known = (shape_of(tensor), tensor.dtype)
    node.outputs = (*node.outputs, known) if node.outputs else (known,)


class Accumulate(Node):
    """Adds what arrives to a leaf's ``.grad``; engine.py says how. The leaf owns it, and graphs own the leaf."""

    def __init__(self, variable):
        Node.__init__(self)
        self.leaf = weakref.ref(variable)
        self.post_accumulate = None
        self.outputs = ((variable._mt_array.shape, variable.dtype),)

    @property
    def variable(self):
        return self.leaf()

    def name(self):
        return "torch::autograd::AccumulateGrad"


def accumulator_of(tensor):
    """The one node that collects a leaf's gradient."""
    if tensor._mt_accumulator is None:
        tensor._mt_accumulator = make_accumulator(tensor)
    return tensor._mt_accumulator


make_accumulator = Accumulate


def overwritten_input(tensor, version, expected) -> str:
    """torch's message about a saved input that was written to: it tells the history that the tensor has now."""
    from .copy_slices import bring_up_to_date
    bring_up_to_date(tensor)
    return overwritten(tensor, version, expected, node_of(tensor), tensor.output_nr)


def overwritten(tensor, version, expected, node, number) -> str:
    """torch's message about a saved value that was written to."""
    origin = "" if node is None else f", which is output {number} of {node.op_name()},"
    return ("one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[torch.{tensor.dtype.short}Tensor {list(tensor._mt_array.shape)}]{origin} is at version {version}; "
            f"expected version {expected} instead. Hint: enable anomaly detection to find the operation that failed to "
            "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).")

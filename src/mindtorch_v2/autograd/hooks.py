"""Hooks on tensors and nodes, retained gradients, and the handles that take them away again."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict

from ..core.fields import node_of
from ..core.tensor import Tensor


class RemovableHandle:
    """Takes a hook away again; also at the end of a ``with`` block."""

    next_id = 0

    def __init__(self, hooks_dict: dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict) if isinstance(hooks_dict, OrderedDict) else (lambda: hooks_dict)
        extra = [] if extra_dict is None else extra_dict
        self.extra = extra if isinstance(extra, (list, tuple)) else [extra]
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self) -> None:
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)
        for more in self.extra:
            more.pop(self.id, None)

    def __getstate__(self) -> tuple:
        return self.hooks_dict_ref(), self.id, self.extra

    def __setstate__(self, state: tuple) -> None:
        hooks, self.id, self.extra = state
        if hooks is None:
            hooks = OrderedDict()  # gone with its owner, and this handle with it
        self.hooks_dict_ref = weakref.ref(hooks) if isinstance(hooks, OrderedDict) else (lambda: hooks)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *args) -> None:
        self.remove()


def add(hooks: OrderedDict, hook) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def register_hook(self: Tensor, hook) -> RemovableHandle:
    """Call ``hook(grad)`` whenever a gradient for this tensor is computed; what it returns replaces the gradient."""
    from .copy_slices import bring_up_to_date
    from .node import accumulator_of
    bring_up_to_date(self)
    if not self._mt_requires:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    node = node_of(self)
    if node is None:
        node = accumulator_of(self)
        self._mt_hooks = node  # a leaf with hooks keeps its accumulator, which keeps the hooks
    if node.tensor_hooks is None:
        node.tensor_hooks = {}
    return add(node.tensor_hooks.setdefault(self.output_nr, OrderedDict()), hook)


def register_hook_dict(node, tensor: Tensor) -> None:
    """Have a node call the hooks that a tensor has now or gets later."""
    if node.tensor_hooks is None:
        node.tensor_hooks = {}
    node.tensor_hooks[tensor.output_nr] = get_backward_hooks(tensor) or OrderedDict()


def get_backward_hooks(self: Tensor) -> dict | None:
    """The hooks on a tensor by their numbers, or None."""
    node = node_of(self) or self._mt_hooks
    return None if node is None or node.tensor_hooks is None else node.tensor_hooks.get(self.output_nr)


def set_backward_hooks(self: Tensor, hooks: dict | None) -> None:
    from .node import accumulator_of
    node = node_of(self)
    if node is None:
        node = self._mt_hooks = accumulator_of(self)
    if node.tensor_hooks is None:
        node.tensor_hooks = {}
    node.tensor_hooks[self.output_nr] = OrderedDict() if hooks is None else hooks


def del_backward_hooks(self: Tensor) -> None:
    raise RuntimeError("Deletion of _backwards_hooks not allowed!")


def unserializable_hook(f):
    """Say of a hook that it is meant to be left behind when its tensor is saved."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor: Tensor) -> None:
    """Tell of the hooks that a saved tensor leaves behind."""
    node = tensor._mt_hooks
    for hook in (node.tensor_hooks or {}).get(tensor.output_nr, {}).values() if node is not None else ():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can "
                          "decorate the function with @torch.utils.hooks.unserializable_hook to suppress this warning",
                          stacklevel=2)


def register_post_accumulate_grad_hook(self: Tensor, hook) -> RemovableHandle:
    """Call ``hook(tensor)`` after a leaf's ``.grad`` was updated."""
    from .node import accumulator_of
    if not self._mt_requires:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if self.grad_fn is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    node = self._mt_hooks = accumulator_of(self)
    if node.post_accumulate is None:
        node.post_accumulate = OrderedDict()
    return add(node.post_accumulate, hook)


def retain_grad(self: Tensor) -> None:
    """Keep ``.grad`` of a tensor that is not a leaf."""
    from .copy_slices import bring_up_to_date
    bring_up_to_date(self)
    if not self._mt_requires:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    node = node_of(self)
    if node is None or self._mt_retains:
        return
    self._mt_retains = True
    if node.retained is None:
        node.retained = {}
    node.retained[self.output_nr] = weakref.ref(self)


def carry_retained(tensor: Tensor, node, at: int = 0) -> None:
    """Let a tensor that was written in place keep the gradient of what it is now: move its wish to its new node."""
    before = node_of(tensor)
    if before is not None and before.retained is not None:
        before.retained.pop(tensor.output_nr, None)
    if node.retained is None:
        node.retained = {}
    node.retained[at] = weakref.ref(tensor)


def register_node_hook(self, hook) -> RemovableHandle:
    """Call ``hook(grad_inputs, grad_outputs)`` after a node ran."""
    if self.post_hooks is None:
        self.post_hooks = OrderedDict()
    return add(self.post_hooks, hook)


def register_node_prehook(self, hook) -> RemovableHandle:
    """Call ``hook(grad_outputs)`` before a node runs."""
    if self.pre_hooks is None:
        self.pre_hooks = OrderedDict()
    return add(self.pre_hooks, hook)

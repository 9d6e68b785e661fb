"""torch.utils.module_tracker: which modules are at work, in forward and in backward."""

from __future__ import annotations

import weakref

from ..autograd.graph import register_multi_grad_hook
from ..core.tensor import Tensor
from ..nn.modules.hooks import register_module_forward_hook, register_module_forward_pre_hook
from ..nn.modules.module import Module
from ._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """A block in which ``parents`` names the modules that are at work: ``Global``, ``Model``, ``Model.layer`` …"""

    def __init__(self) -> None:
        self.parents: set[str] = {"Global"}
        self._names: weakref.WeakKeyDictionary[Module, str] = weakref.WeakKeyDictionary()
        self._handles: list = []

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass is under way."""
        from ..autograd.passes import _current_graph_task_id
        return _current_graph_task_id() != -1

    def _name(self, module: Module) -> str:
        name = self._names.setdefault(module, type(module).__name__)
        for child, submodule in module.named_children():
            self._names[submodule] = f"{name}.{child}"
        return name

    def _watched(self, values, hook) -> None:
        tensors = [t for t in tree_leaves(values) if isinstance(t, Tensor) and t.requires_grad]
        if tensors:
            self._handles.append(register_multi_grad_hook(tensors, lambda grads: hook()))

    def _before(self, module: Module, inputs: tuple) -> None:
        name = self._name(module)
        self.parents.add(name)
        self._watched(inputs, lambda: self.parents.discard(name))

    def _after(self, module: Module, inputs: tuple, output) -> None:
        name = self._name(module)
        self.parents.discard(name)
        self._watched(output, lambda: self.parents.add(name))

    def __enter__(self) -> ModuleTracker:
        self._handles += [register_module_forward_pre_hook(self._before),
                          register_module_forward_hook(self._after, always_call=True)]
        return self

    def __exit__(self, *error) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

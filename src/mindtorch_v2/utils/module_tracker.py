"""torch.utils.module_tracker: which modules are at work, in forward and in backward."""

from __future__ import annotations

import weakref

from ..autograd.graph import register_multi_grad_hook
from ..autograd.passes import Engine, _current_graph_task_id
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
        self._resets = False  # whether the pass that is under way will leave nothing behind

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass is under way."""
        return _current_graph_task_id() != -1

    def _name(self, module: Module) -> str:
        if module not in self._names:  # the outermost: lists of modules inside it are never called
            name = type(module).__name__
            for path, submodule in module.named_modules():
                self._names[submodule] = f"{name}.{path}" if path else name
        return self._names[module]

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
        self._watched(output, lambda: self._enter_backward(name))

    def _enter_backward(self, name: str) -> None:
        if not self._resets:
            Engine.queue_callback(self._reset)
            self._resets = True
        self.parents.add(name)

    def _reset(self) -> None:
        self.parents, self._resets = {"Global"}, False

    def __enter__(self) -> ModuleTracker:
        self._handles += [register_module_forward_pre_hook(self._before),
                          register_module_forward_hook(self._after, always_call=True)]
        return self

    def __exit__(self, *error) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

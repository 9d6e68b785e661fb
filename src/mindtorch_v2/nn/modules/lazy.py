"""Modules that learn the sizes of their parameters from the first batch."""

from __future__ import annotations

import itertools

from ..parameter import is_lazy


class LazyModuleMixin:
    """Beside a Module: parameters without a shape get one before the first forward."""

    cls_to_become: type | None = None

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix: str, keep_vars: bool) -> None:
        """What has no shape yet is saved as it is."""
        for name, tensor in itertools.chain(self._parameters.items(), self._lasting_buffers()):
            if tensor is not None:
                destination[prefix + name] = tensor if is_lazy(tensor) or keep_vars else tensor.detach()

    def _lazy_load_hook(self, state_dict, prefix: str, local_metadata, strict, missing_keys, unexpected_keys,
                        error_msgs) -> None:
        """What is loaded brings its shape along."""
        for name, tensor in itertools.chain(self._parameters.items(), self._buffers.items()):
            given = state_dict.get(prefix + name)
            if tensor is not None and given is not None and is_lazy(tensor) and not is_lazy(given):
                tensor.materialize(given.shape)

    def initialize_parameters(self, *args, **kwargs) -> None:
        """Give the parameters their shapes, knowing what the first call was given."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {self.__class__.__name__}")

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer still waits for its shape."""
        return any(is_lazy(t) for t in itertools.chain(self._parameters.values(), self._buffers.values()))

    def _infer_parameters(self, module, args, kwargs=None) -> None:
        """Before the first forward: shapes, and the class that the module becomes."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        delattr(module, "_initialize_hook")
        delattr(module, "_load_hook")
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

"""The parametrizations of one tensor, and the tensor or tensors that it is computed from."""

from __future__ import annotations

from collections.abc import Sequence

from ...autograd.grad_mode import no_grad
from ...core.tensor import Tensor
from ..modules.container import ModuleList
from ..modules.module import Module
from ..parameter import Parameter


def _register_parameter_or_buffer(module: Module, name: str, tensor: Tensor) -> None:
    register = module.register_parameter if isinstance(tensor, Parameter) else module.register_buffer
    register(name, tensor)


def put(target: Tensor, source: Tensor) -> None:
    """Let a tensor, which optimizers may know, show the memory of another."""
    target.set_(source)


class ParametrizationList(ModuleList):
    """Modules called one after the other on ``original``, or on ``original0``, ``original1`` …"""

    original: Tensor
    unsafe: bool

    def __init__(self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        inverse = self._inverse(original)
        if not isinstance(inverse, (Tensor, Sequence)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                             f"{type(inverse).__name__}")
        self.is_tensor = isinstance(inverse, Tensor)
        self.ntensors = 1 if self.is_tensor else len(inverse)
        if self.is_tensor:
            self._keep_one(original, inverse)
        else:
            self._keep_several(original, inverse)
        if not unsafe:
            self._check(shape, dtype)

    def _inverse(self, original: Tensor):
        """What the modules compute the tensor from, as far as they say it."""
        inverse = original
        with no_grad():
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    try:
                        inverse = module.right_inverse(inverse)
                    except NotImplementedError:
                        pass  # taken as the identity
        return inverse

    def _keep_one(self, original: Tensor, inverse: Tensor) -> None:
        for fact in ("dtype", "device"):
            if getattr(original, fact) != getattr(inverse, fact):
                raise ValueError(f"When `right_inverse` outputs one tensor, it may not change the {fact}.\n"
                                 f"original.{fact}: {getattr(original, fact)}\n"
                                 f"right_inverse(original).{fact}: {getattr(inverse, fact)}")
        with no_grad():
            put(original, inverse)
        _register_parameter_or_buffer(self, "original", original)

    def _keep_several(self, original: Tensor, inverse: Sequence) -> None:
        for i, tensor in enumerate(inverse):
            if not isinstance(tensor, Tensor):
                raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                                 f"element {i} of the sequence with type {type(tensor).__name__}.")
            if isinstance(original, Parameter):
                tensor = Parameter(tensor, original.requires_grad)
            tensor.requires_grad_(original.requires_grad)
            _register_parameter_or_buffer(self, f"original{i}", tensor)

    def _check(self, shape, dtype) -> None:
        computed = self()
        if not isinstance(computed, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(computed).__name__}.")
        for fact, before in (("dtype", dtype), ("shape", shape)):
            if getattr(computed, fact) != before:
                raise ValueError(f"Registering a parametrization may not change the {fact} of the tensor, unless "
                                 f"`unsafe` flag is enabled.\nunparametrized {fact}: {before}\n"
                                 f"parametrized {fact}: {getattr(computed, fact)}")

    def right_inverse(self, value: Tensor) -> None:
        """Set the tensors below so that ``value`` is computed from them."""
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype != self.original.dtype:
            raise ValueError(f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has "
                             f"dtype {self.original.dtype}")
        put(self.original, value)

    def _set_several(self, values) -> None:
        if not isinstance(values, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(values).__name__}.")
        if len(values) != self.ntensors:
            raise ValueError(f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a "
                             f"sequence of length {len(values)}.")
        for i, tensor in enumerate(values):
            original = getattr(self, f"original{i}")
            if not isinstance(tensor, Tensor):
                raise ValueError("'right_inverse' must return a sequence of tensors or reference-type opaques. Got "
                                 f"element {i} of type {type(tensor).__name__}.")
            if original.dtype != tensor.dtype:
                raise ValueError(f"Tensor {i} returned by `right_inverse` has dtype {tensor.dtype} while `original{i}` "
                                 f"has dtype {original.dtype}")
            put(original, tensor)

    def forward(self) -> Tensor:
        """What the modules make of the tensors below."""
        if self.is_tensor:
            computed = self[0](self.original)
        else:
            computed = self[0](*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for i in range(1, len(self)):
            computed = self[i](computed)
        return computed


ParametrizationList.__module__ = __name__.replace("parametrization_list", "parametrize")

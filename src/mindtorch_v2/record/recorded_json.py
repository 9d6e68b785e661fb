"""Inputs of calls, modules and optimizers of a recording as plain JSON, and back."""

from __future__ import annotations

from .calls import Frame
from .objects import ModuleFacts, OptimizerFacts, TensorFacts

COMPLEX = "complex"


def inputs_as_json(described: object) -> object:
    """Inputs as core/describe remembers them: tuples become lists, a complex number its two parts."""
    if isinstance(described, complex):
        return [described.real, described.imag]
    return [inputs_as_json(item) for item in described] if isinstance(described, tuple) else described


def inputs_of(value: object) -> object:
    """The same read back."""
    if not isinstance(value, list):
        return value
    if len(value) == 2 and value[0] == COMPLEX and _is_complex(value[1]):
        return COMPLEX, complex(*value[1])
    return tuple(inputs_of(item) for item in value)


def _is_complex(value: object) -> bool:
    """Two parts; a keyword of that name has something else beside it."""
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, float) for part in value)


def module_of(value: list | None) -> ModuleFacts | None:
    """What was known of a module, from the lists that JSON makes of it."""
    if value is None:
        return None
    self_ptr, cls_ptr, cls_name, parameters, called = value
    return ModuleFacts(self_ptr, cls_ptr, cls_name,
                       [(name, _tensor(tensor), _tensor(grad)) for name, tensor, grad in parameters], Frame(*called))


def optimizer_of(value: list) -> OptimizerFacts:
    """What was known of an optimizer."""
    self_ptr, cls_ptr, cls_name, parameters = value
    return OptimizerFacts(self_ptr, cls_ptr, cls_name,
                          [(_tensor(tensor), _tensor(grad), {name: _tensor(t) for name, t in state.items()})
                           for tensor, grad, state in parameters])


def _tensor(value: list | None) -> TensorFacts | None:
    if value is None:
        return None
    tensor, storage, shape, strides, dtype = value
    return TensorFacts(tensor, storage, tuple(shape), tuple(strides), dtype)

"""torch.autograd.Variable: what a tensor with a gradient was called once; making one still works."""

from __future__ import annotations

import warnings

from ..core.dtype import FLOATING
from ..core.slots import Work
from ..core.tensor import Tensor
from .passes import Engine


class VariableMeta(type):
    """Every tensor is a Variable, and calling the class makes a tensor."""

    def __instancecheck__(cls, instance) -> bool:
        return isinstance(instance, Tensor)

    def __call__(cls, data: Tensor | None = None, requires_grad: bool = False, volatile: bool = False, _grad_fn=None,
                 name: str | None = None) -> Tensor:
        if volatile:
            warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                          stacklevel=2)
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if _grad_fn is not None:
            raise TypeError(f"_grad_fn has to be a Function object or None, but got {type(_grad_fn).__name__}")
        if data is not None and not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and data is not None and data.dtype.category < FLOATING:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        variable = Work.empty((0,)) if data is None else Work.detach(data)
        variable._mt_requires = bool(requires_grad)
        if name is not None:
            variable.name = name
        return variable


class Variable(metaclass=VariableMeta):
    """A tensor on the data of another, without its history."""

    _execution_engine = Engine


__all__ = ["Variable", "VariableMeta"]

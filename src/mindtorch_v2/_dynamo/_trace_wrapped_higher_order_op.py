"""torch._dynamo._trace_wrapped_higher_order_op: indexing by tensors of one element, as mask functions do it."""

from __future__ import annotations

from ..core.mode_stack import TorchFunctionMode
from ..core.tensor import Tensor


class TransformGetItemToIndex(TorchFunctionMode):
    """Inside it ``x[i]``, where i is a tensor without dimensions, looks elements up and gives no view."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is Tensor.__getitem__:
            tensor, index = args
            indices = index if isinstance(index, tuple) else (index,)
            if all(isinstance(i, Tensor) for i in indices):
                from .. import ops
                return ops.aten.index(tensor, list(indices))
        return func(*args, **(kwargs or {}))

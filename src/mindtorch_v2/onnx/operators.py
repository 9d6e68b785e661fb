"""torch.onnx.operators: sizes as tensors, which an exporter could follow."""

from __future__ import annotations

from ..api.functions import torch
from ..core.tensor import Tensor


def shape_as_tensor(x: Tensor) -> Tensor:
    """The sizes of a tensor, as one."""
    return torch.tensor(tuple(x.shape))


def reshape_from_tensor_shape(x: Tensor, shape: Tensor) -> Tensor:
    """A tensor in a shape that is one."""
    return x.reshape(tuple(shape.tolist()))

"""ShapeProp: runs a graph and notes on each node what tensors it makes."""

from __future__ import annotations

import traceback
from typing import Any, NamedTuple

from ...core import dtype as dtypes
from ...core.device import channels_last, channels_last_3d, contiguous_format, memory_format, strided
from ...core.size import Size
from ...core.tensor import Tensor
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """What a tensor is, without its values."""

    shape: Size
    dtype: dtypes.DType
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: memory_format | None
    is_quantized: bool
    qparams: dict[str, Any]


def _extract_tensor_metadata(result: Tensor, include_contiguity: bool = True) -> TensorMetadata:
    """The same of a tensor."""
    if result.layout is not strided:
        return TensorMetadata(result.shape, result.dtype, result.requires_grad, (), None, False, {})
    formats = (contiguous_format, channels_last, channels_last_3d) if include_contiguity else ()
    lies_in = next((each for each in formats if _fits(result, each)), None)
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride(), lies_in, False, {})


def _fits(result: Tensor, wanted: memory_format) -> bool:
    rank = {channels_last: 4, channels_last_3d: 5}.get(wanted, result.dim())
    return result.dim() == rank and result.is_contiguous(memory_format=wanted)


class ShapeProp(Interpreter):
    """Runs a graph; each node's ``meta`` then has ``tensor_meta`` and ``type``."""

    def __init__(self, gm, fake_mode=None) -> None:
        super().__init__(gm)
        if fake_mode is not None:
            raise RuntimeError("ShapeProp: there are no fake tensors in mindtorch_v2; tensors on the meta device have "
                               "shapes without values, too")
        self.fake_module = self.fake_mode = None
        self.real_module = self.module

    def run_node(self, n: Node) -> Any:
        """One node's value, which is described on it."""
        try:
            result = super().run_node(n)
        except Exception as error:
            traceback.print_exc()
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from error
        tensors = []

        def described(value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            tensors.append(value)
            return _extract_tensor_metadata(value)

        meta = map_aggregate(result, described)
        if tensors:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """What the graph returns for these arguments; nodes are described on the way."""
        return super().run(*args)

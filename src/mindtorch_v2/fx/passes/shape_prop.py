"""ShapeProp: runs a graph and writes down at each node what tensors it gave."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.device import channels_last, channels_last_3d, contiguous_format, memory_format
from ...core.dtype import DType
from ...core.size import Size
from ...core.sparse import is_sparse
from ...core.tensor import Tensor
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """A tensor without its values."""

    shape: Size
    dtype: DType
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: memory_format | None
    is_quantized: bool
    qparams: dict[str, Any]


def _extract_tensor_metadata(result: Tensor, include_contiguity: bool = True) -> TensorMetadata:
    strides = () if is_sparse(result) else result.stride()
    layout = None
    if include_contiguity and not is_sparse(result):
        formats = (contiguous_format, channels_last, channels_last_3d)
        layout = next((form for form in formats if result.is_contiguous(memory_format=form)), None)
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, strides, layout, False, {})


class ShapeProp(Interpreter):
    """Runs a graph; each node's ``meta`` then has the ``type`` of its value, and ``tensor_meta`` for tensors in it."""

    def run_node(self, n: Node) -> Any:
        """One node's value, described in its ``meta``."""
        try:
            result = super().run_node(n)
        except Exception as error:
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from error
        holds_tensors = False

        def described(value: Any) -> Any:
            nonlocal holds_tensors
            if not isinstance(value, Tensor):
                return value
            holds_tensors = True
            return _extract_tensor_metadata(value)

        meta = map_aggregate(result, described)
        if holds_tensors:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the graph on these arguments; what it returns."""
        return self.run(*args)

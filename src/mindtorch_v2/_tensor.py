"""torch._tensor: the class of tensors, and how pickles make those with attributes, at torch's address."""

from .api.pickling import _rebuild_from_type_v2
from .core.tensor import Tensor

__all__ = ["Tensor", "_rebuild_from_type_v2"]

"""What a rule says of a result."""

from __future__ import annotations

from ..core.dtype import DType


class Spec:
    """Shape and type of a tensor that does not exist yet, and its strides where they are not those of C order."""

    def __init__(self, shape: tuple[int, ...], dtype: DType, strides: tuple[int, ...] | None = None):
        self.shape = shape
        self.dtype = dtype
        self.strides = strides

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Spec) and self.shape == other.shape and self.dtype is other.dtype
                and self.strides == other.strides)

    def __repr__(self) -> str:
        return f"Spec({self.shape}, {self.dtype}, {self.strides})"

"""What a rule says of a result."""

from __future__ import annotations

from ..core.dtype import DType


class Spec:
    """Shape and type of a tensor that does not exist yet, and its strides where they are not those of C order.

    Where they are ``exact``, a tensor given as ``out=`` that lies otherwise gets a copy of what was written.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DType, strides: tuple[int, ...] | None = None,
                 exact: bool = False):
        self.shape = shape
        self.dtype = dtype
        self.strides = strides
        self.exact = exact

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Spec) and self.shape == other.shape and self.dtype is other.dtype
                and self.strides == other.strides)

    def __repr__(self) -> str:
        return f"Spec({self.shape}, {self.dtype}, {self.strides})"

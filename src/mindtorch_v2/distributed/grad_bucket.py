"""GradBucket: gradients that processes exchange together, as hooks of DistributedDataParallel get them."""

from __future__ import annotations

from ..core.tensor import Tensor


class GradBucket:
    """Gradients of several parameters, one behind the other."""

    def __init__(self, index: int, count: int, buffer: Tensor, parameters: list[Tensor]) -> None:
        self._index, self._count, self._buffer, self._parameters = index, count, buffer, parameters

    def index(self) -> int:
        """Its number; buckets are exchanged in this order."""
        return self._index

    def is_last(self) -> bool:
        """Whether it is the last of a pass."""
        return self._index == self._count - 1

    def buffer(self) -> Tensor:
        """All gradients in a row."""
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Put others in their place."""
        self._buffer = buffer

    def parameters(self) -> list[Tensor]:
        """Whose gradients they are."""
        return list(self._parameters)

    def gradients(self) -> list[Tensor]:
        """The gradients, as views of the buffer."""
        parts = self._buffer.split([p.numel() for p in self._parameters])
        return [part.view(p.shape) for part, p in zip(parts, self._parameters, strict=True)]

"""torch.distributed.tensor.placement_types: words for how a tensor is divided."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.missing_name import missing as _missing


class Placement:
    """How a tensor lies on one dimension of a mesh."""

    def is_shard(self, dim: int | None = None) -> bool:
        """Whether it is divided, along this dimension if one is named."""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self) -> bool:
        """Whether every process has all of it."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op: str | None = None) -> bool:
        """Whether it is the sum, or another reduction, of what processes have."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)


@dataclass(frozen=True)
class Shard(Placement):
    """Divided along a dimension."""

    dim: int


@dataclass(frozen=True)
class Replicate(Placement):
    """The same for all."""


@dataclass(frozen=True)
class Partial(Placement):
    """To be reduced."""

    reduce_op: str = "sum"


__getattr__ = _missing(__name__)

"""How linear_cross_entropy may save memory."""

from __future__ import annotations

import dataclasses
from typing import Literal

from ...core import dtype as dtypes

_POLICIES = ("accurate", "balanced", "compact", "auto")
_SUM_TYPES = (None, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
_HALVES = (dtypes.float16, dtypes.bfloat16)


@dataclasses.dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """torch works through the batch in pieces of a size, and adds them up in a type. Here the batch is one piece: the
    numbers are the same, and none is set aside for the way back."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: Literal["accurate", "balanced", "compact", "auto"] = "auto"
    acc_dtype: dtypes.DType | None = None

    def __post_init__(self) -> None:
        size = self.batch_chunk_size
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size}")
        if self.chunking_method not in (None, "auto"):
            raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        if self.acc_policy not in _POLICIES:
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.acc_dtype not in _SUM_TYPES:
            raise ValueError("acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, "
                             f"torch.float64}}, got {self.acc_dtype}. Pass acc_dtype=None to let the op pick "
                             "automatically.")

    def _adjust(self, input) -> None:
        """Whether sums of this type can be had for an input."""
        wanted = self.acc_dtype
        is_wider = wanted is dtypes.float32 and input.dtype in _HALVES
        if wanted is not None and wanted is not input.dtype and not is_wider:
            raise RuntimeError("linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got "
                               f"{wanted} acc_dtype and {input.dtype} inputs.")

"""How linear_cross_entropy may save memory."""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple

from ...core import dtype as dtypes
from ...core.device import device as Device  # noqa: N812

_POLICIES = ("accurate", "balanced", "compact", "auto")
_SUM_TYPES = (None, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
_HALVES = (dtypes.float16, dtypes.bfloat16)
_METHOD = "aspect_ratio"


class _AutoDefault(NamedTuple):
    """What "auto" stands for."""

    acc_policy: str
    chunking_method: str


# By the device and the type of the input; torch's own choices.
_AUTO_FALLBACK = _AutoDefault("compact", f"{_METHOD}:2")
_AUTO_DEFAULTS = {
    **{("cuda", half): _AUTO_FALLBACK for half in _HALVES},
    **{("cpu", half): _AutoDefault("accurate", _METHOD) for half in _HALVES}}


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """torch works through the batch in pieces of a size, and adds them up in a type. Here the batch is one piece: the
    numbers are the same, and none is kept for backward."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: Literal["accurate", "balanced", "compact", "auto"] = "auto"
    acc_dtype: dtypes.DType | None = None

    def __post_init__(self) -> None:
        size = self.batch_chunk_size
        if self.acc_policy not in _POLICIES:
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        if self.chunking_method not in (None, "auto") and not _divisor(self.chunking_method):
            raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if self.acc_dtype not in _SUM_TYPES:
            raise ValueError("acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, "
                             f"torch.float64}}, got {self.acc_dtype!r}. Pass acc_dtype=None to let the op pick "
                             "automatically.")

    def _adjust(self, num_batches: int, in_features: int, num_classes: int, dtype: dtypes.DType,
                device: Device | None = None) -> LinearCrossEntropyOptions:
        """The same options with everything decided for an input."""
        default = _AUTO_FALLBACK if device is None else _AUTO_DEFAULTS.get((device.type, dtype), _AUTO_FALLBACK)
        method = self.chunking_method
        if method == "auto":
            method = default.chunking_method if self.batch_chunk_size is None else None
        size = min(self.batch_chunk_size or num_batches, num_batches)
        if method is not None:
            size = _chunk_size(method, num_batches, in_features, num_classes)
            if self.batch_chunk_size not in (None, size):
                raise ValueError(f"batch_chunk_size (={self.batch_chunk_size}) and chunking_method ('{method}') give "
                                 f"different chunk sizes ({self.batch_chunk_size} vs {size}); pass only one.")
        return dataclasses.replace(
            self, chunking_method=method, batch_chunk_size=max(1, size), acc_dtype=self._sum_type(dtype, device),
            acc_policy=default.acc_policy if self.acc_policy == "auto" else self.acc_policy)

    def _sum_type(self, dtype: dtypes.DType, device: Device | None) -> dtypes.DType:
        """The type to add up in: as asked, and for halves on the CPU a wider one where the policy is left open."""
        if self.acc_dtype is not None:
            return self.acc_dtype
        is_wider = self.acc_policy == "auto" and dtype in _HALVES and device is not None and device.type == "cpu"
        return dtypes.float32 if is_wider else dtype


def _divisor(method: str) -> int | None:
    """What a method like "aspect_ratio:2" divides sizes by; None for what is no method."""
    name, colon, factor = method.partition(":")
    factor = factor if colon else "1"
    return int(factor) if name == _METHOD and factor.isdigit() and int(factor) else None


def _chunk_size(method: str, num_batches: int, in_features: int, num_classes: int) -> int:
    """So many rows that a piece's logits take about as much as the input: a power of two, divided."""
    rows = -(-num_batches // -(-num_classes // in_features))
    return min((1 << (rows - 1).bit_length()) // _divisor(method), num_batches)

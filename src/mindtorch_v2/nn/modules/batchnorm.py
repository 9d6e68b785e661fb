"""Batch normalisation: every channel by the statistics of the batch in training, by running ones in evaluation."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .. import init
from ..parameter import Parameter, empty
from .module import Module

WITH_COUNT = 2  # the version of saved states from which on batches are counted in them


class _NormBase(Module):
    """What batch and instance norm share: a weight and a bias by channel, running statistics, and their names."""

    _version = WITH_COUNT
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    num_features: int
    eps: float
    momentum: float | None
    affine: bool
    track_running_stats: bool

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, device=None, dtype=None, *, bias: bool = True) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        options = {"device": device, "dtype": dtype}
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            self.register_parameter(name, Parameter(empty((num_features,), **options)) if wanted else None)
        if track_running_stats:
            self.register_buffer("running_mean", empty((num_features,), **options).zero_())
            self.register_buffer("running_var", empty((num_features,), **options).fill_(1))
            self.register_buffer("num_batches_tracked", empty((), dtype=dtypes.int64, device=device).zero_())
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Means of zero, variances of one, no batch seen."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weights of one, biases of zero, and fresh statistics."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")

    def _load_from_state_dict(self, state_dict, prefix: str, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs) -> None:
        """A state from before batches were counted gets a count."""
        version, key = local_metadata.get("version", None), prefix + "num_batches_tracked"
        if (version is None or version < WITH_COUNT) and self.track_running_stats and key not in state_dict:
            kept = self.num_batches_tracked
            usable = kept is not None and not kept.is_meta
            state_dict[key] = kept if usable else empty((), dtype=dtypes.int64).zero_()
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                      error_msgs)


class _BatchNorm(_NormBase):
    """Batch norm for inputs of any number of dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # every batch so far counts as much as this one
                momentum = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if keeps else None, self.running_var if keeps else None,
                            self.weight, self.bias, by_batch, momentum, self.eps)


class BatchNorm1d(_BatchNorm):
    """Batch norm for vectors, and for sequences of them."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class BatchNorm2d(_BatchNorm):
    """Batch norm for images."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")


class BatchNorm3d(_BatchNorm):
    """Batch norm for volumes."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")

"""Instance normalisation: every channel of every sample by its own statistics."""

from __future__ import annotations

import warnings

from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .batchnorm import _LazyNormBase, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
           "LazyInstanceNorm3d"]

_STATISTICS = ("Unexpected running stats buffer(s) {names} for {kind} with track_running_stats=False. If state_dict is "
               "a checkpoint saved before 0.4.0, this may be expected because {kind} does not track running stats by "
               "default since 0.4.0. Please remove these keys from state_dict. If the running stats are actually "
               "needed, instead set track_running_stats=True in {kind} to enable them. See the documentation of {kind} "
               "for details.")


class _InstanceNorm(_NormBase):
    """Instance norm for samples of any number of dimensions."""

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
                 track_running_stats: bool = False, device=None, dtype=None, *, bias: bool = True) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self) -> int:
        raise NotImplementedError

    def _check_input_dim(self, input: Tensor) -> None:
        unbatched = self._get_no_batch_dim()
        if input.dim() not in (unbatched, unbatched + 1):
            raise ValueError(f"expected {unbatched}D or {unbatched + 1}D input (got {input.dim()}D input)")

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        by_sample = self.training or not self.track_running_stats
        momentum = 0.0 if self.momentum is None else self.momentum
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias, by_sample, momentum,
                               self.eps)

    def _handle_no_batch_input(self, input: Tensor) -> Tensor:
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _load_from_state_dict(self, state_dict, prefix: str, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs) -> None:
        """A state from when statistics were always kept is refused by a layer that keeps none."""
        if local_metadata.get("version", None) is None and not self.track_running_stats:
            keys = [key for key in (prefix + "running_mean", prefix + "running_var") if key in state_dict]
            if keys:
                names = " and ".join(f'"{key}"' for key in keys)
                error_msgs.append(_STATISTICS.format(names=names, kind=type(self).__name__))
                for key in keys:
                    state_dict.pop(key)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                      error_msgs)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        unbatched = self._get_no_batch_dim()
        channel = input.dim() - unbatched
        if input.size(channel) != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={channel} to match num_features ({self.num_features}), "
                                 f"but got: {input.size(channel)}.")
            warnings.warn(f"input's size at dim={channel} does not match num_features. You can silence this warning by "
                          "not passing in num_features, which is not used because affine=False", stacklevel=2)
        if input.dim() == unbatched:
            return self._handle_no_batch_input(input)
        return self._apply_instance_norm(input)


class InstanceNorm1d(_InstanceNorm):
    """Instance norm for sequences of vectors."""

    def _get_no_batch_dim(self) -> int:
        return 2


class InstanceNorm2d(_InstanceNorm):
    """Instance norm for images."""

    def _get_no_batch_dim(self) -> int:
        return 3


class InstanceNorm3d(_InstanceNorm):
    """Instance norm for volumes."""

    def _get_no_batch_dim(self) -> int:
        return 4


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm1d whose channels are those of its first input."""

    cls_to_become = InstanceNorm1d

    def _get_no_batch_dim(self) -> int:
        return 2


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm2d whose channels are those of its first input."""

    cls_to_become = InstanceNorm2d

    def _get_no_batch_dim(self) -> int:
        return 3


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An InstanceNorm3d whose channels are those of its first input."""

    cls_to_become = InstanceNorm3d

    def _get_no_batch_dim(self) -> int:
        return 4

"""torch.utils.checkpoint: functions whose intermediate values are not kept for backward but computed again."""

from .call import checkpoint, checkpoint_sequential
from .debug import set_checkpoint_debug_enabled
from .devices import DefaultDeviceType, get_device_states, set_device_states
from .reentrant import CheckpointFunction, check_backward_validity, detach_variable
from .region import CheckpointError, GraphExecGroup, noop_context_fn, set_checkpoint_early_stop
from .selective import (
    SAC_IGNORED_OPS,
    CheckpointPolicy,
    SelectiveCheckpointContext,
    _CachedTorchDispatchMode,
    _CachingTorchDispatchMode,
    create_selective_checkpoint_contexts,
)

__all__ = ["SAC_IGNORED_OPS", "CheckpointError", "CheckpointFunction", "CheckpointPolicy", "DefaultDeviceType",
           "GraphExecGroup", "SelectiveCheckpointContext", "check_backward_validity", "checkpoint",
           "checkpoint_sequential", "create_selective_checkpoint_contexts", "detach_variable", "get_device_states",
           "noop_context_fn", "set_checkpoint_debug_enabled", "set_checkpoint_early_stop", "set_device_states"]

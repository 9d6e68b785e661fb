"""Checkpoints that keep the results of some ops: a policy decides in forward, and backward takes what was kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from enum import Enum

from ...api.namespace import OpOverload, OpOverloadPacket, aten
from ...core.mode_stack import TorchDispatchMode
from ...core.tensor import Tensor
from .._pytree import tree_map, tree_map_only

CHANGED = ("This can happen if the operations in the checkpointed region are nondeterministic or depend on global "
           "state that changed between forward and backward.")
EXTRA = ("Trying to backward an extra time. You are only allowed to backward once on any region computed under "
         "selective activation checkpoint.")


class CheckpointPolicy(Enum):
    """What becomes of an op's results; what is to be kept off the device lies in the processor's memory anyway."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


_COMPUTED_AGAIN = (CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE)
_AGAIN, _TAKEN = object(), object()  # what stands in the storage for results that were not kept, or kept no longer

# Questions about a tensor are answered anew; a handler asks them at other times than forward did.
SAC_IGNORED_OPS = {getattr(aten, name).default
                   for name in ("detach", "dim", "is_contiguous", "numel", "size", "storage_offset", "stride",
                                "sym_numel", "sym_size", "sym_storage_offset", "sym_stride")
                   if hasattr(aten, name) and hasattr(getattr(aten, name), "default")}


class SelectiveCheckpointContext:
    """What a policy is told beside the op and its arguments."""

    def __init__(self, *, is_recompute: bool, op_output=None):
        self.is_recompute = is_recompute
        self.op_output = op_output


class _Kept:
    """A result, and how often it had been written when it was kept."""

    def __init__(self, val):
        self.val = val.detach() if isinstance(val, Tensor) else val
        self.version = val._version if isinstance(val, Tensor) else None

    def get(self, allow_mutation: bool):
        if self.version is not None and self.val._version != self.version and not allow_mutation:
            raise RuntimeError("Tensor cached during selective activation checkpoint has been mutated")
        return self.val


class _CachingTorchDispatchMode(TorchDispatchMode):
    """Forward: asks the policy about every op, and keeps what it says."""

    def __init__(self, policy_fn: Callable, storage: dict):
        super().__init__()
        self.policy_fn, self.storage = policy_fn, storage

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if func in SAC_IGNORED_OPS:
            return result
        told = SelectiveCheckpointContext(is_recompute=False, op_output=result)
        policy = self.policy_fn(told, func, *args, **kwargs)
        if isinstance(policy, bool):
            policy = CheckpointPolicy.MUST_SAVE if policy else CheckpointPolicy.PREFER_RECOMPUTE
        self.storage[func].append(_AGAIN if policy in _COMPUTED_AGAIN else tree_map(_Kept, result))
        return result


class _CachedTorchDispatchMode(TorchDispatchMode):
    """Backward: gives what was kept, and computes the rest again."""

    def __init__(self, policy_fn: Callable, storage: dict, allow_cache_entry_mutation: bool = False):
        super().__init__()
        self.policy_fn, self.storage = policy_fn, storage
        self.allow_cache_entry_mutation = allow_cache_entry_mutation

    def __enter__(self):
        self.calls: dict = defaultdict(int)  # of each op, since the function began to run again
        return super().__enter__()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func in SAC_IGNORED_OPS:
            return func(*args, **(kwargs or {}))
        at, entries = self.calls[func], self.storage.get(func)
        self.calls[func] += 1
        if entries is None:
            raise RuntimeError(f"{func} encountered during backward but not found in storage. {CHANGED}")
        if at >= len(entries):
            raise RuntimeError(f"{func} invocation index {at} encountered during backward but not found in storage. "
                               + CHANGED)
        entry = entries[at]
        if entry is _AGAIN:
            return func(*args, **(kwargs or {}))
        if entry is _TAKEN:
            raise RuntimeError(EXTRA)
        result = tree_map_only(_Kept, lambda kept: kept.get(self.allow_cache_entry_mutation), entry)
        entries[at] = _TAKEN  # nothing is kept beyond the first use
        return result


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation: bool = False):
    """The two contexts for ``checkpoint(context_fn=...)``: results of the listed ops, or of those a policy says."""
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                more = ("Please update the OpOverloadPacket to a specific OpOverload.For example, if you have "
                        "`torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
                        if isinstance(op, OpOverloadPacket) else "")
                raise ValueError(f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. "
                                 + more)
        listed = set(policy_fn_or_list)

        def policy_fn(context, op, *args, **kwargs):
            return CheckpointPolicy.MUST_SAVE if op in listed else CheckpointPolicy.PREFER_RECOMPUTE
    elif callable(policy_fn_or_list):
        policy_fn = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage: dict = defaultdict(list)
    return (_CachingTorchDispatchMode(policy_fn, storage),
            _CachedTorchDispatchMode(policy_fn, storage, allow_cache_entry_mutation))

"""What has no rule: the op on one member of the batch after the other, and the results stacked."""

from __future__ import annotations

import sys

from ..core.device import contiguous_format
from ..core.fields import set_data
from ..core.tensor import Tensor, shape_of
from . import batch_levels, dispatcher
from .aten import aten
from .batch_call import Call
from .batched import Batched, unwrap

DYNAMIC = ("vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over {}. "
           "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.")
WITHOUT_GAPS = {"_pdist_forward", "_pdist_backward", "native_group_norm_backward"}  # what kernels read must lie so


def loop(call: Call):
    """The op on every member by itself."""
    if call.size == 0:
        raise RuntimeError(f"Batching rule not implemented for {full_name(call.op)}. The fallback path does not "
                           "support vmap over dims of size 0.")
    check_written(call, call.op.name)
    results = [dispatcher.call(call.op, members_at(call, at)) for at in range(call.size)]
    if call.op.mutates >= 0:
        return call.args[call.op.mutates]
    return stacked(call, results)


def members_at(call: Call, at: int) -> tuple:
    """The arguments of one member."""
    args = call.mapped(lambda tensor: member(call, tensor, at))
    if call.op.name in WITHOUT_GAPS:
        args = call.mapped(aten.contiguous, args)
    return tuple(args)


def member(call: Call, tensor: Tensor, at: int) -> Tensor:
    """One member of a batch; what is the same for all, as it is."""
    value, dim = unwrap(tensor, call.level)
    return value if dim is None else aten.select(value, dim, at)


def stacked(call: Call, results: list):
    """The results of all members as one: tensors stacked, also in lists; anything else must not differ."""
    first = results[0]
    if isinstance(first, Tensor):
        if any([shape_of(result) != shape_of(first) for result in results]):
            raise RuntimeError(DYNAMIC.format(full_name(call.op)))
        return call.members(aten.stack(results, 0))
    if isinstance(first, (list, tuple)):
        if any([len(result) != len(first) for result in results]):
            raise RuntimeError(DYNAMIC.format(full_name(call.op)))
        return tuple([stacked(call, list(column)) for column in zip(*results)])
    if any([result != first for result in results]):
        raise RuntimeError(f"Batching rule not implemented for {full_name(call.op)}. We could not generate a fallback.")
    return first


def check_written(call: Call, name: str) -> None:
    """Refuse to write what differs between members into a tensor that is the same for all."""
    for i, param in enumerate(call.op.schema.params):
        if param.alias.endswith("!"):
            for written in call.args[i] if isinstance(call.args[i], (list, tuple)) else (call.args[i],):
                if written is not None:
                    check_one(written, call, name)


def check_one(written: Tensor, call: Call, name: str) -> None:
    """The same for one tensor; what an op that is composed made itself becomes batched."""
    is_own = batch_levels.is_making() and (batch_levels.is_own(written) or owns_memory(written))
    if not call.is_batched(written):
        if not is_own:
            raise incompatible(name)
        become_batched(written, call)
    if is_own:
        batch_levels.own(unwrap(written, call.level)[0])


def owns_memory(tensor: Tensor) -> bool:
    """Whether nobody else sees what is written into a tensor: its storage is its own and its wholes'."""
    owners, whole = 1, tensor
    while type(whole._mt_kind) is Batched:
        owners, whole = owners + 1, whole._mt_kind.value
    return tensor._mt_base is None and sys.getrefcount(tensor._mt_storage) == owners + 1


def become_batched(tensor: Tensor, call: Call) -> None:
    """Give every member a copy of what was one tensor for all."""
    member = call.members(aten.clone(call.full(tensor), memory_format=contiguous_format))
    set_data(tensor, member._mt_storage, member._mt_array, member.dtype)
    tensor._mt_version, tensor._mt_kind = member._mt_version, member._mt_kind


def incompatible(name: str) -> RuntimeError:
    """torch's complaint about writing a batch into one tensor."""
    return RuntimeError(f"vmap: {name}(self, *extra_args) is not possible because there exists a Tensor `other` in "
                        "extra_args that has more elements than `self`. This happened due to `other` being vmapped "
                        "over but `self` not being vmapped over in a vmap. Please try to use out-of-place operators "
                        f"instead of {name}. If said operator is being called inside the PyTorch framework, please "
                        "file a bug report instead.")


def full_name(op) -> str:
    """``aten::add.Tensor``."""
    return f"{op.schema.namespace}::{op.name}{'.' + op.overload if op.overload else ''}"


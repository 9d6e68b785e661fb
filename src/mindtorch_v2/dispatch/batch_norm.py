"""Normalisation under vmap: members are more rows, more examples, or more channels."""

from __future__ import annotations

from ..core.dtype import uint8
from ..core.tensor import Tensor, ndim_of, shape_of
from .aten import aten
from .batch_call import Call
from .batch_fold import fold, unfold
from .batch_loop import loop
from .batch_shape import of_rank

RUNNING = ("Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in "
           "place, were not batched.\nIf you are using a module and do not need eval mode, please set "
           "`track_running_stats` to be False.If you are using a prebuilt module and do not need eval mode, please see "
           "the functorch website for resources on how to patch your module to work with vmap")


def scaled(call: Call, result: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """A normalised whole times weights and plus biases, which have the last dimensions of members."""
    rank = ndim_of(result) - 1
    if weight is not None:
        result = aten.mul(result, of_rank(call, weight, rank))
    return result if bias is None else aten.add(result, of_rank(call, bias, rank))


def layers(call: Call):
    """``native_layer_norm``: rows of members are rows of the whole."""
    x, shape, weight, bias, eps = call.args
    if not call.is_batched(weight) and not call.is_batched(bias):
        return call.members(aten.native_layer_norm(call.full(x), shape, call.front(weight), call.front(bias), eps))
    result, mean, rstd = aten.native_layer_norm(call.full(x), shape, None, None, eps)
    return call.members([scaled(call, result, weight, bias), mean, rstd])


def groups(call: Call):
    """``native_group_norm``: examples of members are examples of the whole."""
    x, weight, bias, n, channels, pixels, group, eps = call.args
    if call.size == 0:
        return loop(call)
    alone = call.is_batched(weight) or call.is_batched(bias)
    results = aten.native_group_norm(fold(call.full(x), 0), None if alone else call.front(weight),
                                     None if alone else call.front(bias), n * call.size, channels, pixels, group, eps)
    result, mean, rstd = [unfold(one, 0, call.size, n) for one in results]
    if alone:
        result = scaled(call, result, by_channel(call, weight, x), by_channel(call, bias, x))
    return call.members([result, mean, rstd])


def by_channel(call: Call, tensor: Tensor | None, x: Tensor) -> Tensor | None:
    """Numbers of channels along the second dimension of examples."""
    return None if tensor is None else aten.reshape(tensor, (-1, *(1,) * (ndim_of(x) - 2)))


def batches(call: Call):
    """``native_batch_norm``: channels of members are channels of the whole."""
    x, weight, bias, mean, var, training, momentum, eps = call.args
    if training and call.is_batched(x) and any([t is not None and not call.is_batched(t) for t in (mean, var)]):
        raise RuntimeError(RUNNING)
    if call.size == 0:
        return loop(call)
    if not call.is_batched(x):
        return loop(call) if call.is_batched(mean) or call.is_batched(var) else one_batch(call)
    channels = shape_of(x)[1]
    kept = [None if t is None else fold(call.full(t), 0) for t in (mean, var)]
    result, *statistics = aten.native_batch_norm(fold(call.full(x), 1), None, None, *kept, training, momentum, eps)
    for running, value in zip((mean, var), kept):
        if training and running is not None and value._mt_storage is not running._mt_storage:
            aten.copy_(call.front(running), unfold(value, 0, call.size, channels))
    result = unfold(result, 1, call.size, channels)
    result = scaled(call, result, by_channel(call, weight, x), by_channel(call, bias, x))
    return call.members([result, *[unfold(one, 0, call.size, channels) if one.numel() else
                                   aten.expand(one, (call.size, 0)) for one in statistics]])


def one_batch(call: Call):
    """The same of one input for all members, which moves the running statistics once: only weights, biases differ."""
    x, weight, bias, *rest = call.args
    results = aten.native_batch_norm(call.front(x), None, None, *[call.front(t) for t in rest[:2]], *rest[2:])
    result, *statistics = [aten.expand(one, (call.size, *shape_of(one))) for one in results]
    return call.members([scaled(call, result, by_channel(call, weight, x), by_channel(call, bias, x)), *statistics])


def updated_batches(x, weight, bias, mean, var, momentum, eps):
    """``_batch_norm_with_update`` of members: ``native_batch_norm`` while training, and nothing kept."""
    results = aten.native_batch_norm(x, weight, bias, mean, var, True, momentum, eps)
    return (*results, aten.empty((0,), dtype=uint8))


RULES = {"native_layer_norm": layers, "native_group_norm": groups, "native_batch_norm": batches,
         "_native_batch_norm_legit.": batches}
PARTS = {"_batch_norm_with_update": updated_batches}

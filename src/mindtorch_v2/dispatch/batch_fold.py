"""Ops on images and their kin under vmap: the batch becomes part of the first dimension, or of channels and groups."""

from __future__ import annotations

import re

from ..core.tensor import Tensor, ndim_of, shape_of
from ..opdef.schema import INTS
from . import dispatcher
from .aten import aten
from .batch_call import Call, moved, tensors_of
from .batch_loop import loop

# Ops whose tensors begin with a dimension of examples, which one example alone may lack.
NAMES = """
    avg_pool2d avg_pool2d_backward avg_pool3d avg_pool3d_backward _adaptive_avg_pool2d _adaptive_avg_pool2d_backward
    _adaptive_avg_pool3d _adaptive_avg_pool3d_backward adaptive_max_pool2d adaptive_max_pool2d_backward
    adaptive_max_pool3d adaptive_max_pool3d_backward max_pool2d_with_indices max_pool2d_with_indices_backward
    max_pool3d_with_indices max_pool3d_with_indices_backward max_unpool2d max_unpool3d
    reflection_pad1d reflection_pad1d_backward reflection_pad2d reflection_pad2d_backward reflection_pad3d
    reflection_pad3d_backward replication_pad1d replication_pad1d_backward replication_pad2d
    replication_pad2d_backward replication_pad3d replication_pad3d_backward
    upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d _upsample_nearest_exact2d
    _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d
    _upsample_bilinear2d_aa _upsample_bicubic2d_aa _upsample_lanczos2d_aa
    upsample_nearest1d_backward upsample_nearest2d_backward upsample_nearest3d_backward
    _upsample_nearest_exact1d_backward _upsample_nearest_exact2d_backward _upsample_nearest_exact3d_backward
    upsample_linear1d_backward upsample_bilinear2d_backward upsample_trilinear3d_backward upsample_bicubic2d_backward
    _upsample_bilinear2d_aa_backward _upsample_bicubic2d_aa_backward _upsample_lanczos2d_aa_backward
    grid_sampler_2d grid_sampler_3d
""".split()
_DIMS = re.compile(r"([123])_?d")


def folded(call: Call):
    """The op on all examples of all members."""
    rank = 2 + int(_DIMS.search(call.op.name)[1])
    ranks = {ndim_of(tensor) for tensor in tensors_of(call.op, call.args)}
    if ranks == {rank - 1}:
        return call.run(call.mapped(lambda tensor: aten.contiguous(call.full(tensor))))
    if ranks != {rank} or call.size == 0:
        return loop(call)
    examples = shape_of(tensors_of(call.op, call.args)[0])[0]
    args = call.mapped(lambda tensor: fold(call.full(tensor), 0))
    for i, param in enumerate(call.op.schema.params):
        if param.name == "input_size" and param.kind == INTS:
            args[i] = (call.size * args[i][0], *args[i][1:])
    result = dispatcher.call(call.op, tuple(args))
    if isinstance(result, Tensor):
        return call.members(unfold(result, 0, call.size, examples))
    return call.members([unfold(one, 0, call.size, examples) for one in result])


def attended(call: Call):
    """Attention on four dimensions: examples of members are examples of the whole; masks are those of all examples."""
    mask = call.args[call.op.index["attn_mask"]]
    tensors = [tensor for tensor in tensors_of(call.op, call.args) if tensor is not mask]
    if call.size == 0 or call.is_batched(mask) or (mask is not None and ndim_of(mask) > 2 and shape_of(mask)[0] != 1):
        return loop(call)
    examples = shape_of(tensors[0])[0]
    args = call.mapped(lambda tensor: call.front(tensor) if tensor is mask else fold(call.full(tensor), 0))
    results = dispatcher.call(call.op, tuple(args))
    return call.members([unfold(one, 0, call.size, examples) for one in results])


def fold(value: Tensor, dim: int) -> Tensor:
    """A whole with its batch dimension before, and part of, one of its members' dimensions."""
    value = moved(value, 0, dim)
    shape = shape_of(value)
    return aten.reshape(value, (*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2:]))


def unfold(value: Tensor, dim: int, size: int, length: int) -> Tensor:
    """The reverse: the batch dimension first again."""
    shape = shape_of(value)
    return moved(aten.reshape(value, (*shape[:dim], size, length, *shape[dim + 1:])), dim, 0)


def convolved(call: Call):
    """``convolution``: members of the batch are examples, or, if each has weights of its own, groups of channels."""
    x, weight, bias, *rest = call.args
    if call.size == 0:
        return loop(call)
    if call.is_batched(bias):
        added = aten.reshape(call.front(bias), (call.size, 1, -1, *(1,) * (ndim_of(x) - 2)))
    else:
        added = None
    bias = None if added is not None else call.front(bias)
    if not call.is_batched(weight):
        examples = shape_of(x)[0]
        result = aten.convolution(fold(call.full(x), 0), call.front(weight), bias, *rest)
        result = unfold(result, 0, call.size, examples)
    else:
        result = in_groups(call, x, weight, bias, rest)
    return call.members(result if added is None else aten.add(result, added))


def in_groups(call: Call, x: Tensor, weight: Tensor, bias: Tensor | None, rest: list) -> Tensor:
    """A convolution of which each member has its own weights: its channels are groups of their own."""
    *options, transposed, output_padding, groups = rest
    channels = shape_of(weight)[1] * groups if transposed else shape_of(weight)[0]
    if bias is not None:
        bias = aten.repeat(bias, (call.size,))
    result = aten.convolution(fold(call.full(x), 1), fold(call.full(weight), 0), bias, *options, transposed,
                              output_padding, groups * call.size)
    return unfold(result, 1, call.size, channels)


def convolved_back(call: Call):
    """``convolution_backward``: all members as groups of channels, each with weights of its own."""
    grad, x, weight, bias_sizes, *rest = call.args
    if call.size == 0:
        return loop(call)
    *options, transposed, output_padding, groups, mask = rest
    if bias_sizes is not None:
        bias_sizes = (bias_sizes[0] * call.size,)
    of_x, of_weight, of_bias = aten.convolution_backward(
        fold(call.full(grad), 1), fold(call.full(x), 1), fold(call.full(weight), 0), bias_sizes, *options, transposed,
        output_padding, groups * call.size, mask)
    results = [None, None, None]
    if mask[0]:
        results[0] = unfold(of_x, 1, call.size, shape_of(x)[1])
    if mask[1]:
        results[1] = unfold(of_weight, 0, call.size, shape_of(weight)[0])
    if mask[2]:
        results[2] = unfold(of_bias, 0, call.size, shape_of(grad)[1])
    return call.members(results)


RULES = {
    **{name: folded for name in NAMES},
    "_scaled_dot_product_flash_attention_for_cpu": attended,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attended,
    "convolution": convolved, "_convolution": loop, "convolution_backward": convolved_back,
}

"""torchvision's compiled ops, in ops of ours: suppression of boxes, features of regions, moved convolutions."""

from __future__ import annotations

from collections.abc import Callable

from ...api.functions import torch
from ...autograd.api import grad
from ...autograd.grad_mode import enable_grad
from ...core import modes
from ..custom_op import register_autograd
from ..library import Library
from .boxes import kept_boxes
from .deformable import deform_conv2d
from .regions import align_weights, largest

_BOX = "float spatial_scale, SymInt pooled_height, SymInt pooled_width"
_SIZES = "SymInt batch_size, SymInt channels, SymInt height, SymInt width"
_WINDOW = ("SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, "
           "SymInt groups, SymInt offset_groups, bool use_mask")
_CONV = f"Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, {_WINDOW}"
_NO_CUDA = -1


def _roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    bins = (pooled_height, pooled_width)
    features = [rows @ input[image] @ columns.t() for image, rows, columns in align_weights(
        rois, *input.shape[2:], spatial_scale, bins, sampling_ratio, aligned)]
    return torch.stack(features) if features else input.new_empty((0, input.size(1), *bins))


def _roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, batch_size, channels, height, width,
                        sampling_ratio, aligned):
    result = grad.new_zeros((batch_size, channels, height, width))
    weights = align_weights(rois, height, width, spatial_scale, (pooled_height, pooled_width), sampling_ratio, aligned)
    for part, (image, rows, columns) in zip(grad, weights):
        result[image] += rows.t() @ part @ columns
    return result


def _roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    return largest(input, rois, spatial_scale, (pooled_height, pooled_width))


def _roi_pool_backward(grad, rois, argmax, spatial_scale, pooled_height, pooled_width, batch_size, channels, height,
                       width):
    result = grad.new_zeros((batch_size, channels, height * width))
    for part, places, box in zip(grad, argmax, rois):
        known = (places >= 0).flatten(1)
        result[int(box[0])].scatter_add_(1, places.flatten(1).clamp(min=0).long(), part.flatten(1) * known)
    return result.view(batch_size, channels, height, width)


def _deform_conv2d_backward(gradient, input, weight, offset, mask, bias, *window):
    below = modes.set_below(False)  # a kernel runs below autograd, which is needed here
    try:
        with enable_grad():
            inputs = [t.detach().requires_grad_() for t in (input, weight, offset, mask, bias)]
            grads = grad(deform_conv2d(*inputs, *window), inputs, gradient, allow_unused=True)
    finally:
        modes.set_below(below)
    return tuple(t.new_zeros(t.shape) if g is None else g for t, g in zip(inputs, grads))


# Each op's parameters and results, and the function that computes it; those without one are refused when called.
OPS: dict[str, Callable | None] = {
    "_cuda_version() -> int": lambda: _NO_CUDA,
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor": kept_boxes,
    f"roi_align(Tensor input, Tensor rois, {_BOX}, int sampling_ratio, bool aligned) -> Tensor": _roi_align,
    f"_roi_align_backward(Tensor grad, Tensor rois, {_BOX}, {_SIZES}, int sampling_ratio, bool aligned) -> Tensor":
        _roi_align_backward,
    f"roi_pool(Tensor input, Tensor rois, {_BOX}) -> (Tensor, Tensor)": _roi_pool,
    f"_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, {_BOX}, {_SIZES}) -> Tensor": _roi_pool_backward,
    f"deform_conv2d({_CONV}) -> Tensor": deform_conv2d,
    f"_deform_conv2d_backward(Tensor grad, {_CONV}) -> (Tensor, Tensor, Tensor, Tensor, Tensor)":
        _deform_conv2d_backward,
    f"ps_roi_align(Tensor input, Tensor rois, {_BOX}, int sampling_ratio) -> (Tensor, Tensor)": None,
    f"_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_BOX}, int sampling_ratio, {_SIZES})"
    " -> Tensor": None,
    f"ps_roi_pool(Tensor input, Tensor rois, {_BOX}) -> (Tensor, Tensor)": None,
    f"_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_BOX}, {_SIZES}) -> Tensor": None,
    "box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor": None,
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor": None,
    "qroi_align(Tensor input, Tensor rois, float input_scale, int input_zero_point, float rois_scale, int "
    f"rois_zero_point, {_BOX}, int sampling_ratio, bool aligned) -> Tensor": None,
}


def declare() -> Library:
    """Define them, as the library does when it is loaded."""
    library = Library("torchvision", "FRAGMENT")
    for schema, kernel in OPS.items():
        name = library.define(schema)
        if kernel is not None:
            library.impl(name, kernel, "CPU" if "Tensor " in schema else "CompositeExplicitAutograd")
    register_autograd("torchvision::roi_align", _roi_align_grad, setup_context=_note_inputs)
    register_autograd("torchvision::roi_pool", _roi_pool_grad, setup_context=_note_inputs)
    register_autograd("torchvision::deform_conv2d", _deform_conv2d_grad, setup_context=_note_inputs)
    return library


def _note_inputs(ctx, inputs, output) -> None:
    ctx.given, ctx.result = inputs, output


def _roi_align_grad(ctx, grad):
    input, rois, scale, height, width, sampling_ratio, aligned = ctx.given
    back = _roi_align_backward(grad, rois, scale, height, width, *input.shape, sampling_ratio, aligned)
    return back, *[None] * 6


def _roi_pool_grad(ctx, grad, _):
    input, rois, *bins = ctx.given
    return _roi_pool_backward(grad, rois, ctx.result[1], *bins, *input.shape), *[None] * 4


def _deform_conv2d_grad(ctx, grad):
    return *_deform_conv2d_backward(grad, *ctx.given), *[None] * 9

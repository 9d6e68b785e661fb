"""Convolution whose window is moved, pixel by pixel, by offsets that a network computes."""

from __future__ import annotations

from ...api.functions import torch
from ...core.tensor import Tensor


def _sampled(input: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """Values between the pixels of (groups, channels, height, width) at (groups, points); zeros around the image."""
    height, width = input.shape[-2:]
    flat, low_y, low_x = input.flatten(2), y.floor(), x.floor()
    total = 0
    for row, weight_y in ((low_y, 1 - (y - low_y)), (low_y + 1, y - low_y)):
        for column, weight_x in ((low_x, 1 - (x - low_x)), (low_x + 1, x - low_x)):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            place = (row.clamp(0, height - 1) * width + column.clamp(0, width - 1)).long()
            pixels = flat.gather(2, place.unsqueeze(1).expand(-1, flat.size(1), -1))
            total = total + pixels * (weight_y * weight_x * inside).unsqueeze(1)
    return total


def deform_conv2d(input: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, bias: Tensor, stride_h: int,
                  stride_w: int, pad_h: int, pad_w: int, dilation_h: int, dilation_w: int, groups: int,
                  offset_groups: int, use_mask: bool) -> Tensor:
    """The convolution, in ops that have derivatives."""
    batch, channels, height, width = input.shape
    kernel_h, kernel_w = weight.shape[-2:]
    out_h, out_w = offset.shape[-2:]
    window = kernel_h * kernel_w
    moves = offset.view(batch * offset_groups, window, 2, out_h, out_w)
    rows = torch.arange(kernel_h, dtype=input.dtype).repeat_interleave(kernel_w) * dilation_h - pad_h
    columns = torch.arange(kernel_w, dtype=input.dtype).repeat(kernel_h) * dilation_w - pad_w
    y = moves[:, :, 0] + rows.view(-1, 1, 1) + (torch.arange(out_h, dtype=input.dtype) * stride_h).view(-1, 1)
    x = moves[:, :, 1] + columns.view(-1, 1, 1) + torch.arange(out_w, dtype=input.dtype) * stride_w
    images = input.reshape(batch * offset_groups, channels // offset_groups, height, width)
    samples = _sampled(images, y.flatten(1), x.flatten(1))
    if use_mask:
        samples = samples * mask.reshape(batch * offset_groups, 1, -1)
    pixels = samples.reshape(batch, groups, channels // groups * window, out_h * out_w)
    result = weight.reshape(groups, weight.size(0) // groups, -1) @ pixels
    return result.reshape(batch, -1, out_h, out_w) + bias.view(-1, 1, 1)

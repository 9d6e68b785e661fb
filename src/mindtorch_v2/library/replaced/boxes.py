"""Suppression of boxes that overlap better ones."""

from __future__ import annotations

import numpy as np

from ...api.functions import torch
from ...core.tensor import Tensor


def kept_boxes(dets: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Numbers of the boxes that overlap no box of a higher score by more than the threshold, the best ones first."""
    if dets.dim() != 2 or dets.size(1) != 4:
        raise RuntimeError(f"boxes should be a 2d tensor with 4 elements in dimension 1, got {tuple(dets.shape)}")
    order = scores.sort(stable=True, descending=True).indices
    left, top, right, bottom = dets.detach()[order].numpy().T
    areas = (right - left) * (bottom - top)
    alive, kept = np.ones(len(areas), bool), []
    for i in range(len(areas)):
        if not alive[i]:
            continue
        kept.append(i)
        rest = slice(i + 1, None)
        width = np.minimum(right[i], right[rest]) - np.maximum(left[i], left[rest])
        height = np.minimum(bottom[i], bottom[rest]) - np.maximum(top[i], top[rest])
        shared = np.maximum(width, 0) * np.maximum(height, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            alive[rest] &= ~(shared / (areas[i] + areas[rest] - shared) > iou_threshold)
    return order[torch.tensor(kept, dtype=order.dtype)]

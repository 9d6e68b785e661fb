"""Samples of ops/elementwise/clamp.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "clamp": [
        S("x.clamp(-1, 1)", x="f(3, 4)"),
        S("x.clamp(min=0)", x="f(3, 4)"),
        S("torch.clamp(x, max=0.5)", x="h(4)"),
        S("x.clamp(0.5, 3)", x="i(3)"),
    ],
    "clamp_": [S("(x * 1).clamp_(-1, 1)", x="f(3, 4)")],
    "clamp.out": [S("torch.clamp(x, -1, 1, out=torch.empty(3))", x="f(3)")],
    "clamp.Tensor": [
        S("torch.clamp(x, lo, hi)", x="f(3, 4)", lo="f(4)", hi="pos(3, 1)"),
        S("torch.clamp(x, lo)", x="f(3, 4)", lo="f(4)"),
        S("torch.clamp(x, lo)", x="f(3, 4)", lo="f()"),
        S("torch.clamp(x, max=hi)", x="f(3)", hi="i(3)"),
    ],
    "clamp_.Tensor": [S("(x * 1).clamp_(lo, hi)", x="f(3, 4)", lo="f(4)", hi="pos(4)")],
    "clamp.Tensor_out": [S("torch.clamp(x, lo, hi, out=torch.empty(3))", x="f(3)", lo="f(3)", hi="pos(3)")],
    "clamp_min": [S("torch.clamp_min(x, 0)", x="f(3, 4)"), S("x.clamp_min(2.5)", x="i(3)")],
    "clamp_min_": [S("(x * 1).clamp_min_(0.5)", x="f(3, 4)")],
    "clamp_min.out": [S("torch.clamp_min(x, 0, out=torch.empty(3))", x="f(3)")],
    "clamp_min.Tensor": [S("torch.clamp_min(x, y)", x="f(3, 4)", y="f(4)")],
    "clamp_min_.Tensor": [S("(x * 1).clamp_min_(y)", x="f(3, 4)", y="f(4)")],
    "clamp_min.Tensor_out": [S("torch.clamp_min(x, y, out=torch.empty(3))", x="f(3)", y="f(3)")],
    "clamp_max": [S("torch.clamp_max(x, 0)", x="f(3, 4)"), S("x.clamp_max(2.5)", x="i(3)")],
    "clamp_max_": [S("(x * 1).clamp_max_(0.5)", x="f(3, 4)")],
    "clamp_max.out": [S("torch.clamp_max(x, 0, out=torch.empty(3))", x="f(3)")],
    "clamp_max.Tensor": [S("torch.clamp_max(x, y)", x="f(3, 4)", y="f(4)")],
    "clamp_max_.Tensor": [S("(x * 1).clamp_max_(y)", x="f(3, 4)", y="f(4)")],
    "clamp_max.Tensor_out": [S("torch.clamp_max(x, y, out=torch.empty(3))", x="f(3)", y="f(3)")],
    "clip": [S("torch.clip(x, -1, 1)", x="f(3, 4)")],
    "clip_": [S("(x * 1).clip_(-1, 1)", x="f(3, 4)")],
    "clip.out": [S("torch.clip(x, -1, 1, out=torch.empty(3))", x="f(3)")],
    "clip.Tensor": [S("torch.clip(x, y)", x="f(3)", y="f(3)")],
    "clip_.Tensor": [S("(x * 1).clip_(y)", x="f(3)", y="f(3)")],
}

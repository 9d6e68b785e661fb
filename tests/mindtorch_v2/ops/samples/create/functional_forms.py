"""Samples of ops/create/functional_forms.py and of ops/derived_forms.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "fill.Scalar": [
        S("torch.fill(x, 2.0)", x="f(3, 4)"),
        S("torch.fill(x, 2)", x="i(3)"),
    ],
    "fill.Tensor": [
        S("torch.fill(x, y)", x="f(3, 4)", y="f()"),
        S("torch.fill(x, y)", x="f(3, 4)", y="f(2)"),
    ],
    "zero": [
        S("torch.ops.aten.zero(x)", x="f(3, 4)"),
    ],
    "copy": [
        S("torch.ops.aten.copy(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.ops.aten.copy(x, y)", x="f(4, 3).t()", y="i(4)"),
        S("torch.ops.aten.copy(x[1:, 1:], y)", x="f(4, 3)", y="i(2)"),
    ],
    "set": [
        S("torch.ops.aten.set(x)", x="f(3, 4)"),
        S("torch.ops.aten.set(x, y.untyped_storage())", x="f(3, 4)", y="i(5)"),
    ],
    "resize": [
        S("torch.ops.aten.resize(x, [2, 2])", x="f(3, 4)"),
    ],
    "resize_as": [
        S("torch.ops.aten.resize_as(x, y)", x="f(3, 4)", y="f(5)"),
    ],
    "_fused_adam": [
        S("torch.ops.aten._fused_adam(x[:1], x[1:2], x[2:3], x[3:4], [], x[4:], lr=0.1, beta1=0.9, beta2=0.99, "
          "weight_decay=0, eps=1e-8, amsgrad=False, maximize=False)",
          x="[torch.ones(3), torch.full((3,), 2.0), torch.ones(3), torch.ones(3), torch.ones(())]"),
    ],
    "_fused_sgd": [
        S("torch.ops.aten._fused_sgd(x[:1], x[1:], [], weight_decay=0.0, momentum=0.0, lr=0.1, dampening=0, "
          "nesterov=False, maximize=False, is_first_step=False)",
          x="[torch.ones(3), torch.full((3,), 2.0)]"),
    ],
    "_fused_adagrad": [
        S("torch.ops.aten._fused_adagrad(x[:1], x[1:2], x[2:3], x[3:], lr=0.1, lr_decay=0, weight_decay=0, "
          "eps=1e-10, maximize=False)",
          x="[torch.ones(3), torch.full((3,), 2.0), torch.ones(3), torch.ones(())]"),
    ],
    "_amp_update_scale": [
        S("torch.ops.aten._amp_update_scale(x, y, z, 2.0, 0.5, 2)",
          x="torch.ones(1)", y="torch.ones(1, dtype=torch.int32)", z="torch.zeros(1)"),
    ],
    "_amp_foreach_non_finite_check_and_unscale": [
        S("torch.ops.aten._amp_foreach_non_finite_check_and_unscale(x[:1], x[1], x[2])",
          x="[torch.ones(3), torch.zeros(1), torch.full((1,), 0.5)]"),
    ],
    "_foreach_copy": [
        S("torch.ops.aten._foreach_copy(x[:1], x[1:])", x="[torch.ones(3), torch.full((3,), 2.0)]"),
    ],
    "_foreach_zero": [
        S("torch.ops.aten._foreach_zero(x)", x="[torch.ones(3), torch.ones(2)]"),
    ],
    "clone.out": [
        S("torch.ops.aten.clone.out(x, out=torch.empty(0))", x="f(3, 4)"),
        S("torch.ops.aten.clone.out(x, out=torch.empty(0).double())", x="f(3, 4)"),
    ],
    "zeros_like.out": [
        S("torch.ops.aten.zeros_like.out(x, out=torch.empty(0, dtype=torch.int64))", x="i(3, 4)"),
    ],
    "sum.out": [
        S("torch.ops.aten.sum.out(x, out=torch.empty(()))", x="f(3, 4)"),
    ],
    "native_dropout.out": [
        S("torch.ops.aten.native_dropout.out(x, 0.5, True, out0=torch.empty(0), out1=torch.empty(0, dtype=torch.bool))",
          x="f(3)"),
    ],
    "unsafe_split.Tensor_out": [
        S("torch.ops.aten.unsafe_split.Tensor_out(x, 2, out=y)", x="f(4)", y="[torch.empty(2), torch.empty(2)]"),
    ],
    "_foreach_add.Scalar_out": [
        S("torch.ops.aten._foreach_add.Scalar_out(x, 2, out=y)",
          x="[torch.ones(3), torch.ones(2)]", y="[torch.empty(3), torch.empty(2)]"),
    ],
}

"""Samples of views that copy, and of their out= forms (ops/derived_forms.py)."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "view_copy": [
        S("torch.view_copy(x, [2, 6])", x="f(3, 4)"),
    ],
    "view_copy.out": [
        S("torch.view_copy(x, [2, 6], out=torch.empty(0))", x="f(3, 4)"),
    ],
    "view_copy.dtype": [
        S("torch.view_copy(x, torch.int32)", x="f(3, 4)"),
    ],
    "view_copy.dtype_out": [
        S("torch.view_copy(x, torch.int32, out=torch.empty(0, dtype=torch.int32))", x="f(3, 4)"),
    ],
    "select_copy.int": [
        S("torch.select_copy(x, 0, 1)", x="f(3, 4)"),
    ],
    "select_copy.int_out": [
        S("torch.select_copy(x, 0, 1, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "slice_copy.Tensor": [
        S("torch.slice_copy(x, 0, 1, 3)", x="f(3, 4)"),
    ],
    "slice_copy.Tensor_out": [
        S("torch.slice_copy(x, 0, 1, 3, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "as_strided_copy": [
        S("torch.as_strided_copy(x, [2], [1])", x="f(3, 4)"),
    ],
    "as_strided_copy.out": [
        S("torch.as_strided_copy(x, [2], [1], out=torch.empty(0))", x="f(3, 4)"),
    ],
    "expand_copy": [
        S("torch.expand_copy(x, [2, 3])", x="f(3)"),
    ],
    "expand_copy.out": [
        S("torch.expand_copy(x, [2, 3], out=torch.empty(0))", x="f(3)"),
    ],
    "permute_copy": [
        S("torch.permute_copy(x, [1, 0])", x="f(3, 4)"),
    ],
    "permute_copy.out": [
        S("torch.permute_copy(x, [1, 0], out=torch.empty(0))", x="f(3, 4)"),
    ],
    "t_copy": [
        S("torch.t_copy(x)", x="f(3, 4)"),
    ],
    "t_copy.out": [
        S("torch.t_copy(x, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "transpose_copy.int": [
        S("torch.transpose_copy(x, 0, 1)", x="f(3, 4)"),
    ],
    "transpose_copy.int_out": [
        S("torch.transpose_copy(x, 0, 1, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "squeeze_copy": [
        S("torch.squeeze_copy(x)", x="f(3, 1)"),
    ],
    "squeeze_copy.out": [
        S("torch.squeeze_copy(x, out=torch.empty(0))", x="f(3, 1)"),
    ],
    "squeeze_copy.dim": [
        S("torch.squeeze_copy(x, 1)", x="f(3, 1)"),
    ],
    "squeeze_copy.dim_out": [
        S("torch.squeeze_copy(x, 1, out=torch.empty(0))", x="f(3, 1)"),
    ],
    "squeeze_copy.dims": [
        S("torch.squeeze_copy(x, [1])", x="f(3, 1)"),
    ],
    "squeeze_copy.dims_out": [
        S("torch.squeeze_copy(x, [1], out=torch.empty(0))", x="f(3, 1)"),
    ],
    "unsqueeze_copy": [
        S("torch.unsqueeze_copy(x, 1)", x="f(3)"),
    ],
    "unsqueeze_copy.out": [
        S("torch.unsqueeze_copy(x, 1, out=torch.empty(0))", x="f(3)"),
    ],
    "unbind_copy.int": [
        S("torch.unbind_copy(x, 0)", x="f(2, 3)"),
    ],
    "unbind_copy.int_out": [
        S("torch.ops.aten.unbind_copy.int_out(x, 0, out=y)", x="i(2, 3)",
          y="[torch.empty(3, dtype=torch.int64), torch.empty(3, dtype=torch.int64)]"),
    ],
    "split_copy.Tensor": [
        S("torch.split_copy(x, 2)", x="f(4)"),
    ],
    "split_copy.Tensor_out": [
        S("torch.ops.aten.split_copy.Tensor_out(x, 2, out=y)", x="i(4)",
          y="[torch.empty(2, dtype=torch.int64), torch.empty(2, dtype=torch.int64)]"),
    ],
    "split_with_sizes_copy": [
        S("torch.split_with_sizes_copy(x, [1, 3])", x="f(4)"),
    ],
    "unfold_copy": [
        S("torch.unfold_copy(x, 0, 2, 1)", x="f(4)"),
    ],
    "unfold_copy.out": [
        S("torch.unfold_copy(x, 0, 2, 1, out=torch.empty(0))", x="f(4)"),
    ],
    "detach_copy": [
        S("torch.detach_copy(x)", x="f(4)"),
    ],
    "detach_copy.out": [
        S("torch.detach_copy(x, out=torch.empty(0))", x="f(4)"),
    ],
    "alias_copy": [
        S("torch.alias_copy(x)", x="f(4)"),
    ],
    "alias_copy.out": [
        S("torch.alias_copy(x, out=torch.empty(0))", x="f(4)"),
    ],
    "view_as_real_copy": [
        S("torch.view_as_real_copy(x)", x="c(4)"),
    ],
    "view_as_real_copy.out": [
        S("torch.view_as_real_copy(x, out=torch.empty(0))", x="c(4)"),
    ],
    "view_as_complex_copy": [
        S("torch.view_as_complex_copy(x)", x="f(4, 2)"),
    ],
    "_reshape_alias_copy": [
        S("torch.ops.aten._reshape_alias_copy(x, [2, 2], [2, 1])", x="f(4)"),
    ],
}

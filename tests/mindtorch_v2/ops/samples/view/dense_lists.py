"""Samples of ops/view/dense_lists.py."""

from .. import S

SAMPLES = {
    "_chunk_cat": [S("torch._chunk_cat([x, y], 0, 2)", x="f(3, 2)", y="f(2, 2)"),
                   S("torch._chunk_cat([x, y], 1, 2)", x="f(2, 5)", y="f(2, 3, 2)"),
                   S("torch._chunk_cat([x], 0, 0)", x="f(2)"), S("torch._chunk_cat([], 0, 1)")],
    "flatten_dense_tensors": [S("torch.ops.aten.flatten_dense_tensors([x, y])", x="f(3)", y="f(2, 2)")],
    "unflatten_dense_tensors": [S("torch.ops.aten.unflatten_dense_tensors(z, [x, y])", x="f(3)",
                                  y="f(2, 2)", z="f(7)")],
    "_reshape_copy": [S("torch.ops.aten._reshape_copy(x, [-1])", x="f(2, 2)"),
                      S("torch.ops.aten._reshape_copy(x.t(), [4])", x="f(2, 2)")],
}

"""Samples of ops/python/queries.py and ops/python/exchange.py."""

from .. import S

SAMPLES = {
    "result_type.Tensor": [S("torch.result_type(x, y)", x="f(2)", y="d(2)")],
    "result_type.Scalar": [S("torch.result_type(x, 1.5)", x="i(2)")],
    "result_type.Scalar_Tensor": [S("torch.result_type(2, x)", x="h(2)")],
    "result_type.Scalar_Scalar": [S("torch.result_type(2, 1.5)")],
    "can_cast": [S("torch.can_cast(torch.float32, torch.int64)")],
    "promote_types": [S("torch.promote_types(torch.int64, torch.float16)")],
    "_has_compatible_shallow_copy_type": [S("torch._has_compatible_shallow_copy_type(x, y)", x="f(2)", y="f(3)")],
    "is_pinned": [S("x.is_pinned()", x="f(2)")],
}

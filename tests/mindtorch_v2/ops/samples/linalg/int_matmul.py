"""Samples of ops/linalg/int_matmul.py, and of the gradient of matrix_exp as an op."""

from .. import S

_BYTES = {"x": "i(2, 3).to(torch.int8)", "y": "i(3, 4).to(torch.int8)"}
SAMPLES = {
    "_int_mm": [S("torch._int_mm(x, y)", **_BYTES), S("torch._int_mm(x, y.t())", **_BYTES)],
    "_int_mm.out": [S("torch._int_mm(x, y, out=torch.empty(2, 4, dtype=torch.int32))", **_BYTES)],
}

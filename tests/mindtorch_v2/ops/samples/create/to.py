"""Samples of ops/create/to.py."""

from .. import S

SAMPLES = {
    "to.device": [S("x.to('cpu', torch.float64)", x="f(3, 4)"), S("x.to(y)", x="f(3)", y="i(1)"),
                  S("x.to(device='cpu', dtype=torch.float32)", x="f(3)")],
    "to.dtype_layout": [S("x.to('cpu')", x="f(3)"), S("x.to('cpu', copy=True)", x="f(3)"), S("x.cpu()", x="f(3)"),
                        S("x.to(memory_format=torch.channels_last)", x="f(2, 3, 4, 5)")],
    "type_as": [S("x.type_as(y)", x="f(3)", y="d(2)"), S("x.type_as(y)", x="f(3)", y="i(2)")],
}

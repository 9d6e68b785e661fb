"""Dimensions of size one."""

from .. import S

SAMPLES = {
    "unsqueeze": [S("x.unsqueeze(0)", x="f(3, 4)"), S("x.t().unsqueeze(1)", x="f(3, 4)"),
                  S("torch.unsqueeze(x, -1)", x="f(3)"), S("x.unsqueeze(4)", x="f(3)")],
    "squeeze": [S("x.squeeze()", x="f(1, 3, 1)"), S("x.squeeze()", x="f(3)")],
    "squeeze.dim": [S("x.squeeze(0)", x="f(1, 3, 1)"), S("x.squeeze(1)", x="f(1, 3, 1)"),
                    S("x.squeeze(5)", x="f(1, 3)")],
    "squeeze.dims": [S("x.squeeze((0, 2))", x="f(1, 3, 1)"), S("x.squeeze((0, 0))", x="f(1, 3)")],
}

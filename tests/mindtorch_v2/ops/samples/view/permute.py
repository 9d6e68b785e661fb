"""Dimensions in another order."""

from .. import S

SAMPLES = {
    "transpose.int": [S("x.transpose(0, 1)", x="f(3, 4)"), S("torch.transpose(x, 0, -1)", x="f(2, 3, 4)"),
                      S("x.transpose(0, 0)", x="f(3)"), S("x.transpose(0, 3)", x="f(3, 4)")],
    "t": [S("x.t()", x="f(3, 4)"), S("x.t()", x="f(3)"), S("x.t()", x="f(2, 3, 4)")],
    "swapaxes": [S("x.swapaxes(0, 1)", x="f(3, 4)")],
    "swapdims": [S("torch.swapdims(x, 0, 1)", x="f(3, 4)")],
    "permute": [S("x.permute(2, 0, 1)", x="f(2, 3, 4)"), S("torch.permute(x, (1, -2))", x="f(3, 4)"),
                S("x.permute(0, 0)", x="f(3, 4)"), S("x.permute(0)", x="f(3, 4)")],
    "movedim.intlist": [S("x.movedim((0, 1), (2, 0))", x="f(2, 3, 4)"), S("x.movedim((0, 0), (1, 2))", x="f(2, 3, 4)")],
    "movedim.int": [S("torch.movedim(x, 0, -1)", x="f(2, 3, 4)")],
    "moveaxis.intlist": [S("torch.moveaxis(x, (0,), (2,))", x="f(2, 3, 4)")],
    "moveaxis.int": [S("x.moveaxis(0, 2)", x="f(2, 3, 4)")],
    "numpy_T": [S("x.T", x="f(3, 4)"), S("x.T", x="f(4)")],
    "mT": [S("x.mT", x="f(2, 3, 4)"), S("x.mT", x="f(3)")],
    "mH": [S("x.mH", x="f(2, 3, 4)")],
    "matrix_H": [S("x.H", x="f(3, 4)"), S("x.H", x="f(2, 3, 4)")],
    "adjoint": [S("x.adjoint()", x="f(2, 3, 4)"), S("x.adjoint()", x="f(3)")],
}

"""Softmax and log-softmax."""

from .. import S

SAMPLES = {
    "softmax.int": [S("torch.softmax(x, 1)", x="f(3, 4)"), S("x.softmax(-2)", x="f(2, 3, 4)"),
                    S("torch.softmax(x, 1, dtype=torch.float64)", x="f(3, 4)"),
                    S("torch.softmax(x.t(), 0)", x="f(3, 4)"),
                    S("torch.softmax(x, 1)", x="i(3, 4)")],
    "_softmax": [S("torch._softmax(x, 1, False)", x="f(3, 4)"), S("torch._softmax(x, 2, False)", x="f(3, 4)")],
    "_softmax_backward_data": [S("torch._softmax_backward_data(g, torch.softmax(y, 1), 1, torch.float32)", g="f(3, 4)",
                                 y="f(3, 4)")],
    "log_softmax.int": [S("torch.log_softmax(x, 1)", x="f(3, 4)"), S("x.log_softmax(0)", x="f(3, 4)"),
                        S("torch.log_softmax(x, 1, dtype=torch.float32)", x="h(3, 4)")],
    "_log_softmax": [S("torch._log_softmax(x, 1, False)", x="f(3, 4)")],
    "_softmax.out": [S("torch._softmax(x, 1, False, out=torch.empty(0))", x="f(3, 4)"),
                     S("torch._softmax(x, 0, False, out=x * 1)", x="f(3, 4)")],
    "_log_softmax.out": [S("torch._log_softmax(x, 1, False, out=torch.empty(3, 4))", x="f(3, 4)")],
    "_log_softmax_backward_data": [S("torch._log_softmax_backward_data(g, torch.log_softmax(y, 1), 1, torch.float32)",
                                     g="f(3, 4)", y="f(3, 4)")],
    "_safe_softmax": [S("torch._safe_softmax(x, 1)", x="f(3, 4)"),
                      S("torch._safe_softmax(x, 1)", x="torch.full((2, 3), float('-inf'))")],
}

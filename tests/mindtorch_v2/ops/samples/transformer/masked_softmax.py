"""softmax under a mask."""

from .. import S

SCORES = {"x": "f(2, 2, 3, 3)", "m": "b(2, 3)", "s": "b(3, 3)", "full": "b(2, 2, 3, 3)"}

SAMPLES = {
    "_masked_softmax": [
        S("torch._masked_softmax(x, m, 3, 1)", **SCORES), S("torch._masked_softmax(x, s, 3, 0)", **SCORES),
        S("torch._masked_softmax(x, full, 3, 2)", **SCORES), S("torch._masked_softmax(x, full)", **SCORES),
        S("torch._masked_softmax(x, full, 1)", **SCORES), S("torch._masked_softmax(x, m, 2, 1)", **SCORES),
        S("torch._masked_softmax(x, s, 1, 0)", **SCORES), S("torch._masked_softmax(x[0, 0], s)", **SCORES),
        S("torch._masked_softmax(x.double(), full)", **SCORES),
        S("torch._masked_softmax(x, m.float(), 3, 1)", **SCORES), S("torch._masked_softmax(x, m, 3)", **SCORES),
        S("torch._masked_softmax(x, s, 3, 1)", **SCORES), S("torch._masked_softmax(x, m, 3, 0)", **SCORES),
        S("torch._masked_softmax(x, s, 3, 7)", **SCORES), S("torch._masked_softmax(x[0], full)", **SCORES),
        S("torch._masked_softmax(x, full, 5)", **SCORES), S("torch._masked_softmax(x.long(), full)", **SCORES)],
    "_masked_softmax_backward": [
        S("torch.ops.aten._masked_softmax_backward(g, y, m, 1)", g="f(2, 3)", y="f(2, 3)", m="b(2, 3)"),
        S("torch.ops.aten._masked_softmax_backward(g, y, m[0], 1)", g="f(2, 3)", y="f(2, 3)", m="b(2, 3)")],
}

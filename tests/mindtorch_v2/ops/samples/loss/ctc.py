"""Alignments of labels with scores."""

from .. import S

X = {"x": "f(6, 2, 5).log_softmax(2)", "t": "torch.tensor([[1, 2, 2], [3, 4, 1]])"}
T = {**X, "n": "torch.tensor([6, 5])", "m": "torch.tensor([3, 2])"}
A = "torch.ops.aten"
FLAT = "torch.tensor([1, 2, 2, 3, 4])"
# Calls that torch refuses: targets, lengths of inputs and of targets, blank.
REFUSED = ("t, (6,), (3, 2)", "t, (6, 5), (3,)", "t, (7, 5), (3, 2)", "t, (6, 5), (4, 2)", "t, (6, 5), (3, 2), 5",
           "t, (6, 5), (3, 2), -1", "t[:1], (6, 5), (3, 2)", "t, (6, 5), (-1, 2)", "t, (-1, 5), (3, 2)",
           "t.view(2, 3, 1), (6, 5), (3, 2)", f"{FLAT}, (6, 5), (2, 2)", f"{FLAT}, (6, 5), (4, 2)")

SAMPLES = {
    "ctc_loss.IntList": [
        *[S(f"{A}.ctc_loss(x, t, (6, 5), (3, 2), 0, {reduction}, {zero})", **X)
          for reduction in (0, 1, 2) for zero in (False, True)],
        S(f"torch.ctc_loss(x, {FLAT}, (6, 5), (3, 2))", **X), S("torch.ctc_loss(x, t, (2, 5), (3, 2))", **X),
        S("torch.ctc_loss(x, t, (2, 5), (3, 2), zero_infinity=True)", **X),
        S("torch.ctc_loss(x, t, (6, 5), (0, 2), reduction=0)", **X),
        S("torch.ctc_loss(x, t, (0, 5), (0, 2), reduction=0)", **X),
        S("torch.ctc_loss(x, t, (0, 5), (1, 2), reduction=0)", **X),
        S("torch.ctc_loss(x[:, 0], t[0], (6,), (3,), reduction=0)", **X),
        S("torch.ctc_loss(x, t.int(), (6, 5), (3, 2))", x="d(6, 2, 5).log_softmax(2)", t=X["t"]),
        S("torch.ctc_loss(x.half(), t, (6, 5), (3, 2))", **X), S("torch.ctc_loss(x[:0], t, (0, 0), (0, 0))", **X),
        S("torch.ctc_loss(x[0, 0], t, (6,), (3,))", **X),
        S("torch.ctc_loss(x.mT.contiguous().mT, t, (6, 5), (3, 2))", **X)],
    "ctc_loss.Tensor": [S("F.ctc_loss(x, t, n, m)", **T), S("F.ctc_loss(x[:, 0], t[0], n[0], m[0])", **T),
                        S("F.ctc_loss(x, t, n.int(), m.int(), reduction='none')", **T),
                        S("F.ctc_loss(x, t, n.float(), m)", **T)],
    "_ctc_loss": [S(f"{A}._ctc_loss(x, t, (6, 6), (3, 3))", **X), S(f"{A}._ctc_loss(x, t, (6, 5), (3, 2))[0]", **X),
                  S(f"{A}._ctc_loss(x.long(), t, (6, 5), (3, 2))", **X),
                  *[S(f"{A}._ctc_loss(x, {call})", **X) for call in REFUSED]],
    "_ctc_loss.Tensor": [S(f"{A}._ctc_loss.Tensor(x, t, n, m)[0]", **T)],
    "_ctc_loss_backward": [
        S(f"{A}._ctc_loss_backward(g, x, t, (6, 5), (3, 2), *{A}._ctc_loss(x, t, (6, 5), (3, 2)), 0)", **X, g="f(2)")],
    "_ctc_loss_backward.Tensor": [
        S(f"{A}._ctc_loss_backward.Tensor(g, x, t, n, m, *{A}._ctc_loss(x, t, (6, 5), (3, 2)), 0)", **T, g="f(2)")],
}

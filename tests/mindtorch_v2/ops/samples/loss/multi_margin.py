"""Margins between the right classes and all others."""

from .. import S

X = {"x": "f(3, 4)", "t": "torch.tensor([0, 3, 1])"}
M = {"x": "f(3, 4)", "t": "torch.tensor([[3, 0, -1, 1], [0, 1, 2, 3], [-1, 0, 0, 0]])"}
W = {**X, "w": "pos(4)"}
I = {**M, "own": "torch.tensor([[1.0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]])"}  # noqa: E741
A = "torch.ops.aten"
WRONG = ("x, t[:2]", "x, t.view(3, 1)", "x, t.float()", "x.long(), t", "x.half(), t", "x.view(3, 2, 2), t",
         "x[:, :0], t", "x[0], t", "x, t + 1", "x, t - 1", "x, t, 3", "x, t, 1, 1, w[:3]", "x, t, 1, 1, w.view(2, 2)",
         "x, t, 1, 1, w.double()", "x, t, 1, 1, w")
WRONG_LABELS = ("x, t + 1, 1", "x, t - 1, 1", "x, t.float(), 1", "x, t[:2], 1", "x.view(3, 2, 2), t.view(3, 2, 2), 1",
                "x[0], t, 1", "x[:, :0], t[:, :0], 1", "x.half(), t, 1", "x.long(), t, 1")

SAMPLES = {
    "multi_margin_loss": [
        *[S(f"F.multi_margin_loss(x, t, p={p}, weight=w.detach(), reduction='{r}')", **W)
          for p in (1, 2) for r in ("none", "mean", "sum")],
        S("F.multi_margin_loss(x, t, margin=0.3)", **X), S("F.multi_margin_loss(x[0], t[0], reduction='none')", **X),
        S("F.multi_margin_loss(x.mT.contiguous().mT, torch.cat([t, t])[::2] * 0, reduction='sum')", **X),
        S("F.multi_margin_loss(x[:0], t[:0], reduction='none')", **X), S("F.multi_margin_loss(x.double(), t)", **X),
        *[S(f"{A}.multi_margin_loss({given})", **W) for given in WRONG]],
    "multi_margin_loss.out": [S(f"{A}.multi_margin_loss(x, t, out=torch.empty(0))", **X),
                              S(f"{A}.multi_margin_loss(x, t, out=torch.empty(0).double())", **X)],
    "multi_margin_loss_backward": [
        S(f"{A}.multi_margin_loss_backward(g, x, t, 1, 1, w, 0)", **W, g="f(3)"),
        S(f"{A}.multi_margin_loss_backward(g, x, t, 2, 0.5)", **X, g="f()"),
        S(f"{A}.multi_margin_loss_backward(g, x, t, 3, 0.5)", **X, g="f()"),
        S(f"{A}.multi_margin_loss_backward(g, x, t, 1, 0.5, None, 0)", **X, g="f(3, 1)"),
        S(f"{A}.multi_margin_loss_backward(g.double(), x, t, 1, 0.5)", **X, g="f()")],
    "multi_margin_loss_backward.grad_input": [
        S(f"{A}.multi_margin_loss_backward(g, x, t, 1, 1, grad_input=torch.empty(0))", **X, g="f()")],
    "multilabel_margin_loss": [
        *[S(f"F.multilabel_margin_loss(x, t, reduction='{r}')", **M) for r in ("none", "mean", "sum")],
        S("F.multilabel_margin_loss(x[0], t[0], reduction='none')", **M),
        S("F.multilabel_margin_loss(x.mT.contiguous().mT, torch.cat([t, t])[::2])", **M),
        S("F.multilabel_margin_loss(x[:0], t[:0], reduction='none')", **M)],
    "multilabel_margin_loss.out": [S(f"{A}.multilabel_margin_loss(x, t, out=torch.empty(0))", **M)],
    "multilabel_margin_loss_forward": [S(f"{A}.multilabel_margin_loss_forward(x, t, 0)", **M),
                                       *[S(f"{A}.multilabel_margin_loss_forward({given})", **M)
                                         for given in WRONG_LABELS]],
    "multilabel_margin_loss_forward.output": [
        S(f"{A}.multilabel_margin_loss_forward(x, t, 0, output=torch.empty(0), is_target=torch.empty(0))", **M)],
    "multilabel_margin_loss_backward": [
        S(f"{A}.multilabel_margin_loss_backward(g, x, t, 0, own)", **I, g="f(3)"),
        S(f"{A}.multilabel_margin_loss_backward(g, x, t, 1, own)", **I, g="f()"),
        S(f"{A}.multilabel_margin_loss_backward(g, x, t, 0, own)", **I, g="f(2)"),
        S(f"{A}.multilabel_margin_loss_backward(g, x, t, 1, own[0])", **I, g="f()")],
    "multilabel_margin_loss_backward.grad_input": [
        S(f"{A}.multilabel_margin_loss_backward(g, x, t, 1, own, grad_input=torch.empty(0))", **I, g="f()")],
}

"""Distances between the vectors of two sets, or of one."""

from .. import S

X = {"x": "f(4, 3)", "y": "f(5, 3)"}
A = "torch.ops.aten"
ORDERS = ("0", "0.5", "1", "1.5", "2", "3", "float('inf')")
WRONG = ("x[0], y", "x, y[0]", "x, y[:, :2]", "x.long(), y", "x, y.long()", "x.half(), y.half()", "x, y.double()",
         "x, y, -1", "x, y, compute_mode='mid'", "x.expand(2, 4, 3), y.expand(3, 5, 3)")
EUCLID = "compute_mode='use_mm_for_euclid_dist'"

SAMPLES = {
    "cdist": [*[S(f"torch.cdist(x, y, {p})", **X) for p in ORDERS], S(f"torch.cdist(x, y, {EUCLID})", **X),
              S("torch.cdist(x, y)", x="f(2, 1, 30, 3)", y="f(3, 5, 3)"),
              S("torch.cdist(x, y, compute_mode='donot_use_mm_for_euclid_dist')", x="f(2, 30, 3)", y="f(5, 3)"),
              S("torch.cdist(x.mT, y[:4].mT)", **X), S("torch.cdist(x[:0], y)", **X), S("torch.cdist(x, y[:0])", **X),
              S("torch.cdist(x[:, :0], y[:, :0])", **X), S(f"torch.cdist(x[:0], y, {EUCLID})", **X),
              *[S(f"torch.cdist({given})", **X) for given in WRONG], S(f"{A}.cdist(x, y, 2.0, 3)", **X)],
    "_cdist_forward": [S(f"{A}._cdist_forward(x, y, 2.0, 1)", **X), S(f"{A}._cdist_forward(x, y, 3.0, None)", **X)],
    "_cdist_backward": [S(f"{A}._cdist_backward(g, x, y, {p}, d_)", **X, g="f(4, 5)", d_="pos(4, 5)") for p in ORDERS],
    "_euclidean_dist": [S(f"{A}._euclidean_dist(x, y)", **X),
                        S(f"{A}._euclidean_dist(x, y)", x="f(2, 3, 4)", y="f(2, 5, 4)")],
    "pdist": [*[S(f"F.pdist(x, {p})", x="f(4, 3)") for p in ORDERS], S("torch.pdist(x.mT)", x="f(4, 3)"),
              S("F.pdist(x)", x="d(5, 2)"), S("F.pdist(x[:1])", x="f(4, 3)"),
              S("F.pdist(x[:, :0])", x="f(4, 3)"), S("F.pdist(x[0])", x="f(4, 3)"), S("F.pdist(x)", x="h(4, 3)"),
              S("F.pdist(x)", x="i(4, 3)"), S("F.pdist(x, -1)", x="f(4, 3)")],
    "_pdist_forward": [S(f"{A}._pdist_forward(x, 2.0)", x="f(4, 3)"), S(f"{A}._pdist_forward(x.mT, 2.0)", x="f(4, 3)")],
    "_pdist_backward": [S(f"{A}._pdist_backward(g, x, 2.0, d_)", g="f(6)", x="f(4, 3)", d_="pos(6)"),
                        S(f"{A}._pdist_backward(g, x.mT, 2.0, d_)", g="f(3)", x="f(4, 3)", d_="pos(3)")],
}

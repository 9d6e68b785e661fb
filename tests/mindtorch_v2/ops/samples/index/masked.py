"""Under a mask."""

from .. import S

SAMPLES = {
    "masked_fill_.Tensor": [S("(x * 1).masked_fill_(m, v)", x="f(3, 4)", m="b(3, 4)", v="f(1)[0]")],
    "masked_fill_.Scalar": [S("(x * 1).masked_fill_(m, -1.5)", x="f(3, 4)", m="b(4)"),
                            S("(x * 1).masked_fill_(m, 1)", x="f(4)", m="b(3, 4)"),
                            S("x.masked_fill_(y, 1)", x="i(3)", y="f(3)")],
    "masked_fill.Tensor": [S("x.masked_fill(m, v)", x="f(3, 4)", m="b(3, 4)", v="f(1)[0]")],
    "masked_fill.Scalar": [S("x.masked_fill(m, float('-inf'))", x="f(3, 4)", m="b(3, 4)"),
                           S("torch.masked_fill(x, m, 2)", x="f(4)", m="b(3, 4)"),
                           S("x.masked_fill(m, 1)", x="i(3)", m="b(3)")],
    "masked_select": [S("x.masked_select(m)", x="f(3, 4)", m="b(3, 4)"),
                      S("torch.masked_select(x, m)", x="f(3, 4)", m="b(4)")],
    "masked_select_backward": [
        S("torch.ops.aten.masked_select_backward(g, x, m)", g="f(12)", x="f(3, 4)", m="b(3, 4)")],
    "masked_scatter_": [S("(x * 1).masked_scatter_(m, y)", x="f(3, 4)", m="b(3, 4)", y="f(12)"),
                        S("(x * 1).masked_scatter_(m, y)", x="f(3, 4)", m="b(3, 4)", y="f(1)")],
    "masked_scatter": [S("x.masked_scatter(m, y)", x="f(3, 4)", m="b(3, 4)", y="f(12)"),
                       S("x.masked_scatter(m, y)", x="f(3, 4)", m="b(4)", y="f(12)")],
    "masked_scatter_backward": [S("torch.ops.aten.masked_scatter_backward(g, m, (12,))", g="f(3, 4)", m="b(3, 4)")],
}

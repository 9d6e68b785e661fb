"""Weights as a direction and a length."""

from .. import S

SAMPLES = {
    "norm_except_dim": [
        S("torch.norm_except_dim(x)", x="f(4, 3)"), S("torch.norm_except_dim(x, 2, 2)", x="f(4, 3, 2)"),
        S("torch.norm_except_dim(x, 3, 1)", x="f(4, 3, 2)"), S("torch.norm_except_dim(x, 2, -1)", x="f(4, 3)"),
        S("torch.norm_except_dim(x.t())", x="f(4, 3)"), S("torch.norm_except_dim(x, 2, 4)", x="f(4, 3)")],
    "_weight_norm": [S("torch._weight_norm(x, g)", x="f(4, 3)", g="pos(4, 1)"),
                     S("torch._weight_norm(x, g, 2)", x="f(4, 3, 2)", g="pos(1, 1, 2)"),
                     S("torch._weight_norm(x, g, 1)", x="f(4, 3, 2)", g="pos(1, 3, 1)"),
                     S("torch._weight_norm(x, g, -1)", x="f(4, 3)", g="pos(1)"),
                     S("torch._weight_norm(x.t(), g.t(), 0)", x="f(3, 4)", g="pos(1, 4)"),
                     S("torch._weight_norm(x, g, 5)", x="f(4, 3)", g="pos(4, 1)")],
    "_weight_norm_interface": [S("torch._weight_norm_interface(x, g)[0]", x="f(4, 3)", g="pos(4, 1)"),
                               S("torch._weight_norm_interface(x, g, 1)[0]", x="f(4, 3)", g="pos(1, 3)")],
    "_weight_norm_interface_backward": [
        S(f"torch.ops.aten._weight_norm_interface_backward(w.detach(), x.detach(), g.detach(), n.detach(), {dim})",
          w="f(4, 3)", x="f(4, 3)", g=shape, n=shape) for dim, shape in ((0, "pos(4, 1)"), (1, "pos(1, 3)"))],
    "_weight_norm_differentiable_backward": [
        S(f"torch.ops.aten._weight_norm_differentiable_backward(w, x, g, n, {dim})",
          w="f(4, 3)", x="f(4, 3)", g=shape, n=shape) for dim, shape in ((0, "pos(4, 1)"), (1, "pos(1, 3)"))],
}

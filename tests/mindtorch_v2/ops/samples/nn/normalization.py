"""Normalisation over the last dimensions, and over groups of channels."""

from .. import S

AFFINE = {"x": "f(3, 4)", "w": "f(4)", "b_": "f(4)"}
GROUPS = {"x": "f(2, 4, 3)", "w": "f(4)", "b_": "f(4)"}

SAMPLES = {
    "layer_norm": [S("F.layer_norm(x, (4,), w, b_)", **AFFINE), S("F.layer_norm(x, (3, 4))", x="f(2, 3, 4)"),
                   S("F.layer_norm(x.t(), (3,))", x="f(3, 4)"), S("F.layer_norm(x, (5,))", x="f(3, 4)")],
    "native_layer_norm": [S("torch.native_layer_norm(x, (4,), w, b_, 1e-5)", **AFFINE)],
    "native_layer_norm_backward": [
        S("torch.ops.aten.native_layer_norm_backward(g, x, (4,), m.detach(), r.detach(), w, b_, [True, True, True])",
          g="f(3, 4)", m="f(3, 1)", r="pos(3, 1)", **AFFINE),
        S("torch.ops.aten.native_layer_norm_backward(g, x, (4,), m.detach(), r.detach(), None, None, "
          "[True, False, False])[0]", g="f(3, 4)", x="f(3, 4)", m="f(3, 1)", r="pos(3, 1)")],
    "group_norm": [S("F.group_norm(x, 2, w, b_)", **GROUPS), S("F.group_norm(x, 3)", x="f(2, 4, 3)")],
    "native_group_norm": [S("torch.native_group_norm(x, w, b_, 2, 4, 3, 2, 1e-5)", **GROUPS),
                          S("torch.native_group_norm(x, None, None, 2, 4, 6, 1, 1e-5)[0]", x="f(2, 4, 3, 2)")],
    "native_group_norm_backward": [
        S("torch.ops.aten.native_group_norm_backward(g, x, m, r, w, 2, 4, 3, 2, [True, True, True])[1]",
          g="f(2, 4, 3)", x="f(2, 4, 3)", m="f(2, 2)", r="pos(2, 2)", w="f(4)")],
    "rms_norm": [S("F.rms_norm(x, (4,), w)", x="f(3, 4)", w="f(4)"), S("F.rms_norm(x, (4,), eps=1e-3)", x="f(3, 4)")],
    "_fused_rms_norm": [S("torch._fused_rms_norm(x, (4,), w, 1e-5)", x="f(3, 4)", w="f(4)")],
}

"""Normalisation of each channel by the batch."""

from .. import S

STATS = "m.detach(), v.detach()"
ALL = {"x": "f(3, 4, 2)", "w": "f(4)", "b_": "f(4)", "m": "f(4)", "v": "pos(4)"}

SAMPLES = {
    "batch_norm": [S("F.batch_norm(x, m.detach(), v.detach(), w, b_, training=True)", **ALL),
                   S("F.batch_norm(x, m.detach(), v.detach(), w, b_)", **ALL),
                   S("F.batch_norm(x, None, None, training=True)", x="f(3, 4)"),
                   S("F.batch_norm(x, None, None, w, training=True)", x="f(3, 4, 2, 2)", w="f(5)")],
    "_batch_norm_impl_index": [
        S("torch._batch_norm_impl_index(x, w, b_, m.detach(), v.detach(), False, 0.1, 1e-5, True)[0]", **ALL),
        S("torch._batch_norm_impl_index(x, w, b_, None, None, True, 0.1, 1e-5, True)[0]", x="f(0, 3)", w="f(3)",
          b_="f(3)")],
    "native_batch_norm": [S("torch.native_batch_norm(x, w, b_, m.detach(), v.detach(), True, 0.1, 1e-5)", **ALL)],
    "native_batch_norm_backward": [
        S(f"torch.ops.aten.native_batch_norm_backward(g, x, w, {STATS}, {STATS}, True, 1e-5, [True] * 3)",
          g="f(3, 4, 2)", x="f(3, 4, 2)", w="f(4)", m="f(4)", v="pos(4)"),
        S(f"torch.ops.aten.native_batch_norm_backward(g, x, w, {STATS}, {STATS}, False, 1e-5, [True] * 3)",
          g="f(3, 4, 2)", x="f(3, 4, 2)", w="f(4)", m="f(4)", v="pos(4)")],
    "instance_norm": [S("F.instance_norm(x, weight=w, bias=b_)", x="f(3, 4, 5)", w="f(4)", b_="f(4)")],
}

# Arguments that torch refuses a gradient.
SAMPLES["batch_norm"].append(S("F.batch_norm(x, m, v, w, b_)", **ALL))

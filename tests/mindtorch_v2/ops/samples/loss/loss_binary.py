"""Cross entropy of yes-or-no answers."""

from .. import S

PAIR = {"x": "pos(3, 4) / 3", "y": "pos(3, 4) / 3"}

SAMPLES = {
    "binary_cross_entropy": [S("F.binary_cross_entropy(x, y)", **PAIR),
                             S("F.binary_cross_entropy(x, y, w.detach(), reduction='sum')", w="pos(4)", **PAIR),
                             S("F.binary_cross_entropy(x, y)", x="f(3, 4)", y="pos(3, 4) / 3")],
    "binary_cross_entropy_backward": [S("torch.ops.aten.binary_cross_entropy_backward(g, x, y, None, 1)",
                                        g="f(1).sum()", **PAIR)],
    "binary_cross_entropy_with_logits": [
        S("F.binary_cross_entropy_with_logits(x, y)", x="f(3, 4)", y="pos(3, 4) / 3"),
        S("F.binary_cross_entropy_with_logits(x, y, w.detach(), pos_weight=v.detach(), reduction='none')", x="f(3, 4)",
          y="pos(3, 4) / 3", w="pos(4)", v="pos(4)")],
}

# Arguments that torch refuses a gradient.
SAMPLES["binary_cross_entropy"].append(S("F.binary_cross_entropy(x, y, w)", w="pos(4)", **PAIR))
SAMPLES["binary_cross_entropy_with_logits"].append(
    S("F.binary_cross_entropy_with_logits(x, y, w)", x="f(3, 4)", y="pos(3, 4) / 3", w="pos(4)"))

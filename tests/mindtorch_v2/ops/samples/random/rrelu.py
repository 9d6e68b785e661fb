"""Slopes drawn for negative elements."""

from .. import S

X = {"x": "f(3, 4)"}
N = {**X, "n": "f(3, 4).detach()"}
A = "torch.ops.aten"

SAMPLES = {
    "rrelu": [*[S(f"F.rrelu(x, training={training})", **X) for training in (True, False)],
              S("F.rrelu(x.mT, 0.1, 0.2, True)", **X), S("F.rrelu(x, training=True)", x="h(3, 4)"),
              S("F.rrelu(x, training=True)", x="d(3, 4)"), S("F.rrelu(x, training=True)", x="i(3, 4)"),
              S("F.rrelu(x)", x="i(3, 4)"), S("F.rrelu(x, 0.5, 0.1)", **X), S("F.rrelu(x, float('inf'))", **X),
              S("F.rrelu(x, 0.1, float('nan'))", **X), S("F.rrelu(x[:0], training=True)", **X)],
    "rrelu_": [S("F.rrelu_(x * 1, training=True)", **X), S("F.rrelu(x * 1, inplace=True)", **X),
               S("F.rrelu((x * 1).mT, training=True, inplace=True)", **X)],
    "rrelu_with_noise_backward": [S(f"{A}.rrelu_with_noise_backward(g, x, n, 0.1, 0.3, {way})", g="f(3, 4)", **N)
                                  for way in ("True, False", "False, False", "False, True", "True, True")],
    "rrelu_with_noise": [S(f"{A}.rrelu_with_noise(x, n[:2].detach(), 0.1, 0.3, True)", **N),
                         S(f"{A}.rrelu_with_noise(x, n, 0.1, 0.3, True)", **N)],
    "rrelu_with_noise_": [S(f"{A}.rrelu_with_noise_(x * 1, n[:2].detach(), 0.1, 0.3, True)", **N)],
    "rrelu_with_noise.out": [S(f"{A}.rrelu_with_noise(x, n[:2], 0.1, 0.3, True, out=torch.empty(3, 4))", **N)],
    "rrelu_with_noise_functional": [S(f"{A}.rrelu_with_noise_functional(x, n[:2], 0.1, 0.3, True)", **N)],
}

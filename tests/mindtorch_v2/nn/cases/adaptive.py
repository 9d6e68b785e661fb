"""Layers and functions of classes, distances and noise: text, numbers, gradients, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

ADAPTIVE = {"AdaptiveLogSoftmaxWithLoss(18, 10, [3, 7])": 18, "AdaptiveLogSoftmaxWithLoss(16, 20, (3, 7, 12), 2.0, True)": 16, "AdaptiveLogSoftmaxWithLoss(6, 10, [3], dtype=torch.float64)": 6}
LINEAR = ("LinearCrossEntropyLoss(4, 5)", "LinearCrossEntropyLoss(4, 5, out_features=(2, 3), bias=True)", "LinearCrossEntropyLoss(4, 5, weight=torch.ones(5) / 3, label_smoothing=0.1)",
          "LinearCrossEntropyLoss(4, 5, reduction='none', ignore_index=2)", "LinearCrossEntropyLoss(4, 5, reduction='sum', dtype=torch.float64)")
CUTOFFS = ("[]", "[7, 3]", "[0, 3]", "[3, 10]", "[3, 3]", "[3.5]")
TARGETS = ("torch.randn(4, 6), torch.tensor([0, 1])", "torch.randn(4, 6), torch.tensor([0, 1, 2, 10])", "torch.randn(4, 6), torch.tensor([0, 1, 2, -1])", "torch.randn(6), torch.tensor([0])",
           "torch.randn(2, 4, 6), torch.zeros(2, 4).long()", "torch.randn(4, 6), torch.zeros(4, 1).long()", "torch.randn(4, 6), torch.tensor(1)")
X = "x, w, y = torch.randn(3, 4), torch.randn(5, 4), torch.tensor([0, 3, 4])\n"
GIVEN = ("x, w, y", "x, w, y, reduction='none', linear_bias=torch.ones(5)", "x[0], w, y[0]", "x, w, torch.softmax(torch.randn(3, 5), 1)", "x, w[:, :3], y", "x, w, y[:2]", "x, w, y, reduction='mid'", "x, w, y, linear_bias=torch.ones(4)",
         "x, w[0], y", "x[None], w, y", "x, w, y.float()", "x, w, torch.rand(3, 5), ignore_index=2", "x, w, y, options=nn.LinearCrossEntropyOptions(acc_dtype=torch.float64)", "x[0], w.view(5, 2, 2), y", "x[0, :2], w.view(5, 2, 2), y")
CONV = {1: ("2, 3, 9", "4, 3, 3", "2, 4, 7"), 2: ("2, 3, 8, 9", "4, 3, 3, 3", "2, 4, 6, 7"), 3: ("1, 2, 5, 6, 7", "3, 2, 2, 3, 3", "1, 3, 4, 4, 5")}

CASES = {
    **{layer: f"m = nn.{layer}\nx, t = torch.randn(8, {features}, dtype=m.head.weight.dtype).requires_grad_(), torch.randint(0, m.n_classes, (8,))\ny = m(x, t)\ny.loss.backward()\nout = [repr(m), list(y), x.grad, [p.grad for p in m.parameters()], m.log_prob(x), m.predict(x), list(m(x[0], t[0])), list(m.state_dict()), m.cutoffs]" for layer, features in ADAPTIVE.items()},
    **{layer: f"m = nn.{layer}\nx, t = torch.randn(7, 4, dtype=m.linear.weight.dtype).requires_grad_(), torch.randint(0, 5, (7, *m.out_features))\ny = m(x, t)\ny.sum().backward()\nout = [repr(m), y, x.grad, [p.grad for p in m.parameters()], list(m.state_dict())]" for layer in LINEAR},
    **{f"cutoffs {cutoffs}": f"nn.AdaptiveLogSoftmaxWithLoss(6, 10, {cutoffs})" for cutoffs in CUTOFFS},
    **{f"adaptive {given}": f"nn.AdaptiveLogSoftmaxWithLoss(6, 10, [3])({given})" for given in TARGETS},
    **{f"linear_cross_entropy({given})": f"{X}out = F.linear_cross_entropy({given})" for given in GIVEN},
    **{f"LinearCrossEntropyOptions({given})": f"repr(nn.LinearCrossEntropyOptions({given}))" for given in ("", "batch_chunk_size=2", "acc_policy='mid'", "chunking_method='mid'", "batch_chunk_size=0", "acc_dtype=3")},
    **{f"grad.conv{rank}d": f"x, w, g = torch.randn({x}), torch.randn({w}), torch.randn({g})\nout = [nn.grad.conv{rank}d_input(x.shape, w, g), nn.grad.conv{rank}d_weight(x, w.shape, g)]" for rank, (x, w, g) in CONV.items()},
    "grad.conv2d in groups": "x, w, g = torch.randn(2, 4, 9, 9), torch.randn(6, 2, 3, 3), torch.randn(2, 6, 5, 5)\nout = [nn.grad.conv2d_input(x.shape, w, g, 2, 1, 1, 2), nn.grad.conv2d_weight(x, w.shape, g, (2, 2), (1, 1), 1, 2)]",
    "common_types": "[[name, str(getattr(nn.common_types, name))] for name in sorted(dir(nn.common_types)) if name[0] == '_' != name[1]]",
    **{layer: f"m = nn.{layer}\nx = torch.randn(3, 4, requires_grad=True)\ny = m(x * 1)\ny.sum().backward()\nout = [repr(m), y, x.grad, m.eval()(x * 1), torch.rand(2)]" for layer in ("RReLU()", "RReLU(0.1, 0.2)", "RReLU(inplace=True)")},
}

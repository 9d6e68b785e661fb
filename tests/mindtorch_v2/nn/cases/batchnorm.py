"""Layers that normalise by the statistics of a batch: text, numbers, gradients, states, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

SHAPES = {"BatchNorm1d": ("4, 3", "4, 3, 5"), "BatchNorm2d": ("2, 3, 4, 4",), "BatchNorm3d": ("2, 3, 2, 3, 2",)}
OPTIONS = ("3", "3, momentum=None", "3, affine=False", "3, track_running_stats=False", "3, 0.1, 0.5", "3, bias=False")
TRAINED = ("m, x = nn.{layer}, torch.randn({shape}, requires_grad=True)\nm(x)\ny = m(x)\n(y * y * y).sum().backward()\n"
           "out = [repr(m), y, x.grad, [p.grad for p in m.parameters()], m.state_dict(), m.eval()(x)]")

CASES = {
    **{f"{layer}({options}) of {shape}": TRAINED.format(layer=f"{layer}({options})", shape=shape) for layer, shapes in SHAPES.items() for shape in shapes for options in OPTIONS},
    "BatchNorm1d of a vector": "nn.BatchNorm1d(3)(torch.ones(3))",
    "BatchNorm2d of a matrix": "nn.BatchNorm2d(3)(torch.ones(2, 3))",
    "BatchNorm3d of an image": "nn.BatchNorm3d(3)(torch.ones(2, 3, 4, 4))",
    "one value a channel": "nn.BatchNorm1d(3)(torch.ones(1, 3))",
    "an older state": "m = nn.BatchNorm1d(2)\nm(torch.randn(4, 2))\nold = {k: v for k, v in m.state_dict().items() if 'num' not in k}\nfresh = nn.BatchNorm1d(2)\nout = [str(fresh.load_state_dict(old)), fresh.state_dict()]",
    "reset": "m = nn.BatchNorm1d(2)\nm(torch.randn(4, 2))\nm.reset_parameters()\nout = m.state_dict()",
    "a negative eps": "nn.BatchNorm1d(3, eps=-1.0)(torch.ones(2, 3))",
    "a negative eps in evaluation": "nn.BatchNorm1d(3, eps=-1.0).eval()(torch.ones(2, 3))",
    "no rows": "nn.BatchNorm1d(3)(torch.ones(0, 3))",
}

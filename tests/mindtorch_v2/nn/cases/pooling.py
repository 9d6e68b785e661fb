"""Layers and functions that pool: text, numbers, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

LAYERS = {
    1: ("MaxPool1d(2)", "MaxPool1d(3, 2, 1, ceil_mode=True)", "MaxPool1d(2, return_indices=True)", "AvgPool1d(2)", "AvgPool1d(3, 2, 1, True, False)",
        "LPPool1d(2, 3)", "LPPool1d(1.5, 2, stride=1, ceil_mode=True)", "AdaptiveMaxPool1d(3)", "AdaptiveMaxPool1d(2, True)", "AdaptiveAvgPool1d(3)"),
    2: ("MaxPool2d(2)", "MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0), dilation=1)", "MaxPool2d(2, return_indices=True)", "AvgPool2d(2)",
        "AvgPool2d((2, 3), count_include_pad=False, divisor_override=5)", "LPPool2d(2, 2)", "LPPool2d(1, (2, 3), 1)", "AdaptiveMaxPool2d((2, None))",
        "AdaptiveAvgPool2d(1)", "AdaptiveAvgPool2d((None, 2))", "FractionalMaxPool2d(2, output_size=3)", "FractionalMaxPool2d((2, 3), output_ratio=(0.5, 0.4), return_indices=True)",
        "FractionalMaxPool2d(2, output_ratio=0.5)", "FractionalMaxPool2d(2, 3, _random_samples=torch.full((2, 3, 2), 0.3))"),
    3: ("MaxPool3d(2)", "MaxPool3d(2, return_indices=True)", "AvgPool3d(2)", "AvgPool3d(2, 1, 1, divisor_override=3)", "LPPool3d(2, 2)", "AdaptiveMaxPool3d(2)", "AdaptiveAvgPool3d((1, 2, 3))",
        "FractionalMaxPool3d(2, output_size=(2, 3, 3))", "FractionalMaxPool3d(2, output_ratio=(0.5, 0.6, 0.7))"),
}
SHAPES = {1: "2, 3, 9", 2: "2, 3, 6, 8", 3: "2, 2, 4, 5, 6"}

CASES = {
    **{layer: f"m = nn.{layer}\nx = torch.randn({SHAPES[rank]})\nout = [repr(m), m(x), m(x[0]), list(m.state_dict())]" for rank, layers in LAYERS.items() for layer in layers if "samples" not in layer},
    **{layer: f"m = nn.{layer}\nx = torch.randn({SHAPES[2]})\nout = [repr(m), m(x), list(m.state_dict())]" for layer in LAYERS[2] if "samples" in layer},
    **{f"MaxUnpool{rank}d": f"p, m = nn.MaxPool{rank}d(2, return_indices=True), nn.MaxUnpool{rank}d(2)\nx = torch.randn({SHAPES[rank]})\nout = [repr(m), m(*p(x)), m(*p(x), output_size=x.size())]" for rank in (1, 2, 3)},
    "MaxUnpool2d stride": "repr(nn.MaxUnpool2d(3, stride=2, padding=1))",
    "MaxUnpool2d wrong size": "nn.MaxUnpool2d(2)(*nn.MaxPool2d(2, return_indices=True)(torch.randn(1, 4, 4)), output_size=(9, 9))",
    "MaxUnpool2d wrong index": "F.max_unpool2d(torch.ones(1, 2, 2), torch.tensor([[[0, 99], [1, -7]]]), 2)",
    "MaxUnpool3d wrong index": "F.max_unpool3d(torch.ones(1, 1, 1, 2), torch.tensor([[[[0, 99]]]]), 2)",
    "max_pool1d of whole numbers": "F.max_pool1d(torch.arange(8).view(1, 8), 2)",
    "FractionalMaxPool2d neither": "nn.FractionalMaxPool2d(2)",
    "FractionalMaxPool2d both": "nn.FractionalMaxPool2d(2, output_size=3, output_ratio=0.5)",
    "FractionalMaxPool2d ratio": "nn.FractionalMaxPool2d(2, output_ratio=1.5)",
    "FractionalMaxPool3d neither": "nn.FractionalMaxPool3d(2)",
    "AdaptiveAvgPool2d too few": "nn.AdaptiveAvgPool2d((2, 2))(torch.randn(2, 2))",
    "half": "F.max_pool2d(torch.randn(1, 2, 4, 4).half(), 2), F.avg_pool2d(torch.randn(1, 2, 4, 4).bfloat16(), 2)",
    "channels last": "x = torch.randn(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)\nout = [[y, list(y.stride())] for y in (F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 2), F.adaptive_max_pool2d(x, 2))]",
    "gradients": "x = torch.randn(2, 3, 6, 8, requires_grad=True)\ny = F.max_pool2d(x, 3, 2, 1) * F.avg_pool2d(x, 3, 2, 1) * F.adaptive_avg_pool2d(x, (3, 4)) * F.adaptive_max_pool2d(x, (3, 4))\ny.sum().backward()\nout = x.grad",
}

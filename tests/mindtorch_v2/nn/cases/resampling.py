"""Layers and functions that resample and shuffle: text, numbers, checks, warnings."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = {1: "torch.randn(2, 3, 5)", 2: "torch.randn(2, 3, 5, 6)", 3: "torch.randn(1, 2, 3, 4, 5)"}
LAYERS = {
    1: ("Upsample(scale_factor=2)", "Upsample(7, mode='linear', align_corners=True)"),
    2: ("Upsample(scale_factor=2)", "Upsample(scale_factor=(2, 1.5), mode='bilinear')", "Upsample((3, 4), mode='bicubic', align_corners=True)",
        "Upsample(scale_factor=1.7, mode='bilinear', recompute_scale_factor=True)", "Upsample(4, mode='area')", "Upsample(7, mode='nearest-exact')",
        "UpsamplingNearest2d(scale_factor=2)", "UpsamplingBilinear2d((3, 9))", "UpsamplingBilinear2d(scale_factor=2.0)"),
    3: ("Upsample(scale_factor=2)", "Upsample((4, 3, 2), mode='trilinear')"),
}
WRONG = (
    "x", "x, 4, 2", "x, (4,)", "x, scale_factor=(2,)", "x, (4, 4), mode='nearest', align_corners=True", "x, (4, 4), mode='area', align_corners=False", "x, (4, 4), mode='nope'",
    "x, (4, 4), mode='linear'", "x, 4, mode='trilinear'", "x[0], 4, mode='bilinear'", "x[0], 4, mode='bicubic'", "x[None], 4, mode='bicubic'", "x[None], 4, mode='linear'", "x[0, 0], 4",
    "x[0, 0], (4,), mode='linear'", "x, 4, antialias=True", "x[0], 4, mode='linear', antialias=True", "x[None], 4, mode='bilinear', antialias=True", "x, (4, 4), recompute_scale_factor=True",
    "x, (4.5, 4)", "x, ('a', 'b')", "x, scale_factor=-1.", "x, scale_factor=0.1", "x, 0", "x, 4, mode='lanczos'", "x, 4, mode='lanczos', antialias=True, align_corners=True", "x[:, :0], 4", "x.int(), 4",
    "x.int(), 4, mode='bilinear'", "x.half(), 4, mode='bilinear', antialias=True",
)
GRADIENT = "y.backward(torch.linspace(-1, 1, y.numel()).view(y.shape))\nout = [y, x.grad]"

CASES = {
    **{f"{layer} {rank}": f"m = nn.{layer}\nx = {X[rank]}\nout = [repr(m), m(x), list(m.state_dict()), m.__constants__]" for rank, layers in LAYERS.items() for layer in layers},
    **{f"interpolate({call})": f"x = {X[2]}\nout = F.interpolate({call})" for call in WRONG},
    **{f"gradient {mode} {smooth}": f"x = {X[2]}.requires_grad_()\ny = F.interpolate(x, (4, 9), mode={mode!r}, antialias={smooth})\n{GRADIENT}"
       for mode, smooth in (("nearest", False), ("bilinear", False), ("bicubic", False), ("area", False), ("bilinear", True), ("bicubic", True), ("lanczos", True))},
    "size of tensors": f"F.interpolate({X[2]}, [torch.tensor(4), torch.tensor(3)]), F.interpolate({X[2]}, torch.tensor(4))",
    **{name: f"F.{name}({X[2]}, scale_factor=2)" for name in ("upsample", "upsample_nearest", "upsample_bilinear")},
    "a factor that the sizes deny": f"F.interpolate({X[2]}, scale_factor=2.1), F.interpolate({X[1]}, scale_factor=2.1), F.interpolate({X[2]}, scale_factor=1.1)",
    "neighbours of doubles": "[F.interpolate(torch.arange(4.).double().view(1, 1, 4), scale_factor=s, mode=m) for s in (30.5, 22.2) for m in ('nearest', 'nearest-exact')]",
    "overrides": "class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        return [func.__name__, len(args), sorted((kwargs or {}).items(), key=str)]\n"
                 "x = torch.ones(2, 4, 4, 4).as_subclass(T)\ng = torch.zeros(2, 1, 1, 2)\nout = [F.interpolate(x, 2), F.upsample_bilinear(x, 2), F.grid_sample(x, g), F.grid_sample(torch.ones(2, 1, 3, 3), g.as_subclass(T)), F.affine_grid(g.as_subclass(T), (1, 1, 2, 2)), F.pixel_shuffle(x, 2), nn.Upsample(2)(x), nn.ReflectionPad2d(1)(x)]",
    "channels last": f"x = {X[2]}.contiguous(memory_format=torch.channels_last)\nout = [[y, list(y.stride())] for y in (F.interpolate(x, 4), F.interpolate(x, 4, mode='bilinear'), F.interpolate(x, 4, mode='bicubic'))]",
    "meta": "y = F.interpolate(torch.empty(2, 3, 5, 6, device='meta'), scale_factor=1.5, mode='bicubic')\nout = [str(y.device), list(y.shape)]",
    "state of old": "m = nn.Upsample(scale_factor=2)\nstate = dict(m.__dict__)\ndel state['recompute_scale_factor']\nn = nn.Upsample(scale_factor=3)\nn.__setstate__(state)\nout = [n.scale_factor, n.recompute_scale_factor]",
    "grid_sample": f"g = torch.rand(2, 4, 3, 2) * 2.4 - 1.2\nx = {X[2]}\nout = [F.grid_sample(x, g, m, p, c) for m in ('bilinear', 'nearest', 'bicubic') for p in ('zeros', 'border', 'reflection') for c in (True, False)]",
    "grid_sample gradients": f"g = (torch.rand(2, 4, 3, 2).double() * 2.4 - 1.2).requires_grad_()\nx = {X[2]}.double().requires_grad_()\nF.grid_sample(x, g, 'bicubic', align_corners=True).pow(2).sum().backward()\nout = [x.grad, g.grad]",
    "grid_sample twice": f"g = (torch.rand(2, 4, 3, 2).double() * 2 - 1).requires_grad_()\nx = {X[2]}.double().requires_grad_()\na, b = torch.autograd.grad(F.grid_sample(x, g, align_corners=True).pow(2).sum(), [x, g], create_graph=True)\n(a.pow(2).sum() + b.pow(2).sum()).backward()\nout = [x.grad, g.grad]",
    "grid_sample warns": f"F.grid_sample({X[2]}, torch.zeros(2, 1, 1, 2))",
    "grid_sample wrong mode": f"F.grid_sample({X[2]}, torch.zeros(2, 1, 1, 2), 'cubic')",
    "grid_sample wrong padding": f"F.grid_sample({X[2]}, torch.zeros(2, 1, 1, 2), padding_mode='wrap')",
    "grid modes": "F.GRID_SAMPLE_INTERPOLATION_MODES, F.GRID_SAMPLE_PADDING_MODES",
    "affine_grid warns": "F.affine_grid(torch.eye(2, 3)[None], (1, 1, 2, 2))",
    "affine_grid of one": "F.affine_grid(torch.eye(2, 3)[None], (1, 1, 1, 2), align_corners=True)",
    "affine_grid turned": "t = torch.tensor([[[0., -1., 0.5], [1., 0., 0.]]], requires_grad=True)\nF.affine_grid(t, (1, 1, 2, 3), align_corners=False).pow(2).sum().backward()\nout = t.grad",
    "affine_grid of ints": "F.affine_grid(torch.ones(1, 2, 3).int(), (1, 1, 2, 2), align_corners=True)",
    "affine_grid of lines": "F.affine_grid(torch.ones(1, 2, 3), (1, 1, 2), align_corners=True)",
    "affine_grid of wrong maps": "F.affine_grid(torch.ones(1, 3, 3), (1, 1, 2, 2), align_corners=True)",
    "affine_grid of nothing": "F.affine_grid(torch.ones(1, 2, 3), (1, 1, 0, 2), align_corners=True)",
    **{layer: f"m = nn.{layer}\nx = torch.randn(2, 8, 4, 6)\nout = [repr(m), m(x), m(x[0]), m.__constants__]" for layer in ("PixelShuffle(2)", "PixelUnshuffle(2)", "ChannelShuffle(2)")},
    "PixelShuffle of too few": "nn.PixelShuffle(3)(torch.randn(1, 8, 2, 2))",
    "ChannelShuffle of too few": "nn.ChannelShuffle(3)(torch.randn(1, 8, 2, 2))",
    "native_channel_shuffle backward": "F.native_channel_shuffle(torch.randn(1, 4, 2, 2, requires_grad=True), 2).sum().backward()",
}

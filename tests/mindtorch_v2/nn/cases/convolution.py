"""Convolutions, Fold, Unfold and lazy layers: text, first weights, numbers, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

LINE = "x = torch.arange(30.0).reshape(2, 3, 5) / 10\n"
IMAGE = "x = torch.arange(120.0).reshape(2, 3, 4, 5) / 50\n"
FOUR = "x = torch.arange(160.0).reshape(2, 4, 4, 5) / 50\n"
VOLUME = "x = torch.arange(192.0).reshape(2, 2, 3, 4, 4) / 90\n"
LAYERS = {
    LINE: ("Conv1d(3, 4, 3)", "Conv1d(3, 2, 2, stride=2, padding=1, bias=False)", "Conv1d(3, 4, 3, padding='same')",
           "Conv1d(3, 3, 3, padding=1, groups=3, padding_mode='circular')", "Conv1d(3, 2, 3, padding=2, padding_mode='reflect')",
           "ConvTranspose1d(3, 4, 3)", "ConvTranspose1d(3, 2, 3, 2, 1, 1, bias=False)", "LazyConv1d(4, 3)", "LazyConvTranspose1d(2, 3)",
           "LazyLinear(4)", "LazyLinear(2, bias=False)"),
    IMAGE: ("Conv2d(3, 4, 3)", "Conv2d(3, 4, (3, 2), (2, 1), (1, 0), (1, 2))", "Conv2d(3, 4, 3, padding='valid')", "Conv2d(3, 2, 3, padding='same', padding_mode='replicate')",
            "Conv2d(3, 2, 3, padding=(1, 2), padding_mode='reflect')", "Conv2d(3, 2, (3, 2), padding='same', padding_mode='circular')", "Conv2d(3, 2, 1, device='cpu', dtype=torch.float64).float()",
            "ConvTranspose2d(3, 4, 3)", "ConvTranspose2d(3, 4, 3, 2, 1, 1)", "LazyConv2d(4, 3)", "LazyConv2d(2, (3, 2), padding=1, bias=False)",
            "LazyConvTranspose2d(2, 3, stride=2)", "Unfold(2)", "Unfold((2, 3), dilation=1, padding=1, stride=(1, 2))"),
    FOUR: ("Conv2d(4, 6, 3, groups=2)", "Conv2d(4, 4, 3, 1, 1, 1, 4, False)", "ConvTranspose2d(4, 6, 3, groups=2, dilation=2)", "LazyConv2d(4, 3, groups=2)"),
    VOLUME: ("Conv3d(2, 3, 2)", "Conv3d(2, 3, 3, padding=1, padding_mode='replicate')", "ConvTranspose3d(2, 3, 2)", "LazyConv3d(3, 2)", "LazyConvTranspose3d(2, 2)"),
}
MISTAKES = ("Conv2d(3, 4, 3, groups=2)", "Conv2d(4, 3, 3, groups=2)", "Conv2d(3, 4, 3, groups=0)", "Conv2d(3, 4, 3, padding='same', stride=2)",
            "ConvTranspose2d(3, 4, 3, padding_mode='reflect')", "Conv2d(0, 4, 3)", "Conv2d(3, 4, 3)(torch.ones(5, 5))", "Conv2d(3, 4, 3)(torch.ones(1, 2, 5, 5))",
            "ConvTranspose2d(3, 4, 3, stride=2)(torch.ones(1, 3, 4, 4), output_size=(12, 10))", "ConvTranspose2d(3, 4, 3)(torch.ones(1, 3, 4, 4), output_size=(12, 10, 1))",
            "LazyConv2d(4, 3)(torch.ones(2, 2))", "LazyConv2d(4, 3, groups=2)(torch.ones(1, 3, 4, 4))", "LazyConv2d(4, 3).weight.shape", "Fold((4, 5), 2)(torch.ones(1, 4, 5))")

CASES = {
    **{n: x + f"m = nn.{n}\ny = m(x)\nout = [repr(m), y, list(m.state_dict()), list(m.parameters())]" for x, names in LAYERS.items() for n in names},
    **{f"mistake {n}": f"out = nn.{n}" for n in MISTAKES},
    "Fold": "m = nn.Fold((4, 5), 2, stride=1)\nout = [repr(m), m(torch.arange(48.0).reshape(1, 4, 12))]",
    "output_size": "m = nn.ConvTranspose2d(3, 4, 3, stride=2)\nout = [list(m(torch.ones(1, 3, 4, 4), output_size=s).shape) for s in ((9, 10), (1, 4, 10, 10))]",
    "unbatched": "out = nn.Conv2d(3, 2, 3)(torch.ones(3, 4, 5))",
    "gradients": IMAGE + "m = nn.Conv2d(3, 2, 3)\nm(x).sum().backward()\nout = [p.grad for p in m.parameters()]",
    "reversed padding": "out = [list(nn.Conv2d(4, 4, (3, 2), padding=p)._reversed_padding_repeated_twice) for p in ((1, 2), 'same', 'valid')]",
    "lazy repr": "out = [repr(m) for m in (nn.LazyConv2d(4, 3), nn.LazyLinear(2), nn.LazyConvTranspose1d(4, 3))]",
    "lazy parameters": "m = nn.LazyLinear(2)\nout = [repr(m.weight), m.has_uninitialized_params(), m.weight.requires_grad, str(m.weight.dtype), list(m.state_dict())]",
    "lazy becomes": "m = nn.LazyConv2d(4, 3)\nm(torch.ones(1, 3, 4, 4))\nout = [type(m).__name__, m.in_channels, len(m._forward_pre_hooks), hasattr(m, '_load_hook'), type(m.weight).__name__]",
    "lazy sequence": "m = nn.Sequential(nn.LazyConv2d(2, 3), nn.Flatten(), nn.LazyLinear(3))\nout = [m(torch.ones(1, 3, 4, 4)), repr(m)]",
    "lazy loads": "m = nn.LazyLinear(2)\nm.load_state_dict(nn.Linear(3, 2).state_dict())\nout = [repr(m), m.weight, m(torch.ones(1, 3)), repr(m)]",
    "lazy into initialized": "nn.Linear(3, 2).load_state_dict(nn.LazyLinear(2).state_dict())",
    "lazy type": "m = nn.LazyLinear(2).to(torch.float64)\nout = [repr(m.weight), m(torch.ones(1, 3, dtype=torch.float64))]",
    "lazy copy": "import copy\nm = copy.deepcopy(nn.LazyLinear(2))\nout = [repr(m), repr(m.weight)]",
    "lazy pickle": "import pickle\nm = pickle.loads(pickle.dumps(nn.LazyLinear(2)))\nout = [repr(m), repr(m.weight), m(torch.ones(1, 3)), repr(m)]",
    "materialize": "p = nn.parameter.UninitializedParameter()\np.materialize((2, 3))\nout = [type(p).__name__, list(p.shape), p.requires_grad]",
    "buffer": "b = nn.parameter.UninitializedBuffer()\nt = repr(b)\nb.materialize((2,))\nout = [t, type(b).__name__, list(b.shape), b.requires_grad]",
    "is_lazy": "out = [nn.parameter.is_lazy(p) for p in (nn.LazyLinear(2).weight, nn.Linear(3, 2).weight)]",
}

"""Instance norms, lazy norms, SyncBatchNorm and norms over neighbouring channels: text, numbers, gradients, states, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

SHAPES = {
    "InstanceNorm1d": ("2, 3, 5", "3, 5"),
    "InstanceNorm2d": ("2, 3, 4, 4", "3, 4, 2"),
    "InstanceNorm3d": ("2, 3, 2, 3, 2", "3, 2, 3, 2"),
    "SyncBatchNorm": ("4, 3", "2, 3, 4, 4"),
}
OPTIONS = ("3", "3, affine=True", "3, affine=True, bias=False", "3, track_running_stats=True", "3, 0.1, 0.5, True, True", "3, momentum=None, track_running_stats=True")
TRAINED = ("m, x = nn.{layer}, torch.randn({shape}, requires_grad=True)\nm(x)\ny = m(x)\n(y * y * y).sum().backward()\n"
           "out = [repr(m), y, x.grad, [p.grad for p in m.parameters()], m.state_dict(), dict(m.state_dict()._metadata), m.eval()(x)]")
LAZY = ("m, x = nn.{layer}, torch.randn({shape}, requires_grad=True)\nbefore = [repr(m), repr(m.state_dict()), repr(list(m.named_parameters())), m.has_uninitialized_params()]\n"
        "y = m(x)\ny.pow(3).sum().backward()\nout = [before, repr(m), type(m).__name__, y, x.grad, [p.grad for p in m.parameters()], m.state_dict(), list(vars(m))]")
SECOND = ("x = torch.randn(2, 3, 4, requires_grad=True, dtype=torch.float64)\nm = nn.{layer}.double()\ny = m(x)\n"
          "g, = torch.autograd.grad(y.pow(3).sum(), x, create_graph=True)\ng.pow(2).sum().backward()\nout = [g.detach(), x.grad, [p.grad for p in m.parameters()]]")
META = "m = nn.{layer}\nx = torch.empty({shape}, device='meta')\ny = m(x)\nout = [tuple(y.shape), str(y.device), y.stride(), [(str(t.device), str(t.dtype)) for t in m.state_dict().values()]]"
LRN = ("x = torch.randn({shape}, requires_grad=True)\nm = nn.{layer}\ny = m(x)\ny.pow(2).sum().backward()\nout = [repr(m), y, x.grad, list(m.state_dict())]")
LRNS = {"2, 5, 3, 4": ("LocalResponseNorm(2)", "LocalResponseNorm(3, 0.5, 0.6, 2.0)", "LocalResponseNorm(5, alpha=1)", "LocalResponseNorm(1)",
                       "CrossMapLRN2d(2)", "CrossMapLRN2d(3, 0.5, 0.6, 2.0)", "CrossMapLRN2d(5)", "CrossMapLRN2d(1, 0.1)", "CrossMapLRN2d(4, 0.1)", "CrossMapLRN2d(7, 0.2)"),
        "2, 5, 3": ("LocalResponseNorm(2)", "LocalResponseNorm(3, 0.5, 0.6, 2.0)", "CrossMapLRN2d(2)"),
        "2, 3, 2, 3, 2": ("LocalResponseNorm(3, 0.3)",), "2, 3": ("LocalResponseNorm(3)",), "0, 3, 4, 4": ("LocalResponseNorm(3)", "CrossMapLRN2d(3)"),
        "2, 0, 4, 4": ("LocalResponseNorm(3)", "CrossMapLRN2d(3)")}

CASES = {
    **{f"{layer}({options}) of {shape}": TRAINED.format(layer=f"{layer}({options})", shape=shape) for layer, shapes in SHAPES.items() for shape in shapes for options in OPTIONS},
    **{f"Lazy{layer}({options}) of {shape}": LAZY.format(layer=f"Lazy{layer}({options})", shape=shape)
       for layer, shape in (("BatchNorm1d", "4, 3"), ("BatchNorm2d", "2, 3, 2, 2"), ("BatchNorm3d", "2, 3, 2, 1, 2"), ("InstanceNorm1d", "2, 3, 4"), ("InstanceNorm2d", "2, 3, 2, 2"), ("InstanceNorm3d", "2, 3, 2, 1, 2"))
       for options in ("", "affine=False", "bias=False", "track_running_stats=False", "0.1, 0.5")},
    **{f"second gradients of {layer}": SECOND.format(layer=layer) for layer in ("InstanceNorm1d(3)", "InstanceNorm1d(3, affine=True)", "SyncBatchNorm(3)")},
    **{f"{layer} on meta": META.format(layer=layer, shape=shape) for layer, shape in (
        ("InstanceNorm2d(3, affine=True, track_running_stats=True, device='meta')", "2, 3, 4, 4"), ("InstanceNorm1d(3)", "2, 3, 4"), ("InstanceNorm1d(3)", "3, 4"),
        ("SyncBatchNorm(3, device='meta')", "2, 3"), ("LocalResponseNorm(3)", "2, 3, 4"), ("LocalResponseNorm(3)", "2, 3, 4, 4"), ("LazyBatchNorm1d(device='meta')", "2, 3"), ("CrossMapLRN2d(3)", "2, 3, 4, 4"))},
    **{f"{layer} of {shape}": LRN.format(layer=layer, shape=shape) for shape, layers in LRNS.items() for layer in layers},
    **{f"InstanceNorm2d of {kind}": f"m = nn.InstanceNorm2d(3, affine=True, track_running_stats=True, dtype=torch.{kind})\nx = torch.randn(2, 3, 4, 4).to(torch.{kind}).requires_grad_()\ny = m(x); y.sum().backward()\nout = [y, x.grad.shape, m.state_dict()]" for kind in ("float64", "float16")},
    "InstanceNorm2d mixed": "m = nn.InstanceNorm2d(3, affine=True)\nout = m(torch.randn(2, 3, 4, 4).to(torch.bfloat16))",
    "InstanceNorm1d of integers": "nn.InstanceNorm1d(3)(torch.ones(2, 3, 4, dtype=torch.int64))",
    "InstanceNorm2d channels last": "m = nn.InstanceNorm2d(3, affine=True)\nx = torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last).requires_grad_()\ny = m(x); y.pow(3).sum().backward()\nout = [y, y.stride(), x.grad, x.grad.stride()]",
    "InstanceNorm1d transposed": "m = nn.InstanceNorm1d(3)\nx = torch.randn(2, 5, 3, requires_grad=True)\ny = m(x.transpose(1, 2)); y.pow(3).sum().backward()\nout = [y, y.stride(), x.grad]",
    "InstanceNorm1d empty batch": "m = nn.InstanceNorm1d(3)\nout = m(torch.randn(0, 3, 5))",
    "InstanceNorm1d tracking empty batch": "m = nn.InstanceNorm1d(3, track_running_stats=True)\nout = [m(torch.randn(0, 3, 5)), m.state_dict()]",
    "InstanceNorm1d no elements": "nn.InstanceNorm1d(3)(torch.randn(2, 3, 0))",
    "InstanceNorm1d of one": "nn.InstanceNorm1d(3)(torch.ones(2, 3, 1))",
    "InstanceNorm1d of one in eval": "nn.InstanceNorm1d(3, track_running_stats=True).eval()(torch.ones(2, 3, 1))",
    "InstanceNorm1d of a vector": "nn.InstanceNorm1d(3)(torch.ones(3))",
    "InstanceNorm1d of an image": "nn.InstanceNorm1d(3)(torch.ones(1, 3, 4, 4))",
    "InstanceNorm2d of a matrix": "nn.InstanceNorm2d(3)(torch.ones(2, 3))",
    "InstanceNorm3d of a vector": "nn.InstanceNorm3d(3)(torch.ones(3))",
    "InstanceNorm1d other channels": "nn.InstanceNorm1d(3)(torch.randn(2, 4, 5))",
    "InstanceNorm1d other channels unbatched": "nn.InstanceNorm1d(3)(torch.randn(4, 5))",
    "InstanceNorm1d other channels affine": "nn.InstanceNorm1d(3, affine=True)(torch.randn(2, 4, 5))",
    "InstanceNorm1d other channels tracking": "nn.InstanceNorm1d(3, track_running_stats=True)(torch.randn(2, 4, 5))",
    "an older state of InstanceNorm": "m = nn.InstanceNorm1d(2)\nout = m.load_state_dict({'running_mean': torch.zeros(2), 'running_var': torch.ones(2)})",
    "an older state of a tracking InstanceNorm": "m = nn.InstanceNorm1d(2, track_running_stats=True)\nout = [str(m.load_state_dict({'running_mean': torch.ones(2), 'running_var': torch.ones(2)})), m.state_dict()]",
    "SyncBatchNorm of a vector": "nn.SyncBatchNorm(3)(torch.ones(3))",
    "SyncBatchNorm without channels": "nn.SyncBatchNorm(3)(torch.ones(3, 0))",
    "SyncBatchNorm of one value a channel": "nn.SyncBatchNorm(3)(torch.ones(1, 3))",
    "convert_sync_batchnorm": "m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ModuleDict({'a': nn.BatchNorm2d(2, affine=False), 'b': nn.BatchNorm1d(3, bias=False), 'c': nn.InstanceNorm1d(2)}))\nm[1].eval(); w = m[1].weight\n"
                              "s = nn.SyncBatchNorm.convert_sync_batchnorm(m)\nout = [repr(s), s is m, s[1].weight is w, s[1].training, s[2]['a'].training, s.state_dict(), s[1].process_group, s(torch.randn(2, 2)) if False else None]",
    "convert_sync_batchnorm of one": "b = nn.BatchNorm1d(3)\ns = nn.SyncBatchNorm.convert_sync_batchnorm(b, 'group')\nout = [repr(s), s is b, s.weight is b.weight, s.running_mean is b.running_mean, s.process_group]",
    "a lazy norm in a network": "m = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.ReLU())\nfirst = repr(m)\ny = m(torch.randn(3, 5))\nout = [first, repr(m), y, m.state_dict()]",
    "a lazy norm loads": "m = nn.LazyBatchNorm1d()\nb = nn.BatchNorm1d(3)\nb(torch.randn(4, 3))\nr = str(m.load_state_dict(b.state_dict()))\nout = [r, repr(m), m.state_dict(), repr(m.weight)]",
    "a lazy norm loads a lazy norm": "m = nn.LazyBatchNorm1d()\nout = [str(m.load_state_dict(nn.LazyBatchNorm1d().state_dict())), repr(m.running_mean)]",
    "a norm loads a lazy norm": "nn.BatchNorm1d(3).load_state_dict(nn.LazyBatchNorm1d().state_dict())",
    "a lazy norm of a wrong shape": "nn.LazyBatchNorm1d()(torch.ones(3, 3, 3, 3))",
    "a lazy norm in float64": "m = nn.LazyInstanceNorm1d().double()\nm(torch.randn(2, 3, 4, dtype=torch.float64))\nout = m.state_dict()",
    "a lazy norm, copied": "import copy\nm = copy.deepcopy(nn.LazyBatchNorm1d(track_running_stats=False))\nm(torch.randn(4, 3))\nout = m.state_dict()",
    "UninitializedParameter": "p = nn.UninitializedParameter()\nout = [repr(p), p.requires_grad, str(p.dtype), str(p.device), isinstance(p, nn.Parameter), isinstance(p, nn.parameter.UninitializedTensorMixin), nn.parameter.is_lazy(p), p.cls_to_become.__name__, type(p).__module__]",
    "UninitializedParameter shape": "nn.UninitializedParameter().shape",
    "UninitializedParameter add": "nn.UninitializedParameter() + 1",
    "UninitializedBuffer add": "nn.UninitializedBuffer() + 1",
    "UninitializedParameter share": "nn.UninitializedParameter().share_memory_()",
    "UninitializedParameter materialize": "p = nn.UninitializedParameter(requires_grad=False, dtype=torch.float64)\np.materialize((2, 3))\nq = nn.UninitializedParameter()\nq.materialize((2,), dtype=torch.float16)\nr = nn.UninitializedParameter()\nr.materialize(4, device='meta')\nout = [[type(t).__name__, t.shape, str(t.dtype), t.requires_grad, str(t.device)] for t in (p, q, r)]",
    "UninitializedBuffer": "b = nn.UninitializedBuffer(dtype=torch.float64, persistent=False)\nr = [repr(b), b.requires_grad, b.persistent, isinstance(b, nn.Buffer), isinstance(b, nn.Parameter)]\nb.materialize((2,))\nout = [r, type(b).__name__, b.shape, str(b.dtype)]",
    "UninitializedParameter copied": "import copy, pickle\np = nn.UninitializedParameter(False, dtype=torch.float64)\nq = copy.deepcopy(p)\nr = pickle.loads(pickle.dumps(p))\nout = [repr(q), q.requires_grad, str(q.dtype), repr(r), r.requires_grad, str(r.dtype)]",
    "UninitializedParameter converted": "p = nn.UninitializedParameter()\nout = [str(p.data.dtype), str(p.double().dtype), str(p.to(torch.float16).dtype), p.is_floating_point(), p.is_complex(), p.get_device(), p.size(), hash(p) == id(p)]",
}

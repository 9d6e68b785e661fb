"""weight_norm, spectral_norm and parametrizations: text, numbers, gradients, states, copies, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

U = "U = nn.utils; P = nn.utils.parametrize; Q = nn.utils.parametrizations\n"
LAYERS = {"nn.Linear(3, 4)": "2, 3", "nn.Conv2d(2, 3, 2)": "1, 2, 4, 4", "nn.ConvTranspose1d(2, 3, 2)": "1, 2, 4"}
USED = ("x = torch.randn({shape})\ny = m(x)\ny.pow(2).sum().backward()\nt = m.eval()(x)\n"
        "out = [repr(m), y, t, [[n, p, p.grad] for n, p in m.named_parameters()], list(m.named_buffers()), m.state_dict(), [[k, repr(v)] for k, v in m.state_dict()._metadata.items()], m.weight]")
SIMPLE = U + """
class Twice(nn.Module):
    def forward(self, x): return 2 * x
    def right_inverse(self, x): return x / 2
class Plain(nn.Module):
    def forward(self, x): return x + 1
class Pair(nn.Module):
    def forward(self, a, b): return a + b
    def right_inverse(self, x): return x, torch.zeros_like(x)
class Wrong(nn.Module):
    def __init__(self, forward, inverse=None):
        super().__init__(); self.f = forward; self.i = inverse
        if inverse is not None: self.right_inverse = inverse
    def forward(self, *x): return self.f(*x)
m = nn.Linear(2, 2)
"""

CASES = {
    **{f"{norm} of {layer}": f"{U}m = {norm.format(layer)}\n" + USED.format(shape=shape) for layer, shape in LAYERS.items()
       for norm in ("U.weight_norm({})", "U.weight_norm({}, dim=1)", "U.weight_norm({}, dim=None)", "U.spectral_norm({})", "U.spectral_norm({}, n_power_iterations=3, eps=0.1)",
                    "Q.weight_norm({})", "Q.weight_norm({}, dim=1)", "Q.weight_norm({}, dim=None)", "Q.spectral_norm({})", "Q.spectral_norm({}, n_power_iterations=2, dim=1)")},
    "weight_norm of a bias": U + "m = U.weight_norm(nn.Linear(2, 3), 'bias')\nout = [repr(m), list(m.state_dict())]",
    "weight_norm twice": U + "U.weight_norm(U.weight_norm(nn.Linear(2, 3)))",
    "weight_norm of nothing": U + "U.weight_norm(nn.Linear(2, 3), 'other')",
    "weight_norm lazy": U + "U.weight_norm(nn.LazyLinear(2))",
    "remove_weight_norm": U + "m = U.weight_norm(nn.Linear(2, 3))\nw = m.weight\nm = U.remove_weight_norm(m)\nout = [w, m.weight, list(m.state_dict()), repr(m), len(m._forward_pre_hooks)]",
    "remove_weight_norm of nothing": U + "U.remove_weight_norm(nn.Linear(2, 3))",
    "WeightNorm": U + "import importlib\nW = importlib.import_module(torch.__name__ + '.nn.utils.weight_norm').WeightNorm\nw = W('weight', None)\nout = [w.name, w.dim]",
    "spectral_norm twice": U + "U.spectral_norm(U.spectral_norm(nn.Linear(2, 3)))",
    "spectral_norm of nothing": U + "U.spectral_norm(nn.Linear(2, 3), 'other')",
    "spectral_norm of None": U + "U.spectral_norm(nn.Linear(2, 3, bias=False), 'bias')",
    "spectral_norm lazy": U + "U.spectral_norm(nn.LazyLinear(2))",
    "spectral_norm iterations": U + "U.spectral_norm(nn.Linear(2, 3), n_power_iterations=0)",
    "spectral_norm two forwards": U + "m = U.spectral_norm(nn.Linear(2, 3))\nx = torch.randn(4, 2)\nl = m(x).sum() - m(x * 2).pow(2).sum()\nl.backward()\nout = [m.weight_orig.grad, m.weight_u, m.weight_v]",
    "spectral_norm loads": U + "m = U.spectral_norm(nn.Linear(2, 3)); n = U.spectral_norm(nn.Linear(2, 3))\nm(torch.randn(1, 2))\nr = str(n.load_state_dict(m.state_dict()))\nout = [r, n.weight_u, n.weight_orig]",
    "spectral_norm loads without version": U + "m = U.spectral_norm(nn.Linear(2, 3))\nout = str(m.load_state_dict(dict(m.state_dict())))",
    "spectral_norm loads too little": U + "m = U.spectral_norm(nn.Linear(2, 3))\nm.load_state_dict({'bias': torch.zeros(3)})",
    "remove_spectral_norm": U + "m = U.spectral_norm(nn.Linear(2, 3))\nm(torch.randn(1, 2))\nm = U.remove_spectral_norm(m)\nout = [m.weight, list(m.state_dict()), repr(m), len(m._forward_pre_hooks), len(m._state_dict_hooks)]",
    "remove_spectral_norm of nothing": U + "U.remove_spectral_norm(nn.Linear(2, 3))",
    "copies": U + "import copy\nm = U.spectral_norm(nn.Linear(2, 3)); c = copy.deepcopy(m)\nout = [c.state_dict(), c(torch.ones(1, 2))]",
    "weight_norm copied": U + "import copy\nm = U.weight_norm(nn.Linear(2, 3))\ncopy.deepcopy(m)",

    "register_parametrization": SIMPLE + "w = m.weight\nr = P.register_parametrization(m, 'weight', Twice())\nout = [r is m, repr(m), m.weight, m.parametrizations.weight.original, m.parametrizations.weight.original is w, m.state_dict(), type(m).__name__, type(m).__mro__[1].__name__, [n for n, _ in m.named_parameters()], isinstance(m, nn.Linear), P.is_parametrized(m), P.is_parametrized(m, 'weight'), P.is_parametrized(m, 'bias'), P.type_before_parametrizations(m).__name__, m(torch.ones(1, 2))]",
    "two parametrizations": SIMPLE + "P.register_parametrization(m, 'weight', Twice()); P.register_parametrization(m, 'weight', Plain()); P.register_parametrization(m, 'bias', Twice())\nm(torch.ones(1, 2)).sum().backward()\nout = [repr(m), m.weight, list(m.state_dict()), [p.grad for p in m.parameters()]]",
    "a parametrization without inverse": SIMPLE + "P.register_parametrization(m, 'weight', Plain())\nout = [m.weight, m.parametrizations.weight.original]",
    "assigning": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nm.weight = torch.ones(2, 2)\nout = [m.weight, m.parametrizations.weight.original]",
    "assigning a parameter": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nm.weight = nn.Parameter(torch.ones(2, 2))",
    "assigning without inverse": SIMPLE + "P.register_parametrization(m, 'weight', Plain())\nm.weight = torch.ones(2, 2)",
    "assigning another type": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nm.weight = torch.ones(2, 2, dtype=torch.float64)",
    "assigning a pair": SIMPLE + "P.register_parametrization(m, 'weight', Pair())\nm.weight = torch.ones(2, 2)\nout = [m.weight, m.state_dict()]",
    "a pair": SIMPLE + "P.register_parametrization(m, 'weight', Pair())\nl = m.parametrizations.weight\nout = [repr(m), m.weight, l.is_tensor, l.ntensors, l.unsafe, hasattr(l, 'original'), [[n, p.requires_grad] for n, p in m.named_parameters()]]",
    "a pair, frozen": SIMPLE + "m.weight.requires_grad_(False)\nP.register_parametrization(m, 'weight', Pair())\nout = [[n, p.requires_grad] for n, p in m.named_parameters()]",
    "a buffer": SIMPLE + "b = nn.BatchNorm1d(2)\nP.register_parametrization(b, 'running_mean', Twice())\nout = [repr(b), list(b.state_dict()), [n for n, _ in b.named_buffers()], b.running_mean]",
    "a pair of buffers": SIMPLE + "b = nn.BatchNorm1d(2)\nP.register_parametrization(b, 'running_mean', Pair())\nout = [list(b.state_dict()), [n for n, _ in b.named_buffers()]]",
    "no such name": SIMPLE + "P.register_parametrization(m, 'other', Twice())",
    "other shape": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x[0]))",
    "other type": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x.double()))",
    "no tensor": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: 1))",
    "inverse no tensor": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x, lambda x: 1))",
    "inverse no tensors": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x, lambda x: (x, 1)))",
    "inverse other type": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x, lambda x: x.double()))",
    "inverse other device": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x, lambda x: x.to('meta')))",
    "unsafe": SIMPLE + "P.register_parametrization(m, 'weight', Wrong(lambda x: x[0]), unsafe=True)\nout = [m.weight, m.parametrizations.weight.unsafe]",
    **{f"second {name}": SIMPLE + f"P.register_parametrization(m, 'weight', Twice())\nP.register_parametrization(m, 'weight', {wrong})" for name, wrong in {
        "other shape": "Wrong(lambda x: x[0])", "other type": "Wrong(lambda x: x.double())", "no tensor": "Wrong(lambda x: 1)", "inverse no tensor": "Wrong(lambda x: x, lambda x: 1)",
        "inverse other type": "Wrong(lambda x: x, lambda x: x.double())", "inverse other shape": "Wrong(lambda x: x, lambda x: x[0])"}.items()},
    "second unsafe": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nP.register_parametrization(m, 'weight', Wrong(lambda x: x[0]), unsafe=True)\nout = [m.weight, m.parametrizations.weight.unsafe]",
    "right_inverse of too few": SIMPLE + "p = Pair()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: (x,)\nm.weight = torch.ones(2, 2)",
    "right_inverse of one": SIMPLE + "p = Pair()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: x\nm.weight = torch.ones(2, 2)",
    "right_inverse of a number": SIMPLE + "p = Pair()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: 1\nm.weight = torch.ones(2, 2)",
    "right_inverse of numbers": SIMPLE + "p = Pair()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: (x, 2)\nm.weight = torch.ones(2, 2)",
    "right_inverse of other types": SIMPLE + "p = Pair()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: (x, x.double())\nm.weight = torch.ones(2, 2)",
    "right_inverse later a number": SIMPLE + "p = Twice()\nP.register_parametrization(m, 'weight', p)\np.right_inverse = lambda x: 1\nm.weight = torch.ones(2, 2)",
    "right_inverse not implemented": SIMPLE + "def no(x): raise NotImplementedError\nP.register_parametrization(m, 'weight', Wrong(lambda x: x + 1, no))\nout = m.weight",
    "ParametrizationList of none": U + "P.ParametrizationList([], torch.ones(1))",
    "cached": SIMPLE + "calls = []\nclass Counted(nn.Module):\n    def forward(self, x):\n        calls.append(1); return x * 2\nP.register_parametrization(m, 'weight', Counted())\nn = len(calls)\nm.weight; m.weight\na = len(calls)\nwith P.cached():\n    u = m.weight; v = m.weight\n    with P.cached(): w = m.weight\nb = len(calls)\nm.weight\nout = [n, a, b, len(calls), u is v, u is w, P._cache, P._cache_enabled]",
    "remove_parametrizations": SIMPLE + "w = m.weight\nP.register_parametrization(m, 'weight', Twice())\nP.remove_parametrizations(m, 'weight')\nout = [repr(m), type(m).__name__, m.weight, m.weight is w, m.state_dict(), hasattr(m, 'parametrizations')]",
    "remove_parametrizations leaving": SIMPLE + "w = m.weight\nP.register_parametrization(m, 'weight', Twice())\nP.remove_parametrizations(m, 'weight', leave_parametrized=False)\nout = [repr(m), m.weight, m.weight is w]",
    "remove_parametrizations of a pair": SIMPLE + "P.register_parametrization(m, 'weight', Pair())\nP.remove_parametrizations(m, 'weight')\nout = [repr(m), m.weight]",
    "remove_parametrizations of a pair leaving": SIMPLE + "P.register_parametrization(m, 'weight', Pair())\nP.remove_parametrizations(m, 'weight', leave_parametrized=False)",
    "remove_parametrizations of one of two": SIMPLE + "P.register_parametrization(m, 'weight', Twice()); P.register_parametrization(m, 'bias', Twice())\nP.remove_parametrizations(m, 'weight')\nout = [repr(m), type(m).__name__, list(m.state_dict())]",
    "remove_parametrizations of nothing": SIMPLE + "P.remove_parametrizations(m, 'weight')",
    "remove_parametrizations of a buffer": SIMPLE + "b = nn.BatchNorm1d(2)\nP.register_parametrization(b, 'running_mean', Twice())\nP.remove_parametrizations(b, 'running_mean')\nout = [repr(b), list(b.state_dict())]",
    "deepcopy": SIMPLE + "import copy\nP.register_parametrization(m, 'weight', Twice())\nc = copy.deepcopy(m)\nc.weight = torch.ones(2, 2)\nout = [repr(c), c.weight, m.weight, c.parametrizations.weight.original is m.parametrizations.weight.original, type(c) is type(m)]",
    "pickle": SIMPLE + "import pickle\nP.register_parametrization(m, 'weight', Twice())\npickle.dumps(m)",
    "load_state_dict": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nn = nn.Linear(2, 2)\nP.register_parametrization(n, 'weight', Twice())\nout = [str(n.load_state_dict(m.state_dict())), n.weight, m.weight]",
    "load_state_dict of a plain one": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nm.load_state_dict(nn.Linear(2, 2).state_dict())",
    "weight_norm loads the older": U + "m = Q.weight_norm(nn.Linear(2, 3)); o = U.weight_norm(nn.Linear(2, 3))\nout = [str(m.load_state_dict(o.state_dict())), m.weight, o.weight]",
    "transfer": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\nn = nn.Linear(2, 2)\nr = P.transfer_parametrizations_and_params(m, n)\nout = [r is n, repr(n), n.weight, n.parametrizations.weight.original is m.parametrizations.weight.original]",
    "transfer a pair": SIMPLE + "P.register_parametrization(m, 'weight', Pair())\nn = nn.Module()\nP.transfer_parametrizations_and_params(m, n, 'weight')\nout = [repr(n), n.weight, list(n.state_dict())]",
    "transfer nothing": SIMPLE + "n = nn.Linear(2, 2)\nout = repr(P.transfer_parametrizations_and_params(m, n))",
    "train and eval": SIMPLE + "m.eval()\np = Twice()\nP.register_parametrization(m, 'weight', p)\na = p.training\nm.train()\nout = [a, p.training]",
    "is_parametrized": SIMPLE + "out = [P.is_parametrized(m), P.is_parametrized(m, 'weight'), P.type_before_parametrizations(m).__name__]",
    "one class each": SIMPLE + "n = nn.Linear(2, 2)\nP.register_parametrization(m, 'weight', Twice()); P.register_parametrization(n, 'weight', Plain())\nout = [type(m) is type(n), m.weight, n.weight]",
    "optimizing": SIMPLE + "P.register_parametrization(m, 'weight', Twice())\no = torch.optim.SGD(m.parameters(), 0.1)\nm(torch.ones(1, 2)).pow(2).sum().backward(); o.step()\nout = m.weight",
    "to float64": U + "m = Q.spectral_norm(nn.Linear(2, 3)).double()\nout = [str(m.weight.dtype), [str(t.dtype) for t in m.state_dict().values()]]",
    "parametrizations.spectral_norm of a vector": U + "m = Q.spectral_norm(nn.Linear(2, 3), 'bias')\nout = [m.bias, list(m.state_dict())]",
    "parametrizations.spectral_norm of nothing": U + "Q.spectral_norm(nn.Linear(2, 3), 'other')",
    "parametrizations.spectral_norm dim": U + "Q.spectral_norm(nn.Linear(2, 3), dim=3)",
    "parametrizations.spectral_norm dim -1": U + "m = Q.spectral_norm(nn.Linear(2, 3), dim=-1)\nout = [m.state_dict()]",
    "parametrizations.spectral_norm iterations": U + "Q.spectral_norm(nn.Linear(2, 3), n_power_iterations=0)",
    "parametrizations.weight_norm of nothing": U + "Q.weight_norm(nn.Linear(2, 3), 'other')",
    "parametrizations.weight_norm assigned": U + "m = Q.weight_norm(nn.Linear(2, 3))\nm.weight = torch.ones(3, 2)\nout = [m.weight, m.state_dict()]",
    "parametrizations.weight_norm removed": U + "m = Q.weight_norm(nn.Linear(2, 3))\nw = m.weight\nP.remove_parametrizations(m, 'weight')\nout = [w, m.weight, repr(m)]",
    "orthogonal of nothing": U + "Q.orthogonal(nn.Linear(2, 3), 'other')",
    "orthogonal of a vector": U + "Q.orthogonal(nn.Linear(2, 3), 'bias')",
    "orthogonal by what": U + "Q.orthogonal(nn.Linear(2, 3), orthogonal_map='what')",
}

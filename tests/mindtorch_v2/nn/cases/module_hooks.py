"""Hooks of every kind on modules and on all modules, states with hooks, and conversion of modules."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

SETUP = """
import importlib
G = importlib.import_module(torch.__name__ + '.nn.modules.module')
log = []
class M(nn.Module):
    def __init__(self):
        super().__init__(); self.l = nn.Linear(2, 2)
    def forward(self, x, k=1.0):
        if k == 'bad': raise ValueError('bad')
        return self.l(x) * k
m = M(); x = torch.ones(1, 2, requires_grad=True)
def note(tag, ret=None):
    def hook(*a):
        log.append([tag, len(a), [type(i).__name__ for i in a]]); return ret(*a) if ret else None
    return hook
def fails(*a): raise KeyError('hook')
"""
PROGRAMS = {
    "fwd": "m.register_forward_hook(note('f'))\ny = m(x)",
    "fwd change": "m.register_forward_hook(note('f', lambda m, a, o: o * 2))\ny = m(x)",
    "fwd kwargs": "m.register_forward_hook(note('f', lambda m, a, k, o: o + len(k)), with_kwargs=True)\ny = m(x, k=2.0)",
    "fwd order": "m.register_forward_hook(note(1)); m.register_forward_hook(note(2), prepend=True); m.register_forward_hook(note(3))\ny = m(x)",
    "fwd always": "m.register_forward_hook(note('f'), always_call=True)\ntry: m(x, k='bad')\nexcept ValueError as e: y = str(e)",
    "fwd always kwargs": "m.register_forward_hook(note('f'), always_call=True, with_kwargs=True)\ntry: m(x, k='bad')\nexcept ValueError as e: y = str(e)",
    "fwd always fails": "m.register_forward_hook(fails, always_call=True)\ntry: m(x, k='bad')\nexcept ValueError as e: y = str(e)",
    "fwd always both": "m.register_forward_hook(fails); m.register_forward_hook(note('f'), always_call=True)\ntry: m(x)\nexcept KeyError as e: y = str(e)",
    "fwd always first": "m.register_forward_hook(note('f'), always_call=True); m.register_forward_hook(fails)\ntry: m(x)\nexcept KeyError as e: y = str(e)",
    "fwd fails": "m.register_forward_hook(fails)\ny = m(x)",
    "pre": "m.register_forward_pre_hook(note('p'))\ny = m(x)",
    "pre change": "m.register_forward_pre_hook(note('p', lambda m, a: (a[0] * 3,)))\ny = m(x)",
    "pre change one": "m.register_forward_pre_hook(note('p', lambda m, a: a[0] * 3))\ny = m(x)",
    "pre kwargs": "m.register_forward_pre_hook(note('p', lambda m, a, k: (a, {'k': 5.0})), with_kwargs=True)\ny = m(x)",
    "pre kwargs wrong": "m.register_forward_pre_hook(lambda m, a, k: 3, with_kwargs=True)\ny = m(x)",
    "pre kwargs wrong2": "m.register_forward_pre_hook(lambda m, a, k: (1, 2, 3), with_kwargs=True)\ny = m(x)",
    "pre order": "m.register_forward_pre_hook(note(1)); m.register_forward_pre_hook(note(2), prepend=True)\ny = m(x)",
    "remove": "h = m.register_forward_hook(note('f'), with_kwargs=True, always_call=True); h.remove()\ny = m(x)\nlog.append([len(m._forward_hooks), len(m._forward_hooks_with_kwargs), len(m._forward_hooks_always_called)])",
    "remove with": "with m.register_forward_hook(note('f')): m(x)\ny = m(x)",
    "bwd": "m.register_full_backward_hook(note('b'))\ny = m(x); y.sum().backward()",
    "bwd change": "m.register_full_backward_hook(lambda m, i, o: (i[0] * 2,))\nm(x).sum().backward()\ny = x.grad",
    "bwd change wrong": "m.register_full_backward_hook(lambda m, i, o: (i[0], i[0]))\nm(x).sum().backward()",
    "bwd no grad input": "m.register_full_backward_hook(note('b'))\ny = m(torch.ones(1, 2)); y.sum().backward()",
    "bwd no grad input ret": "m.register_full_backward_hook(lambda m, i, o: (x,))\ny = m(torch.ones(1, 2)); y.sum().backward()",
    "bwd pre": "m.register_full_backward_pre_hook(note('bp'))\ny = m(x); y.sum().backward()",
    "bwd pre change": "m.register_full_backward_pre_hook(lambda m, o: (o[0] * 3,))\nm(x).sum().backward()\ny = x.grad",
    "bwd pre wrong": "m.register_full_backward_pre_hook(lambda m, o: (o[0], 1))\nm(x).sum().backward()",
    "bwd order": "m.register_full_backward_hook(note(1)); m.register_full_backward_hook(note(2), prepend=True); m.register_full_backward_pre_hook(note(3)); m.register_full_backward_pre_hook(note(4), prepend=True)\ny = m(x); y.sum().backward()",
    "bwd old": "m.register_backward_hook(note('o'))\ny = m(x); y.sum().backward()",
    "bwd old linear": "m.l.register_backward_hook(note('o'))\ny = m(x); y.sum().backward()",
    "bwd both": "m.register_backward_hook(note('o')); m.register_full_backward_hook(note('b'))",
    "bwd both2": "m.register_full_backward_hook(note('o')); m.register_backward_hook(note('b'))",
    "bwd dict": "class D(nn.Module):\n    def forward(self, x): return {'a': x * 2}\nd = D(); d.register_full_backward_hook(note('d'))\ny = d(x)['a']; y.sum().backward()",
    "bwd tuple": "class D(nn.Module):\n    def forward(self, x): return x * 2, 3, x + 1\nd = D(); d.register_full_backward_hook(note('d'))\ny = d(x)[0]; y.sum().backward()",
    "bwd inplace": "d = nn.ReLU(inplace=True); d.register_full_backward_hook(note('d'))\ny = d(x * 1)\ny.sum().backward()",
    "bwd inplace after": "d = nn.ReLU(); d.register_full_backward_hook(note('d'))\ny = d(x * 1)\ny += 1",
    "bwd create_graph": "m.register_full_backward_hook(note('b'))\ng, = torch.autograd.grad(m(x).pow(2).sum(), x, create_graph=True)\ng.sum().backward()\ny = m.l.weight.grad",
    "bwd no_grad": "m.register_full_backward_hook(note('b'))\nwith torch.no_grad(): y = m(x)",
    "global fwd": "h = G.register_module_forward_hook(note('g'))\ny = m(x); h.remove(); m(x)",
    "global fwd kwargs": "h = G.register_module_forward_hook(note('g'), with_kwargs=True)\ny = m(x, k=2.0); h.remove()",
    "global fwd always": "h = G.register_module_forward_hook(note('g'), always_call=True)\ntry: m(x, k='bad')\nexcept ValueError as e: y = str(e)\nh.remove()",
    "global pre": "h = G.register_module_forward_pre_hook(note('g', lambda m, a: None))\ny = m(x); h.remove(); m(x)",
    "global bwd": "h = G.register_module_full_backward_hook(note('g'))\ny = m(x); y.sum().backward(); h.remove()",
    "global bwd pre": "h = G.register_module_full_backward_pre_hook(note('g'))\ny = m(x); y.sum().backward(); h.remove()",
    "global param": "h = G.register_module_parameter_registration_hook(note('g'))\nn = nn.Linear(1, 1); h.remove()\ny = n.weight",
    "global buffer": "h = G.register_module_buffer_registration_hook(note('g', lambda m, n, b: b + 1))\nn = nn.BatchNorm1d(1); h.remove()\ny = n.running_mean",
    "global module": "h = G.register_module_module_registration_hook(note('g'))\nn = nn.Sequential(nn.ReLU()); h.remove()\ny = repr(n)",
    "sd pre": "m.register_state_dict_pre_hook(note('s'))\nm.l.register_state_dict_pre_hook(note('sl'))\ny = list(m.state_dict())",
    "sd post": "m.register_state_dict_post_hook(note('s', lambda m, d, p, l: d.update({'z': torch.ones(1)})))\ny = list(m.state_dict())",
    "sd post ret": "m.register_state_dict_post_hook(lambda m, d, p, l: d)\ny = list(m.state_dict())",
    "sd old": "m._register_state_dict_hook(lambda m, d, p, l: {'z': 1})\ny = m.state_dict()",
    "sd old twice": "f = note('f')\nm.register_state_dict_post_hook(f); m._register_state_dict_hook(f)",
    "ld pre": "m.register_load_state_dict_pre_hook(note('l'))\ny = str(m.load_state_dict(m.state_dict()))",
    "ld pre old": "m._register_load_state_dict_pre_hook(note('l'))\ny = str(m.load_state_dict(m.state_dict()))",
    "ld pre old with": "m._register_load_state_dict_pre_hook(note('l'), with_module=True)\ny = str(m.load_state_dict(m.state_dict()))",
    "ld post": "m.register_load_state_dict_post_hook(note('l', lambda m, k: k.missing_keys.clear()))\ny = str(m.load_state_dict({}))",
    "ld post ret": "m.register_load_state_dict_post_hook(lambda m, k: 3)\ny = str(m.load_state_dict(m.state_dict()))",
    "extra": "class E(nn.Module):\n    def get_extra_state(self): return {'v': 3}\n    def set_extra_state(self, s): log.append(s)\ne = nn.Sequential(E()); d = e.state_dict()\ny = [repr(d), str(e.load_state_dict(d))]",
    "extra missing": "class E(nn.Module):\n    def get_extra_state(self): return {'v': 3}\n    def set_extra_state(self, s): log.append(s)\nE().load_state_dict({})",
    "extra only get": "class E(nn.Module):\n    def get_extra_state(self): return {'v': 3}\nE().load_state_dict(E().state_dict())",
    "extra only set": "class E(nn.Module):\n    def set_extra_state(self, s): log.append(s)\nE().load_state_dict({'_extra_state': 1})",
    "assign": "n = M(); w = n.l.weight\nd = {k: v.clone() for k, v in m.state_dict().items()}\nn.load_state_dict(d, assign=True)\ny = [n.l.weight is w, n.l.weight.data_ptr() == d['l.weight'].data_ptr(), type(n.l.weight).__name__, n.l.weight.requires_grad]",
    "assign param": "n = M(); n.l.weight.requires_grad_(False)\nd = {'l.weight': nn.Parameter(torch.ones(2, 2)), 'l.bias': nn.Parameter(torch.ones(2))}\nn.load_state_dict(d, assign=True)\ny = [n.l.weight is d['l.weight'], n.l.weight.requires_grad, n.l.bias.requires_grad]",
    "assign dtype": "n = M()\nn.load_state_dict({k: v.double() for k, v in m.state_dict().items()}, assign=True)\ny = str(n.l.weight.dtype)",
    "assign shape": "n = M()\nn.load_state_dict({'l.weight': torch.ones(3, 3), 'l.bias': torch.ones(2)}, assign=True)",
    "assign int": "n = M()\nn.load_state_dict({'l.weight': torch.ones(2, 2, dtype=torch.int64), 'l.bias': torch.ones(2)}, assign=True)",
    "assign buffer": "n = nn.BatchNorm1d(2); d = {k: v + 1 for k, v in nn.BatchNorm1d(2).state_dict().items()}\nn.load_state_dict(d, assign=True)\ny = [n.running_mean is d['running_mean'], n.state_dict()]",
    "copies": "import copy, pickle\nm.register_forward_hook(note('f'))\nc = copy.deepcopy(m); y = c(x)\nlog.append(len(c._forward_hooks))",
    "channels_last": "c = nn.Conv2d(2, 3, 2).to(memory_format=torch.channels_last)\ny = [c.weight.stride(), c.bias.stride()]",
    "channels_last bn": "c = nn.Sequential(nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3)).to(torch.float64, memory_format=torch.channels_last)\ny = [[p.stride(), str(p.dtype)] for p in c.parameters()]",
    "channels_last_3d": "c = nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last_3d)\ny = c.weight.stride()",
    "channels_last 3d w": "c = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Conv3d(2, 3, 2)).to(memory_format=torch.channels_last)\ny = c[0].weight.stride()",
    "call_super_init": "class A:\n    def __init__(self, v): log.append(v)\nclass B(nn.Module, A):\n    call_super_init = True\n    def __init__(self): super().__init__(5)\nB(); y = 1",
    "callable attr": "m.forward = lambda x: x * 2\ny = m(x)",
    "apply": "m.apply(lambda k: log.append(type(k).__name__))\ny = 1",
    "trace unused": "y = m._call_impl(x)",
    "_apply": "y = m._apply(lambda t: t * 2) is m\nlog.append(m.l.weight.requires_grad)",
    "_apply norecurse": "y = m._apply(lambda t: t * 2, recurse=False) is m",
    "overwrite": "torch.__future__.set_overwrite_module_params_on_conversion(True)\nw = m.l.weight\nm.double()\ny = m.l.weight is w\ntorch.__future__.set_overwrite_module_params_on_conversion(False)",
    "grad converted": "m(x).sum().backward()\nw = m.l.weight; g = w.grad\nm.double()\ny = [m.l.weight is w, w.grad is g, str(w.grad.dtype)]",
    "share": "y = m.share_memory() is m",
    "weak": "import gc\nn = M(); n.register_load_state_dict_pre_hook(note('w'))\nd = n.state_dict(); y = str(n.load_state_dict(d))",
    "setstate": "import pickle\nn = pickle.loads(pickle.dumps(nn.Linear(2, 2)))\ny = sorted(vars(n)) == sorted(vars(nn.Linear(2, 2)))",
    "buffer reg": "m.register_buffer('q', torch.ones(1)); m.q = None; m.q = torch.ones(2)\ny = list(m.state_dict())",
    "getattr chain": "y = getattr(m, 'nope', 7)",
    "train child": "m.l.eval(); m.train()\ny = m.l.training",
    "repr extra": "class X(nn.Module):\n    def extra_repr(self): return 'one\\ntwo'\nclass Y(nn.Module):\n    def __init__(self):\n        super().__init__(); self.x = X(); self.n = None; self.m = nn.ReLU()\n    def extra_repr(self): return 'z=1'\ny = [repr(X()), repr(Y())]",
}
CASES = {name: f"{SETUP}{program}\nout = [log, y]" for name, program in PROGRAMS.items()}

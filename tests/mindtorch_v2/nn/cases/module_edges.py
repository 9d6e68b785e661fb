"""The whole of nn.Module: every method called rightly and wrongly, assignments, and hooks of every kind."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2); self.seq = nn.Sequential(nn.Linear(2, 3), nn.ReLU()); self.w = nn.Parameter(torch.ones(2)); self.register_buffer('b', torch.zeros(2)); self.register_buffer('nb', torch.ones(1), persistent=False); self.tied = self.a; self.n = 3
    def forward(self, x, k=1.0): return self.seq(self.a(x) * self.w) * k
m = Net(); x = torch.ones(1, 2)
"""
ASKED = (
    "m.get_submodule('seq.0')", "m.get_submodule('')", "m.get_submodule('z')", "m.get_submodule('seq.z')", "m.get_submodule('w')", "m.get_submodule('n')", "m.get_parameter('w')",
    "m.get_parameter('a.weight')", "m.get_parameter('b')", "m.get_parameter('z')", "m.get_parameter('a.z')", "m.get_parameter('')", "m.get_parameter('a')", "m.get_buffer('b')",
    "m.get_buffer('w')", "m.get_buffer('z')", "m.get_buffer('nb')", "m.get_buffer('a.weight')", "m.get_buffer('n')", "m.set_submodule('seq.0', nn.Linear(2, 3, bias=False))",
    "m.set_submodule('z', nn.ReLU())", "m.set_submodule('z', nn.ReLU(), strict=True)", "m.set_submodule('', nn.ReLU())", "m.set_submodule('w', nn.ReLU())", "m.set_submodule('n', nn.ReLU())",
    "m.set_submodule('q.z', nn.ReLU())", "m.set_submodule('a', 3)", "m.set_submodule('a', nn.Linear(2, 2), True)", "m.set_submodule('seq.9', nn.ReLU())",
    "m.set_submodule('seq.0.weight', nn.ReLU())", "m.set_submodule('n.z', nn.ReLU())", "m.set_submodule('a.b.c', nn.ReLU())", "list(m.named_parameters())",
    "list(m.named_parameters(prefix='p'))", "list(m.named_parameters(recurse=False))", "[n for n, _ in m.named_parameters(remove_duplicate=False)]", "[n for n, _ in m.named_buffers()]",
    "[n for n, _ in m.named_buffers('q', False)]", "[n for n, _ in m.named_buffers(remove_duplicate=False)]", "[n for n, _ in m.named_modules()]",
    "[n for n, _ in m.named_modules(remove_duplicate=False)]", "[n for n, _ in m.named_modules(prefix='z')]", "[n for n, _ in m.named_modules(set(), 'z', False)]",
    "[n for n, _ in m.named_children()]", "len(list(m.modules()))", "len(list(m.modules(False)))", "len(list(m.children()))", "len(list(m.parameters()))", "len(list(m.parameters(False)))",
    "len(list(m.buffers()))", "len(list(m.buffers(recurse=False)))", "m.train() is m", "m.train(False).training", "m.train(1)", "m.train('a')", "m.train(None)", "m.eval().a.training",
    "m.requires_grad_(False) is m", "[p.requires_grad for p in m.requires_grad_(False).parameters()]", "m.requires_grad_('a')", "m.zero_grad()", "m.zero_grad(set_to_none=False)",
    "m.apply(lambda k: None) is m", "m.apply(3)", "m.float() is m", "m.double().w.dtype", "m.half().w.dtype", "m.bfloat16().b.dtype", "m.type(torch.float64).w.dtype",
    "m.type('torch.DoubleTensor').w.dtype", "m.type(torch.int64)", "m.cpu() is m", "m.cuda()", "m.xpu()", "m.cuda('x')", "m.to(torch.float16).w.dtype", "m.to('meta').w.device",
    "m.to('meta', torch.float64).w.dtype", "m.to(torch.int64)", "m.to('cpu', torch.float32, True) is m", "m.to(torch.ones(1, dtype=torch.float64)).w.dtype", "m.to(device='meta').w.device",
    "m.to(dtype=torch.float64).b.dtype", "m.to(tensor=torch.ones(1)).w.dtype", "m.to()", "m.to(3)", "m.to('abc')", "m.to(None)", "m.to(None, torch.float64).w.dtype", "m.to(dtype='float')",
    "m.to(other=torch.ones(1))", "m.to(foo=1)", "m.to('cuda')", "m.to('cpu', 'cpu')", "m.to(torch.float64, 'cpu')", "m.to(memory_format=torch.channels_last)",
    "m.to(torch.device('cpu'), non_blocking=True) is m", "m.to(torch.complex64).w.dtype", "m.to('meta').to('cpu')", "m.to_empty(device='meta').w.device", "m.to_empty(device='cpu').w.shape",
    "m.to_empty()", "m.to_empty('cpu')", "m.to_empty(device='meta', recurse=False).a.weight.device", "m.share_memory() is m", "m.extra_repr()", "repr(m)", "str(m)", "m._get_name()",
    "m.__dir__()==sorted(m.__dir__())", "'a' in dir(m)", "m(x)", "m(x, k=2.0)", "m(x, 3.0)", "m()", "m(x, z=1)", "m.forward(x)", "nn.Module()(x)", "nn.Module().forward()", "nn.Module(1)",
    "nn.Module(a=1)", "nn.Module().training", "m.z", "m.zz.y", "m.__class__.__name__", "m.register_parameter('p', nn.Parameter(torch.ones(1)))", "m.register_parameter('p', None)",
    "m.register_parameter('p', torch.ones(1))", "m.register_parameter('a', None)", "m.register_parameter('w', None)", "m.register_parameter('p.q', None)", "m.register_parameter('', None)",
    "m.register_parameter(3, None)", "m.register_parameter('forward', None)", "m.register_parameter('p', (torch.ones(1, requires_grad=True) * 2))", "m.register_parameter('n', None)",
    "m.register_buffer('p', torch.ones(1))", "m.register_buffer('p', None)", "m.register_buffer('p', 3)", "m.register_buffer('b', torch.ones(3))", "m.register_buffer('w', torch.ones(1))",
    "m.register_buffer('p.q', None)", "m.register_buffer('', None)", "m.register_buffer(3, None)", "m.register_buffer('n', None)", "m.register_buffer('forward', None)",
    "m.register_buffer('b', torch.ones(1), persistent=False)", "m.add_module('p', nn.ReLU())", "m.add_module('p', None)", "m.add_module('p', 3)", "m.add_module('a', nn.ReLU())",
    "m.add_module('w', nn.ReLU())", "m.add_module('p.q', nn.ReLU())", "m.add_module('', nn.ReLU())", "m.add_module(3, nn.ReLU())", "m.add_module('n', nn.ReLU())",
    "m.add_module('forward', nn.ReLU())", "m.register_module('p', nn.ReLU())", "m.state_dict()", "m.state_dict(prefix='p.')", "m.state_dict(keep_vars=True)", "m.state_dict(destination={})",
    "m.state_dict({})", "m.state_dict(OrderedDict(), 'q.')", "m.state_dict(OrderedDict(), 'q.', True)", "dict(m.state_dict()._metadata)", "m.load_state_dict(m.state_dict())",
    "m.load_state_dict({})", "m.load_state_dict({}, strict=False)", "m.load_state_dict({'z': 1})", "m.load_state_dict({**m.state_dict(), 'z': torch.ones(1)})",
    "m.load_state_dict({**m.state_dict(), 'z': torch.ones(1)}, strict=False)", "m.load_state_dict({**m.state_dict(), 'w': torch.ones(3)})", "m.load_state_dict({**m.state_dict(), 'w': 3})",
    "m.load_state_dict({**m.state_dict(), 'w': torch.ones(2, dtype=torch.float64)})", "m.load_state_dict(3)", "m.load_state_dict(None)",
    "m.load_state_dict({**m.state_dict(), 'w': torch.ones(2, device='meta')})", "m.load_state_dict({k: v.to('meta') for k, v in m.state_dict().items()}, assign=True)",
    "m.load_state_dict({**m.state_dict(), 'w': torch.ones(3), 'b': 3, 'q': 1}, strict=False)", "m.load_state_dict({**m.state_dict(), 'a.z': torch.ones(1), 'k.z': torch.ones(1)})",
    "m.to('meta').load_state_dict(Net().state_dict())", "m.load_state_dict({**m.state_dict(), 'w': torch.ones(2, dtype=torch.int64)}, assign=True)",
    "m.load_state_dict({**m.state_dict(), '_extra_state': 1})", "m.get_extra_state()", "m.set_extra_state(1)", "m.register_forward_hook(lambda *a: None).id >= 0",
    "m.register_forward_pre_hook(lambda *a: None, prepend=True).id >= 0", "m.register_full_backward_hook(lambda *a: None).id >= 0", "m.register_state_dict_pre_hook(lambda *a: None).id >= 0",
    "m.register_load_state_dict_post_hook(lambda *a: None).id >= 0", "m.register_load_state_dict_pre_hook(lambda *a: None).id >= 0", "m.register_state_dict_post_hook(lambda *a: None).id >= 0",
    "nn.Module.dump_patches", "nn.Module.call_super_init", "m._version", "nn.Module.T_destination", "sorted(n for n in dir(nn.Module) if not n.startswith('_'))",
    "m.__class__.__mro__[1].__name__", "nn.Module.__call__.__name__", "nn.Module.__module__", "m == m", "hash(m) == hash(m)", "bool(m)", "m.__setstate__({})", "len(m)", "m[0]",
)
DONE = (
    "m.w = None", "m.w = torch.ones(2)", "m.w = nn.Parameter(torch.zeros(3))", "m.w = 3", "m.w = nn.ReLU()", "m.a = None", "m.a = 3", "m.a = nn.ReLU()", "m.a = nn.Parameter(torch.ones(1))",
    "m.a = torch.ones(1)", "m.b = None", "m.b = torch.ones(3)", "m.b = 3", "m.b = nn.Parameter(torch.ones(1))", "m.b = nn.ReLU()", "m.b = nn.Buffer(torch.ones(4))",
    "m.q = nn.Buffer(torch.ones(4))", "m.q = nn.Buffer(torch.ones(4), persistent=False)", "m.w = nn.Buffer(torch.ones(4))", "m.n = nn.Buffer(torch.ones(4))",
    "m.n = nn.Parameter(torch.ones(1))", "m.n = nn.ReLU()", "m.q = nn.Parameter(torch.ones(1))", "del m.a", "del m.b", "del m.nb", "del m.n", "del m.zz", "m.tied = None", "m.training = False",
    "m.a.weight = None", "m.nb = torch.ones(5)", "del m.nb; m.register_buffer('nb', torch.ones(1))", "m.w.data = torch.ones(3)", "m.a.weight.data.zero_()", "m._parameters['w'] = None",
    "m._modules['a'] = None", "m._buffers['b'] = None", "setattr(m, 'x.y', nn.Parameter(torch.ones(1)))", "setattr(m, '', nn.ReLU())", "setattr(m, 'x.y', nn.ReLU())",
    "m.forward = lambda x: x", "m.w = nn.Parameter(torch.ones(2)).requires_grad_(False)", "m.w.grad = torch.ones(2); m.double()", "m.w.grad = torch.ones(2); m.zero_grad()",
    "m.w.grad = torch.ones(2); m.zero_grad(False)",
)
EARLY = """
class Early(nn.Module):
    def __init__(self):
        {}
        super().__init__()
r = Early()
out = [repr(r), getattr(r, 'p', None)]
"""
BEFORE_INIT = ("self.p = nn.Parameter(torch.ones(1))", "self.p = nn.ReLU()", "self.p = nn.Buffer(torch.ones(1))", "self.register_parameter('p', None)", "self.register_buffer('p', None)",
               "self.add_module('p', None)", "self.p", "self.p = 3", "self.p = torch.ones(1)")
LEFT = "\nout = [list(m.state_dict()), [n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], [n for n, _ in m.named_children()], m.w.grad if isinstance(m.w, torch.Tensor) else None]"
PLAIN = "(bool, int, str, type(None), list, dict, tuple, torch.Tensor)"

CASES = {
    **{asked: f"{NET}r = {asked}\nout = [r if isinstance(r, {PLAIN}) else repr(r), repr(m), list(m.state_dict())]" for asked in ASKED},
    **{f"then {done}": NET + done + LEFT for done in DONE},
    **{f"{early} before Module.__init__": EARLY.format(early) for early in BEFORE_INIT},
}

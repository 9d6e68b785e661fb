"""torch.autocast: which types ops run in, what blocks nest, what is refused."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = """
x = torch.randn(4, 4); w = torch.randn(4, 4, requires_grad=True); h = x.bfloat16(); d = x.double(); n = torch.arange(16).view(4, 4)
def under(f, **k):
    with torch.autocast('cpu', **k):
        return f()
def types(*fs, **k):
    return [str(under(f, **k).dtype) for f in fs]
"""
LOWER = ("torch.mm(x, w)", "torch.mm(d, d)", "torch.mm(x.half(), w)", "torch.mm(n, n)", "x @ x[0]", "torch.mv(x, x[0])", "torch.dot(x[0], x[0])",
         "torch.addmm(x, x, x)", "x.clone().addmm_(x, x)", "torch.mm(x, x, out=torch.empty(4, 4))", "torch.bmm(x[None], x[None])",
         "torch.baddbmm(x[None], x[None], x[None])", "torch.addbmm(x, x[None], x[None])", "torch.einsum('ij,jk', x, x)",
         "F.linear(x, w)", "F.linear(x, w, x[0])", "F.conv1d(x[None], w[:, :, None])", "F.conv_transpose1d(x[None], w[:, :, None])", "F.prelu(x, w[0])",
         "F.conv2d(x[None, None], w[None, None], padding='valid')", "F.scaled_dot_product_attention(x[None], x[None], x[None])", "torch.outer(x[0], x[0])",
         "nn.GRU(4, 2)(x[None])[0]", "nn.RNN(4, 2)(x[None])[0]", "nn.LSTMCell(4, 2)(x)[0]", "nn.GRUCell(4, 2)(x)", "nn.Bilinear(4, 4, 2)(x, x)")
FLOAT32 = ("F.mse_loss(h, h)", "F.mse_loss(d, h)", "F.cross_entropy(h, n[0] % 4)", "F.binary_cross_entropy(h.sigmoid(), x.sigmoid())", "F.nll_loss(h, n[0] % 4)",
           "torch.prod(h)", "torch.prod(h, dtype=torch.bfloat16)", "h.prod(0)", "n.prod()", "torch.trace(h)", "torch.kl_div(h, h)", "F.l1_loss(h, h)",
           "F.cosine_embedding_loss(h, h, torch.ones(4))", "F.triplet_margin_loss(h, x, x)", "F.pad(h[None], (1, 1), mode='reflect')",
           "F.pad(h[None], (1, 1), mode='replicate')", "F.pad(h, (1, 1))", "F.max_pool3d(h[None, None, None], 1)", "F.adaptive_avg_pool2d(h[None], 1)",
           "torch.softmax(h, 0)", "F.layer_norm(h, (4,))", "F.gelu(h)", "F.gaussian_nll_loss(h, h, h.abs())")
WIDEST = ("torch.cat([x, h])", "torch.cat([h, h])", "torch.cat([x, x.half()])", "torch.cat([d, h])", "torch.cat([n, h])", "torch.cat([n, n])", "torch.stack([x, d])",
          "torch.hstack([x, h])", "x.index_copy(0, n[0, :1], h[:1])", "h.index_copy(0, n[0, :1], x[:1])", "torch.cat([x + 0j, x])")
MISTAKES = ("torch.mm(d, w)", "torch.cat([x.half(), x])", "torch.cat([h, x.half()])", "torch.stack([])", "torch.mv(x, h[0])", "h.clone().addmm_(x, x)")

FUNCTION = """
class Double(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type='cpu'{cast})
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a.mm(b)
    @staticmethod
    @torch.amp.custom_bwd(device_type='cpu')
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        seen.append((torch.is_autocast_enabled('cpu'), str(g.dtype)))
        return g.mm(b.t()), a.t().mm(g)
seen = []
y = under(lambda: Double.apply(w, w * 2))
y.sum().backward()
out = [str(y.dtype), seen, str(w.grad.dtype)]
"""
DEVICES = ("cpu", "cuda", "xpu", "mps", "hpu", "ipu", "xla", "mtia", "maia", "meta", "privateuseone", "foo", "cuda:0", "vulkan", "hip", "")
ASKED = ("torch.is_autocast_enabled({0!r})", "str(torch.get_autocast_dtype({0!r}))", "torch.amp.is_autocast_available({0!r})",
         "torch.autocast({0!r})._enabled", "torch.autocast({0!r}, enabled=False)._enabled", "torch.autocast({0!r}, dtype=torch.float32)._enabled")

CASES = {
    **{call: f"{X}\nout = types(lambda: {call})" for call in (*LOWER, *FLOAT32, *WIDEST, *MISTAKES)},
    **{f"float16 {call}": f"{X}\nout = types(lambda: {call}, dtype=torch.float16)" for call in ("torch.mm(x, w)", "torch.cat([x.half(), x.half()])", "F.mse_loss(x.half(), x)")},
    **{f"off {call}": f"{X}\nout = types(lambda: {call}, enabled=False)" for call in ("torch.mm(x, w)", "torch.prod(h)")},
    **{ask.format(device): ask.format(device) for device in DEVICES for ask in ASKED},
    **{call: call for call in (
        "torch.autocast()", "torch.autocast(1)", "torch.autocast('cpu', dtype=torch.int8)._enabled", "torch.autocast('cpu')(3)", "torch.autocast('cpu', cache_enabled=False)._cache_enabled",
        "torch.cpu.amp.autocast(True, torch.float16)._enabled", "torch.cuda.amp.autocast()._enabled", "torch.cuda.amp.autocast(False)._enabled", "torch.is_autocast_enabled(3)",
        "torch.is_autocast_enabled()", "torch.set_autocast_enabled('cpu', 1)", "torch.set_autocast_enabled('cpu')", "torch.set_autocast_enabled('foo', True)",
        "torch.set_autocast_dtype('cpu', 3)", "torch.set_autocast_cache_enabled(3)", "torch.set_autocast_cpu_enabled(1)", "torch.set_autocast_cpu_dtype(3)",
        "torch._C._autocast_supported_devices()", "torch.amp.custom_fwd(device_type=3)", "torch.amp.custom_bwd(device_type=3)", "torch.amp.autocast is torch.autocast",
        "torch.cuda.amp.custom_bwd(len) and None", "torch.cuda.amp.amp_definitely_not_available()")},
    "counting blocks": "out = [torch.autocast_increment_nesting(), torch.autocast_increment_nesting(), torch.autocast_decrement_nesting(), torch.autocast_decrement_nesting()]",
    "a block inside a block": X + """
with torch.autocast('cpu'):
    a = x @ x
    with torch.autocast('cpu', enabled=False): b = x @ x
    with torch.autocast('cpu', dtype=torch.float16): c = x @ x; k = str(torch.get_autocast_dtype('cpu'))
    e = x @ x
out = [[str(t.dtype) for t in (a, b, c, e)], k, str(torch.get_autocast_dtype('cpu')), torch.is_autocast_enabled('cpu')]""",
    "a block that fails": X + """
try:
    with torch.autocast('cpu', dtype=torch.float16, cache_enabled=False): raise KeyError
except KeyError:
    out = [torch.is_autocast_enabled('cpu'), str(torch.get_autocast_dtype('cpu')), torch.is_autocast_cache_enabled()]""",
    "a function": X + """
@torch.autocast('cpu')
def f(a): return a @ a
out = [f.__name__, str(f(x).dtype), str((x @ x).dtype)]""",
    "another thread": X + """
import threading
out = []
with torch.autocast('cpu'):
    thread = threading.Thread(target=lambda: out.append([torch.is_autocast_enabled('cpu'), str((x @ x).dtype)])); thread.start(); thread.join()""",
    "a parameter is cast once": X + """
with torch.autocast('cpu'):
    a = x @ w
    with torch.no_grad(): w.mul_(2)
    b = x @ w
out = bool((a == b).all())""",
    "a parameter is cast each time without a cache": X + """
with torch.autocast('cpu', cache_enabled=False):
    a = x @ w
    with torch.no_grad(): w.mul_(2)
    b = x @ w
out = bool((a == b).all())""",
    "a parameter is cast with its history": X + """
with torch.autocast('cpu'):
    with torch.no_grad(): a = x @ w
    b = x @ w
b.sum().backward()
out = [a.requires_grad, b.requires_grad, str(w.grad.dtype)]""",
    "a parameter that inference has seen": X + """
with torch.autocast('cpu'):
    with torch.inference_mode(): a = x @ w
    b = x @ w
b.sum().backward()
out = [a.is_inference(), str(w.grad.dtype)]""",
    "backward inside": X + """
seen = []
y = (x @ w); y.register_hook(lambda g: seen.append([torch.is_autocast_enabled('cpu'), str((g @ g).dtype)]))
with torch.autocast('cpu'): y.sum().backward()
out = [seen, str(w.grad.dtype)]""",
    "backward outside": X + """
with torch.autocast('cpu'): y = F.mse_loss(x @ w, x)
y.backward()
out = [str(y.dtype), w.grad]""",
    "nobody is asked about casts inside a mode": X + """
class Seen(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        seen.append([str(func), str(args[0].dtype), torch.is_autocast_enabled('cpu'), str(torch.mm(x, x).dtype)])
        return func(*args, **(kwargs or {}))
seen = []
with torch.autocast('cpu'), Seen(): torch.mm(x, x); torch.add(x, x)
out = seen""",
    "a function with a cast": X + FUNCTION.format(cast=", cast_inputs=torch.float32"),
    "a function without one": X + FUNCTION.format(cast=""),
    "what a function casts": X + """
cast = torch.amp.autocast_mode._cast({'a': [x, n, d], 'b': ('text', h), 'c': 3}, 'cpu', torch.float16)
out = [[str(t.dtype) for t in cast['a']], cast['b'][0], str(cast['b'][1].dtype), cast['c']]""",
}

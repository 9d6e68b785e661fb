"""torch.utils.checkpoint: what comes of it, and what is refused."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = """
import contextlib
C = __import__(torch.__name__ + '.utils.checkpoint').utils.checkpoint
a = nn.Linear(6, 6); b = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Dropout(0.5), nn.Linear(12, 6))
x = torch.linspace(0.1, 1, 30).view(5, 6).requires_grad_()
def done(r, *more):
    for t in r if isinstance(r, tuple) else (r,): t.sum().backward(retain_graph=True)
    return [r, x.grad, [p.grad for p in b.parameters()], torch.rand(2), *more]
def changing(first, again):
    calls = []
    def call(x): calls.append(0); return first(x) if len(calls) == 1 else again(x)
    return call
"""
OPTIONS = ("use_reentrant=False", "use_reentrant=True", "use_reentrant=False, preserve_rng_state=False", "use_reentrant=True, preserve_rng_state=False",
           "use_reentrant=False, early_stop=False", "use_reentrant=False, determinism_check='none'")
FUNCTIONS = ("b", "lambda x: x.mul(2).sigmoid_().add_(1).cos()", "lambda x: (x.sin(), x.cos())", "lambda x: x * torch.rand_like(x)", "lambda x: x")
CHANGES = ("lambda x: x.sin().sin(), lambda x: x.sin()", "lambda x: x.sin(), lambda x: x.sin().sin()", "lambda x: x.sin(), lambda x: x[:2].sin()",
           "lambda x: x.sin(), lambda x: x.double().sin()", "lambda x: x.exp(), lambda x: x + 1")
REFUSED = ("C.checkpoint(b, x, use_reentrant=False, determinism_check='x')", "C.checkpoint(b, x, use_reentrant=True, context_fn=lambda: 0)", "C.checkpoint(b, x, use_reentrant=True, debug=True)",
           "C.checkpoint(b, x, use_reentrant=False, debug=True, context_fn=lambda: 0)", "C.checkpoint(b, x, k=1, use_reentrant=True)", "C.checkpoint_sequential([a], 3, x, use_reentrant=False)",
           "C.checkpoint_sequential([a], 1, x, use_reentrant=False, foo=1)", "C.checkpoint(b, x.detach(), use_reentrant=True).requires_grad", "C.create_selective_checkpoint_contexts(3)",
           "torch.autograd.grad(C.checkpoint(b, x, use_reentrant=True).sum(), [x])", "C.checkpoint(lambda x: (x.detach(), None), x, use_reentrant=True)[0].sum().backward()")

CASES = {
    **{f"{function} | {options}": f"{S}\nout = done(C.checkpoint({function}, x, {options}))" for function in FUNCTIONS for options in OPTIONS},
    **{f"{change} | {options}": f"{S}\nout = done(C.checkpoint(changing({change}), x, {options}))" for change in CHANGES for options in (OPTIONS[0], OPTIONS[4], OPTIONS[5])},
    **{call: f"{S}\nout = {call}" for call in REFUSED},
    **{f"{n} segments {reentrant}": f"{S}\nout = done(C.checkpoint_sequential(b, {n}, x, use_reentrant={reentrant}))" for n in (1, 2, 3) for reentrant in (True, False)},
    "a wrong check without grad": S + "with torch.no_grad(): out = C.checkpoint(b, x, use_reentrant=False, determinism_check='x')",
    "keywords": S + "out = done(C.checkpoint(lambda x, *, k, s: (x * k).sin() * s, x, k=x.detach() * 2, s=3.0, use_reentrant=False))",
    "nested": S + "out = done(C.checkpoint(lambda y: C.checkpoint(b, a(y), use_reentrant=False).sin(), x, use_reentrant=False))",
    "nested reentrant": S + "out = done(C.checkpoint(lambda y: C.checkpoint(b, a(y), use_reentrant=True).sin(), x, use_reentrant=True))",
    "second gradients": S + "r = C.checkpoint(b, x, use_reentrant=False); g, = torch.autograd.grad(r.pow(2).sum(), [x], create_graph=True); out = done(g.sum())",
    "contexts": S + """
seen = []
@contextlib.contextmanager
def told(name): seen.append(name); yield; seen.append('end ' + name)
out = done(C.checkpoint(b, x, use_reentrant=False, context_fn=lambda: (told('forward'), told('again'))), seen)""",
    "contexts without grad": S + """
seen = []
with torch.no_grad(): C.checkpoint(b, x, use_reentrant=False, context_fn=lambda: (seen.append('asked') or contextlib.nullcontext(), contextlib.nullcontext()))
out = seen""",
    **{f"autocast {reentrant}": S + f"""
seen = []
def f(x): seen.append(str(a(x).dtype)); return a(x)
with torch.autocast('cpu'): r = C.checkpoint(f, x, use_reentrant={reentrant})
r.float().sum().backward(); out = [seen, str(r.dtype), torch.is_autocast_enabled('cpu')]""" for reentrant in (True, False)},
    "backward under autocast": S + """
seen = []
def f(x): seen.append(str(a(x).dtype)); return a(x)
r = C.checkpoint(f, x, use_reentrant=False)
with torch.autocast('cpu'): r.sum().backward()
out = seen""",
    "where tensors are made": S + """
seen = []
def f(x): seen.append(str(torch.zeros(1).device)); return x.sin()
with torch.device('meta'): r = C.checkpoint(f, x, use_reentrant=False)
r.sum().backward(); out = seen""",
    "kept results": S + "out = done(C.checkpoint(b, x, use_reentrant=False, context_fn=lambda: C.create_selective_checkpoint_contexts([torch.ops.aten.addmm.default])))",
    "a forked generator": S + """
with torch.random.fork_rng(): torch.rand(3)
out = torch.rand(2)""",
}

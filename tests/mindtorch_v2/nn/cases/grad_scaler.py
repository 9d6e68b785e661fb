"""torch.amp.GradScaler and its two ops."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

OPS = """
inf, nan = float('inf'), float('nan')
f = lambda v, t=torch.float32: torch.tensor(v, dtype=t)
i = lambda v: torch.tensor(v, dtype=torch.int32)
def unscale(grads, found, factor):
    torch._amp_foreach_non_finite_check_and_unscale_(grads, found, factor)
    return [grads, found, [g._version for g in grads]]
def update(scale, tracker, found, growth=2.0, backoff=0.5, interval=3):
    same = torch._amp_update_scale_(scale, tracker, found, growth, backoff, interval) is scale
    return [same, scale, tracker, scale._version, tracker._version]
"""
UNSCALED = ("[f([1., 2.]), f(3.)], f(0.), f(.5)", "[f([1., inf]), f([2.])], f(0.), f(.5)", "[f([1., nan])], f(0.), f(.5)", "[f([1e30])], f(0.), f(1e30)", "[f([inf])], f(0.), f(1.)",
            "[f([1.])], f(1.), f(1.)", "[f([1., 3.], torch.float16)], f(0.), f(.3)", "[f([1., 3.], torch.bfloat16)], f(0.), f(.3)", "[f([1.], torch.float64)], f(0.), f(.3)",
            "[torch.ones(2, dtype=torch.long)], f(0.), f(.3)", "[torch.ones(2) + 0j], f(0.), f(.3)", "[f([1.]), f([1.], torch.float64)], f(0.), f(.3)", "[], f(0.), f(.3)",
            "[torch.ones(0)], f(0.), f(.3)", "[f([1.])], f(0., torch.float64), f(.3)", "[f([1.])], f(0.), f(.3, torch.float64)", "[f([1.])], torch.zeros(2), f(.3)",
            "[f([1.])], f(0.), torch.ones(2)", "[f([1.])], torch.zeros(1), torch.ones(1)", "[torch.ones(4, 4).t()[::2]], f(0.), f(.3)", "[torch.ones(1).expand(4)], f(0.), f(.3)",
            "[f([1.])], torch.zeros(2, dtype=torch.long), torch.ones(2, dtype=torch.long)")
UPDATED = ("f(4.), i(2), f(0.)", "f(4.), i(1), f(0.)", "f(4.), i(1), f(1.)", "f(3e38), i(2), f(0.)", "f(4.), f(1, torch.int64), f(1.)", "f(4., torch.float64), i(1), f(1.)",
           "f(4.), i(1), f(1., torch.float64)", "torch.ones(2), i(1), f(1.)", "f(1.), torch.ones(2, dtype=torch.int32), f(1.)", "f(1.), i(1), torch.ones(2)", "f(3.), i(0), f(0.), 1.5, 0.7, 1")
P = """
p = nn.Parameter(torch.tensor([1.0, 2.0])); q = nn.Parameter(torch.tensor([3.0]))
opt = torch.optim.{0}; scaler = torch.amp.GradScaler('cpu', init_scale=8.0, growth_interval=2)
def train(factor=1.0):
    opt.zero_grad(); loss = (p * p).sum() * factor + q.sum(); scaler.scale(loss).backward()
    scaler.step(opt); scaler.update()
    return [scaler.get_scale(), scaler._get_growth_tracker(), p.detach().clone()]
"""
SGD = P.format("SGD([p, q], lr=0.1)")
OPTIMIZERS = ("SGD([p, q], lr=0.1, momentum=0.9)", "SGD([p, q], lr=0.1, fused=True)", "Adam([p, q], lr=0.1)", "Adam([p, q], lr=0.1, fused=True)", "AdamW([p, q], lr=0.1, fused=True)", "Adagrad([p, q], lr=0.1, fused=True)")
MISTAKES = ("scaler.update()", "scaler.step(opt)", "scaler.unscale_(opt)", "scaler.step(opt, closure=None)", "scaler.scale(3)", "scaler.scale([p.sum(), 3])",
            "[scaler.scale(p.sum()), scaler.update()]", "[scaler.scale(p.sum()), scaler.step(opt)]", "[scaler.scale(p.sum()).backward(), scaler.unscale_(opt), scaler.unscale_(opt)]",
            "[scaler.scale(p.sum()).backward(), scaler.step(opt), scaler.step(opt)]", "[scaler.scale(p.sum()).backward(), scaler.step(opt), scaler.unscale_(opt)]",
            "[scaler.scale(p.sum()), scaler.update(3)]", "[scaler.scale(p.sum()), scaler.update(torch.ones(2))]", "scaler.load_state_dict({})", "scaler.load_state_dict({'scale': 2.0})")

CASES = {
    **{f"unscale {call}": f"{OPS}\nout = unscale({call})" for call in UNSCALED},
    **{f"update {call}": f"{OPS}\nout = update({call})" for call in UPDATED},
    **{f"training with {call}": f"{P.format(call)}\nout = [train(), train(), train(float('inf')), train(), train(float('nan')), train(), train()]" for call in OPTIMIZERS},
    **{f"mistake {call}": f"{SGD}\nout = {call}" for call in MISTAKES},
    **{call: call for call in ("torch.amp.GradScaler().is_enabled()", "torch.cuda.amp.GradScaler().is_enabled()", "torch.cpu.amp.GradScaler().is_enabled()", "torch.amp.GradScaler('cpu', growth_factor=1.0)",
                               "torch.amp.GradScaler('cpu', backoff_factor=1.0)", "torch.amp.GradScaler('cpu').state_dict()", "torch.amp.GradScaler('cpu', enabled=False).state_dict()",
                               "torch.amp.GradScaler('cpu', enabled=False).get_scale()", "torch.GradScaler is torch.amp.GradScaler")},
    "disabled": SGD + "s = torch.amp.GradScaler('cpu', enabled=False); l = p.sum(); same = s.scale(l) is l; l.backward(); s.unscale_(opt); s.step(opt); s.update(); s.load_state_dict({}); out = [same, p]",
    "nested losses": SGD + "out = scaler.scale([p.sum(), (q.sum(), [p.prod()])])",
    "half gradients are refused": SGD + "h = nn.Parameter(torch.ones(2).half()); h.grad = torch.ones(2).half(); scaler.scale(p.sum()); scaler.unscale_(torch.optim.SGD([h], lr=0.1)); out = 0",
    "two optimizers": SGD + """
other = torch.optim.SGD([q], lr=1.0); scaler.scale(p.sum() + q.sum() * float('inf')).backward()
opt.param_groups[0]['params'] = [p]; scaler.step(opt); scaler.step(other); scaler.update(); out = [p, q, scaler.get_scale()]""",
    "factors": SGD + "scaler.set_growth_factor(3.0); scaler.set_backoff_factor(0.1); scaler.set_growth_interval(1); out = [train(), train(float('inf')), scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()]",
    "new scale": SGD + "train(); scaler.update(2.0); a = scaler.get_scale(); scaler.update(torch.tensor(3.0)); out = [a, scaler.get_scale()]",
    "state": SGD + "train(); s = scaler.state_dict(); o = torch.amp.GradScaler('cpu'); o.load_state_dict(s); first = o.get_scale(); o.scale(p.sum()); o.load_state_dict({**s, 'scale': 5.0}); out = [s, first, o.state_dict()]",
    "pickled": SGD + "import pickle\ntrain(); o = pickle.loads(pickle.dumps(scaler)); out = [o.state_dict(), o._scale]",
    "pickled too early": SGD + "import pickle\nscaler.scale(p.sum()).backward(); scaler.unscale_(opt); out = pickle.dumps(scaler)",
    "a step that takes the scaler": SGD + """
class Own(torch.optim.SGD):
    _step_supports_amp_scaling = True
    def step(self, closure=None, *, grad_scaler=None): seen.append(grad_scaler is scaler)
seen = []; opt = Own([p, q], lr=0.1); scaler.scale(p.sum()).backward(); scaler.step(opt); out = seen""",
}

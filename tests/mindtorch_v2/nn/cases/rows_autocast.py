"""The rows that calls leave under autocast: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = """
x = torch.randn(6, 8); h = x.bfloat16(); y = torch.arange(6) % 4; m = nn.Linear(8, 4); net = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 4))
v = torch.randn(6, 8, requires_grad=True); u = torch.randn(8, 4, requires_grad=True); late = v.mm(u)
scaler = torch.amp.GradScaler('cpu', init_scale=4.0); opt = torch.optim.SGD(net.parameters(), lr=0.1); fused = torch.optim.SGD(m.parameters(), lr=0.1, fused=True)
def under(*fs, **k):
    with torch.autocast('cpu', **k):
        return [f() for f in fs]
"""
CALLS = ("torch.mm(x, x.t())", "torch.mm(h, h.t())", "torch.cat([x, h])", "torch.cat([x, x])", "torch.stack([h, x, h])", "F.mse_loss(h, x)", "torch.prod(h)", "torch.mv(x, x[0])",
         "torch.einsum('ij,kj->ik', x, x)", "F.cross_entropy(x[:, :4], y)", "x.index_copy(0, y[:1], h[:1])", "F.pad(h[None], (1, 1), mode='reflect')", "F.linear(x, u.t(), x[0, :4])")
TRAIN = "out = [F.cross_entropy(under(lambda: net(x))[0].float(), y)]; out[0].backward()"

CASES = {
    **{f"autocast {call}": (S, f"out = under(lambda: {call})") for call in CALLS},
    "autocast twice": (S, "out = under(lambda: m(x), lambda: m(x))"),
    "autocast without a cache": (S, "out = under(lambda: m(x), lambda: m(x), cache_enabled=False)"),
    "autocast of a parameter without grad": (S, "with torch.no_grad(): out = under(lambda: m(x))"),
    "autocast off": (S, "out = under(lambda: m(x), enabled=False)"),
    "autocast training": (S, TRAIN),
    "autocast backward": (S, "under(lambda: late.sum().backward())"),
    "scale": (S, "out = scaler.scale(late.sum())"),
    "scale many": (S, "out = scaler.scale([late.sum(), late.mean()])"),
    "scaled step": (S + "loss = net(x).sum()", "scaler.scale(loss).backward(); scaler.step(opt); scaler.update()"),
    "scaled step that overflows": (S + "loss = net(x).sum() * float('inf')", "scaler.scale(loss).backward(); scaler.step(opt); scaler.update()"),
    "unscaled step": (S + "scaler.scale(net(x).sum()).backward()", "scaler.unscale_(opt); nn.utils.clip_grad_norm_(net.parameters(), 1.0); scaler.step(opt); scaler.update()"),
    "fused scaled step": (S + "scaler.scale(m(x).sum()).backward()", "scaler.step(fused); scaler.update()"),
    "new scale": (S + "scaler.scale(late.sum())", "scaler.update(2.0); scaler.update(torch.tensor(3.0))"),
}

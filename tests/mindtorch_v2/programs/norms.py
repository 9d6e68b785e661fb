"""LayerNorm, RMSNorm and GroupNorm in their variants, and reductions that norm by hand."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn = torch.nn
    torch.manual_seed(11)
    layers = nn.ModuleList(
        [
            nn.LayerNorm(6),
            nn.LayerNorm(6, elementwise_affine=False),
            nn.LayerNorm((4, 6), bias=False),
            nn.RMSNorm(6),
            nn.RMSNorm(6, elementwise_affine=False),
            nn.GroupNorm(2, 4),
            nn.GroupNorm(4, 4, affine=False),
        ]
    )
    gain = nn.Parameter(torch.ones(6))
    opt = torch.optim.SGD([*layers.parameters(), gain], lr=0.1)
    x = torch.randn(3, 4, 6, requires_grad=True)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            h = x
            for layer in layers:
                h = layer(h) + 0.1 * x
            h = (h - h.mean(-1, keepdim=True)) / (h.std(-1, keepdim=True) + 1e-5) * gain
            h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)
            v, m = torch.var_mean(h, dim=1, unbiased=False)
            loss = (v.sqrt() * m).sum() + h.var() + h.std(dim=(0, 1)).sum() + h.norm() + h.norm(p=1, dim=-1).mean()
            loss = loss + h.norm(p=float("inf"), dim=2).sum() + h.norm(dim=(0, 1)).max()
            loss.backward()
            opt.step()
            out.append([loss.item(), x.grad.norm().item()])
            x.grad = None
            prof.step()
    return prof, out
